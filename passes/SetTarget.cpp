// The machine that a module is compiled for.
#include "ingot/ir/TargetAttribute.h"
#include "ingot/passes/Passes.h"

namespace ingot {

#define GEN_PASS_DEF_SETTARGETPASS
#include "ingot-gen/passes/Passes.h.inc"

namespace {

struct SetTargetPass : impl::SetTargetPassBase<SetTargetPass> {
  using SetTargetPassBase::SetTargetPassBase;
  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (name.empty() && hasTarget(getOperation()))
      return;
    std::optional<Target> target = Target::find(name.empty() ? std::string("host") : name.getValue());
    if (target)
      return setTarget(getOperation(), *target);
    getOperation().emitError() << "unknown target `" << name << "`; the known ones are " << Target::kNames;
    signalPassFailure();
  }
};

} // namespace
} // namespace ingot
