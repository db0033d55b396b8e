#include "ingot/ir/TargetAttribute.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"

#include <limits>

namespace ingot {
namespace {

using namespace mlir;

constexpr llvm::StringLiteral kName = "ingot.target";

/// As a field of Target, where an attribute that was read from text may hold more than fits.
int narrow(int64_t value) {
  using Limits = std::numeric_limits<int>;
  return int(std::clamp<int64_t>(value, Limits::min(), Limits::max()));
}

Target make(StringRef name, StringRef triple, StringRef cpu, StringRef features, int64_t bits, int64_t registers,
            int64_t ports, int64_t latency, int64_t l1, int64_t l2, int64_t l3, int64_t line, ArrayAttr required) {
  Target target{name.str(),
                triple.str(),
                cpu.str(),
                features.str(),
                narrow(bits),
                narrow(registers),
                narrow(ports),
                narrow(latency),
                l1,
                l2,
                l3,
                narrow(line),
                {}};
  for (auto feature : required.getAsRange<StringAttr>())
    target.required_features.push_back(feature.getValue().str());
  return target;
}

} // namespace

TargetAttr toAttribute(const Target &target, MLIRContext *context) {
  // A new field does not compile before it travels, too.
  const auto &[name, triple, cpu, features, bits, registers, ports, latency, l1, l2, l3, line, required] = target;
  llvm::SmallVector<StringRef> names(required.begin(), required.end());
  return TargetAttr::get(context, name, triple, cpu, features, bits, registers, ports, latency, l1, l2, l3, line,
                         mlir::Builder(context).getStrArrayAttr(names));
}

Target toTarget(TargetAttr a) {
  return make(a.getName(), a.getTriple(), a.getCpu(), a.getFeatures(), a.getVectorBits(), a.getVectorRegisters(),
              a.getFmaPorts(), a.getFmaLatency(), a.getL1(), a.getL2(), a.getL3(), a.getLine(),
              a.getRequiredFeatures());
}

LogicalResult TargetAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, StringRef name, StringRef triple,
                                 StringRef cpu, StringRef features, int64_t bits, int64_t registers, int64_t ports,
                                 int64_t latency, int64_t l1, int64_t l2, int64_t l3, int64_t line,
                                 ArrayAttr required) {
  if (!llvm::all_of(required, llvm::IsaPred<StringAttr>))
    return emitError() << "required_features must be strings";
  const std::string fault =
      make(name, triple, cpu, features, bits, registers, ports, latency, l1, l2, l3, line, required).fault();
  return fault.empty() ? success() : emitError() << "target `" << name << "`: " << fault;
}

void setTarget(ModuleOp module, const Target &target) {
  module->setAttr(kName, toAttribute(target, module.getContext()));
}

bool hasTarget(ModuleOp module) { return module->hasAttr(kName); }

FailureOr<Target> targetOf(ModuleOp module) {
  if (auto attribute = module->getAttrOfType<TargetAttr>(kName))
    return toTarget(attribute);
  return module.emitError() << "the module has no `" << kName
                            << "`, the machine to compile for; the pass ingot-set-target sets one";
}

} // namespace ingot
