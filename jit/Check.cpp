// Every phase against the reference evaluator: where the numbers first differ, and at which op.
#include "ingot/jit/Driver.h"
#include "ingot/jit/Errors.h"
#include "ingot/jit/Interpreter.h"
#include "ingot/jit/JitCompiler.h"

#include "ingot/capture/NativeCalls.h"

#include "ingot/runtime/ThreadPool.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <sstream>

namespace ingot {
namespace {

/// Deterministic data: floats in [-1, 1), small non-negative integers, alternating bools.
Evaluated sample(const TensorType &type, uint64_t seed) {
  std::shared_ptr<Buffer> buffer = Buffer::allocate(type.bytes());
  uint64_t state = seed * 0x9E3779B97F4A7C15ull + 1;
  visit_dtype(type.dtype, [&]<class T>() {
    for (int64_t i = 0; i < type.shape.num_elements(); ++i) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      uint64_t bits = state >> 33;
      if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>)
        buffer->as<T>()[i] = T(double(bits) / double(1ull << 30) - 1.0);
      else if constexpr (std::is_integral_v<T>)
        buffer->as<T>()[i] = T(std::is_same_v<T, bool> ? bits & 1 : bits % 3);
      else
        buffer->as<T>()[i] = T(float(bits % 3));
    }
  });
  return {type, buffer};
}

/// Distance beyond the tolerance of the dtype, as text; empty when the two agree.
std::string difference(const Evaluated &got, const Evaluated &want) {
  std::ostringstream text;
  if (!(got.type == want.type)) {
    text << "type " << got.type.str() << " instead of " << want.type.str();
    return text.str();
  }
  visit_dtype(want.type.dtype, [&]<class T>() {
    constexpr bool floating = std::is_same_v<T, float> || std::is_same_v<T, double>;
    const T *a = got.data->as<T>(), *b = want.data->as<T>();
    const int64_t n = want.type.shape.num_elements();
    double scale = 0; // errors of sums are relative to the largest term, for which the largest result stands
    if constexpr (floating)
      for (int64_t i = 0; i < n; ++i)
        if (std::isfinite(b[i]))
          scale = std::max(scale, std::abs(double(b[i])));
    for (int64_t i = 0; i < n && text.str().empty(); ++i) {
      bool same = std::memcmp(a + i, b + i, sizeof(T)) == 0;
      if constexpr (floating) {
        const double tolerance = sizeof(T) == 4 ? 2e-5 : 1e-12;
        same = same || (std::isnan(a[i]) && std::isnan(b[i])) ||
               std::abs(double(a[i]) - double(b[i])) <= tolerance * (scale + std::abs(double(b[i])));
      }
      if (!same)
        text << "element " << i << " is " << double(a[i]) << " instead of " << double(b[i]);
    }
  });
  return text.str();
}

std::string compare(const std::vector<Evaluated> &got, const std::vector<Evaluated> &want) {
  if (got.size() != want.size())
    return std::to_string(got.size()) + " outputs instead of " + std::to_string(want.size());
  for (size_t i = 0; i < want.size(); ++i)
    if (std::string text = difference(got[i], want[i]); !text.empty())
      return "output " + std::to_string(i) + ": " + text;
  return {};
}

std::string describe(const Evaluation &evaluation) {
  SourceLocation site = sourceLocation(evaluation.failed->getLoc());
  return evaluation.failed->getName().getStringRef().str() + " fails: index " + std::to_string(evaluation.fault.index) +
         " is outside an axis of size " + std::to_string(evaluation.fault.bound) +
         (site.known() ? " (" + site.str() + ")" : "");
}

} // namespace

std::string JitCompiler::check(const Trace &trace, const CompileOptions &options) {
  PipelineOptions pipeline = pipelineOptions(options, trace);
  pipeline.verify = true;
  std::vector<Evaluated> inputs, want;
  bool faults = false;
  for (const TraceInput &input : trace.inputs())
    inputs.push_back(sample(trace.values()[input.value], inputs.size() + 1));

  ContextPool::Lease context = contexts.acquire();
  mlir::OwningOpRef<mlir::ModuleOp> module = importModule(trace, *context);
  for (Phase phase : {Phase::Differentiated, Phase::Simplified, Phase::Partitioned, Phase::Fused, Phase::Planned}) {
    runPhases(*module, pipeline, Phase(int(phase) - 1), phase);
    Diagnostics diagnostics(*context);
    mlir::FailureOr<Evaluation> evaluation = interpret(*module, inputs);
    if (mlir::failed(evaluation))
      diagnostics.raise("the program cannot be evaluated");
    const bool fails = evaluation->failed != nullptr;
    if (phase == Phase::Differentiated) {
      faults = fails;
      want = evaluation->outputs;
      continue;
    }
    std::string where = std::string("after phase ") + phase_name(phase) + ": ";
    if (fails != faults)
      return where + (fails ? describe(*evaluation) : "an index error is lost");
    if (!fails)
      if (std::string text = compare(evaluation->outputs, want); !text.empty())
        return where + text;
  }

  CompiledProgram program = compile(trace, options);
  if (!program.code)
    return {};
  std::vector<const void *> in;
  std::vector<void *> out;
  std::vector<Evaluated> results;
  for (const Evaluated &input : inputs)
    in.push_back(input.data->data());
  for (const TensorSpec &spec : program.info.outputs) {
    std::shared_ptr<Buffer> buffer = Buffer::allocate(spec.type().bytes());
    out.push_back(buffer->data());
    results.push_back({spec.type(), buffer});
  }
  std::shared_ptr<Buffer> workspace = Buffer::allocate(program.info.memory.workspace_bytes);
  ingot_context call = make_context(program.info.max_slots);
  NativeCalls natives(trace, program.info.native_ops);
  call.native_ops = natives.table();
  auto run = reinterpret_cast<int32_t (*)(const ingot_context *, const void *const *, void *const *, void *)>(
      program.code->entry());
  const int32_t code = run(&call, in.data(), out.data(), workspace->data());
  if ((code != 0) != faults)
    return std::string("compiled code ") + (code ? "fails" : "does not fail") + " where the reference does " +
           (code ? "not" : "");
  return code ? std::string() : [&] {
    std::string text = compare(results, want);
    return text.empty() ? text : "compiled code: " + text;
  }();
}

} // namespace ingot
