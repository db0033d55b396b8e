#include "ingot/passes/FusionGraph.h"

#include "ingot/ir/Dialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace ingot {
namespace {

using Cluster = FusionGraph::Cluster;

struct Graphs : testing::Test {
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module;

  Graphs() { context.loadDialect<IngotDialect, mlir::func::FuncDialect>(); }

  /// A block of `ops` sums of two earlier values each, `reach` back at the most.
  mlir::Block &random_block(unsigned ops, unsigned reach, unsigned seed) {
    std::mt19937 random(seed);
    std::string text = "func.func @main(%v0: tensor<4xf32>) -> tensor<4xf32> {\n";
    auto value = [&](unsigned before) {
      return "%v" + std::to_string(before - std::min<unsigned>(before, unsigned(random() % reach)));
    };
    for (unsigned i = 1; i <= ops; ++i)
      text += "  %v" + std::to_string(i) + " = ingot.add " + value(i - 1) + ", " + value(i - 1) + " : tensor<4xf32>\n";
    text += "  return %v" + std::to_string(ops) + " : tensor<4xf32>\n}\n";
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    return (*module->getOps<mlir::func::FuncOp>().begin()).front();
  }
};

/// Whether a path leads from one to the other through a third cluster, found by looking at all edges again and again.
bool path_through_others(mlir::Block &block, const FusionGraph &graph, Cluster from, Cluster to) {
  std::set<Cluster> reached;
  for (bool more = true; more;) {
    more = false;
    for (mlir::Operation &op : block.without_terminator())
      for (mlir::Value operand : op.getOperands()) {
        const Cluster a = graph.clusterOf(operand.getDefiningOp()), b = graph.clusterOf(&op);
        if (a == FusionGraph::kNone || a == b || (a == from && b == to))
          continue;
        if ((a == from || reached.count(a)) && reached.insert(b).second)
          more = true;
      }
  }
  return reached.count(to);
}

TEST_F(Graphs, MergesExactlyWhatMakesNoCycle) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    mlir::Block &block = random_block(60, seed % 2 ? 4 : 30, seed);
    FusionGraph graph(block);
    std::mt19937 random(seed);
    unsigned merged = 0, refused = 0;
    for (int attempt = 0; attempt < 400; ++attempt) {
      const Cluster a = Cluster(random() % 60), b = Cluster(random() % 60);
      if (a == b || graph.members(a).empty() || graph.members(b).empty())
        continue;
      const bool cycle = path_through_others(block, graph, a, b) || path_through_others(block, graph, b, a);
      ASSERT_EQ(graph.canMerge(a, b), !cycle) << "seed " << seed << ", clusters " << a << " and " << b;
      cycle ? ++refused : ++merged;
      if (!cycle)
        graph.merge(a, b);
    }
    EXPECT_GT(merged, 5u);
    EXPECT_GT(refused, 5u);
    // Every cluster behind all it depends on.
    const std::vector<Cluster> order = graph.topologicalOrder();
    std::set<Cluster> seen;
    for (Cluster c : order) {
      for (mlir::Operation *op : graph.members(c))
        for (mlir::Value operand : op->getOperands())
          if (Cluster producer = graph.clusterOf(operand.getDefiningOp()); producer != FusionGraph::kNone)
            EXPECT_TRUE(producer == c || seen.count(producer));
      seen.insert(c);
    }
  }
}

TEST_F(Graphs, AQuestionCostsNoMoreThanItsBound) {
  mlir::Block &block = random_block(20000, 20000, 3);
  const FusionGraph graph(block);
  for (const Cluster a : {0u, 1u, 10u, 100u}) {
    const size_t before = graph.visits();
    (void)graph.canMerge(a, 19999);
    EXPECT_LE(graph.visits() - before, 2 * (FusionGraph::kMostSteps + 1));
  }
}

TEST_F(Graphs, AChainIsMergedInStepsThatDoNotDependOnItsLength) {
  auto steps = [&](unsigned n) {
    mlir::Block &block = random_block(n, 1, 0);
    FusionGraph graph(block);
    for (Cluster c = n - 1; c-- > 0;) {
      EXPECT_TRUE(graph.canMerge(c + 1, c));
      graph.merge(c + 1, c);
      if (c % 50 == 0 && c) // several clusters
        --c;
    }
    return double(graph.visits()) / n;
  };
  EXPECT_LT(steps(8000), 1.1 * steps(2000));
}

} // namespace
} // namespace ingot
