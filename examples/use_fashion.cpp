// Runs the ahead-of-time training step and inference that train_fashion wrote: no LLVM, no Ingot library, no
// allocation in the calls. Compares every output's bits with those of the just-in-time program.
#include "fashion_predict.h"
#include "fashion_step.h"

#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

static std::vector<char> slurp(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

using Function = int32_t (*)(const ingot_context *, const void *const *, void *const *, void *);

static bool same_bits(const std::string &name, Function function, int inputs, int outputs,
                      std::size_t workspace_bytes) {
  std::vector<std::vector<char>> in, want, out;
  std::vector<const void *> in_pointers;
  std::vector<void *> out_pointers;
  for (int i = 0; i < inputs; ++i)
    in.push_back(slurp(name + ".in" + std::to_string(i)));
  for (int i = 0; i < outputs; ++i) {
    want.push_back(slurp(name + ".out" + std::to_string(i)));
    out.emplace_back(want.back().size());
  }
  for (auto &bytes : in)
    in_pointers.push_back(bytes.data());
  for (auto &bytes : out)
    out_pointers.push_back(bytes.data());
  void *workspace = std::aligned_alloc(64, (workspace_bytes + 64) / 64 * 64);
  const auto before = mallinfo2();
  const int32_t code = function(nullptr, in_pointers.data(), out_pointers.data(), workspace);
  const auto after = mallinfo2();
  std::free(workspace);
  bool same = code == 0 && out == want;
  bool quiet = before.uordblks == after.uordblks && before.hblks == after.hblks;
  std::printf("%-16s %2d outputs %s the JIT's, %s\n", name.c_str(), outputs, same ? "bit-equal to" : "DIFFER from",
              quiet ? "nothing allocated" : "ALLOCATED");
  return same && quiet;
}

int main() {
  bool ok = same_bits("fashion_step", fashion_step, fashion_step_NUM_INPUTS, fashion_step_NUM_OUTPUTS,
                      fashion_step_WORKSPACE_BYTES);
  ok &= same_bits("fashion_predict", fashion_predict, fashion_predict_NUM_INPUTS, fashion_predict_NUM_OUTPUTS,
                  fashion_predict_WORKSPACE_BYTES);
  return ok ? 0 : 1;
}
