#include "ingot/passes/Passes.h"
#include "ingot/passes/SimplifyPatterns.h"
#include "ingot/passes/Work.h"

#include "ingot/ir/Dialect.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace ingot {

#define GEN_PASS_DEF_SIMPLIFYPASS
#include "ingot-gen/passes/Passes.h.inc"

namespace {

using namespace mlir;

/// Counts what rewrites do.
struct CountingListener final : RewriterBase::Listener {
  size_t count = 0;
  void notifyOperationInserted(Operation *, OpBuilder::InsertPoint) override { ++count; }
  void notifyOperationModified(Operation *) override { ++count; }
  void notifyOperationErased(Operation *) override { ++count; }
};

struct SimplifyPass : impl::SimplifyPassBase<SimplifyPass> {
  using SimplifyPassBase::SimplifyPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populateAlgebraPatterns(set, fastMath);
    populateSelectionPatterns(set);
    populateFoldPatterns(set, foldLimit);
    populateViewPatterns(set);
    populateReshapePatterns(set);
    populateDotPatterns(set);
    populateIndexingPatterns(set);
    patterns = FrozenRewritePatternSet(std::move(set));
    return success();
  }

  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    GreedyRewriteConfig config;
    config.useTopDownTraversal = true;
    config.enableRegionSimplification = GreedySimplifyRegionLevel::Disabled;
    // Far above what any program needs; a pair of patterns that undo each other must not hang.
    const auto size = int64_t(getOperation().front().getOperations().size());
    config.maxIterations = 100;
    config.maxNumRewrites = 10000 + 100 * size;
    CountingListener listener;
    config.listener = &listener;
    if (failed(applyPatternsAndFoldGreedily(getOperation(), patterns, config))) {
      getOperation().emitError() << "rewrites do not come to an end";
      signalPassFailure();
    }
    noteVisits(getOperation(), "simplify", listener.count);
  }

  FrozenRewritePatternSet patterns;
};

} // namespace
} // namespace ingot
