// A compiled program with memory of its own: what a row times through Executable::run or the checked call.
#pragma once

#include "Contender.h"
#include "Row.h"

#include <ingot/ingot.h>

#include <memory>
#include <vector>

namespace bench {

/// Aligned memory with small reproducible numbers in f32, zeros in other types.
class Memory {
public:
  explicit Memory(const ingot::TensorSpec &spec, unsigned seed = 0);
  void *data() const { return bytes.get(); }
  float *floats() const { return static_cast<float *>(data()); }

private:
  std::shared_ptr<void> bytes;
};

/// Captures and compiles `f`, and calls it raw on memory that stays the same: no allocation in the call.
template <class F> Contender ingot_contender(F f, const std::vector<ingot::TensorSpec> &specs, const Options &options);

/// For the target and threads of the run, in this process alone.
ingot::CompileOptions compile_options(const Options &options);

Contender raw_calls(const ingot::Graph &graph, const Options &options);

template <class F> Contender ingot_contender(F f, const std::vector<ingot::TensorSpec> &specs, const Options &options) {
  return raw_calls(ingot::capture(f, specs), options);
}

/// f32 with the shape.
inline ingot::TensorSpec f32(ingot::Shape shape) { return ingot::spec(ingot::DType::F32, std::move(shape)); }

} // namespace bench
