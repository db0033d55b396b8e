// Compiles one expression over scalars or vectors to a function over arrays, so that tests can run what
// emitters produce: values in, values out.
#pragma once

#include "ingot/runtime/Target.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace ingot::testing {

class ExpressionJit {
public:
  using Body = llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

  /// Builds, lowers and compiles `body` for `target`. Operands have the element types named (as in MLIR:
  /// "f32", "i64"); with `lanes` > 0 the body sees vectors of that many, with 0 scalars. Throws
  /// std::runtime_error with the diagnostics when any step fails.
  ExpressionJit(std::initializer_list<const char *> operandTypes, std::int64_t lanes, Body body,
                const Target &target = Target::host());
  ExpressionJit(ExpressionJit &&) noexcept;
  ~ExpressionJit();

  /// result[i] = body(operands[0][i], ...) for i < count, a multiple of the lanes. An i1 is one byte.
  void run(std::initializer_list<const void *> operands, void *result, std::int64_t count) const;

  /// Symbols that the code needs from outside.
  const std::vector<std::string> &undefinedSymbols() const;
  /// The assembly text, for reading.
  std::string assembly() const;

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace ingot::testing
