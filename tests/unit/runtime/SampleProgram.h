// A program description with something in every field.
#pragma once

#include "ingot/runtime/Program.h"

namespace ingot {

inline ProgramInfo sample_program() {
  ProgramInfo info;
  info.entry = "answer";
  info.inputs = {spec(DType::F32, {2, 3}, "x"), spec(DType::I64, {kDynamic}, ""), spec(DType::Bool, {})};
  info.outputs = {spec(DType::BF16, {1, 2, 3, 4, 5, 6, 7, 8}, "y")};
  info.memory = {24, 80640, 12, 1 << 20, 64};
  info.shared_workspace_bytes = 1 << 19;
  info.slot_scratch_bytes = 1 << 18;
  info.max_slots = 2;
  info.num_dims = 1;
  info.uses_rng_key = true;
  info.donated = {0, -1, -1};
  info.native_ops = {5};
  info.kernels = {{"softmax_0", "row", 1e9, 2.5e6, 64, {1, 2, 3}}, {"copy", "loop", 0, 16, 1, {}}};
  info.errors = {{}, {ErrorCode::Index, "[take] index out of range", 4}};
  return info;
}

} // namespace ingot
