// Whoever records operations: the lazy device's segments, functional captures, and capture scopes. One trace each.
#pragma once

#include "ingot/capture/Tensor.h"
#include "ingot/capture/Trace.h"
#include "ingot/runtime/Program.h"

#include <atomic>
#include <map>
#include <mutex>
#include <unordered_map>

namespace ingot {

class Recorder;

/// What handles of one tensor share.
struct TensorState {
  std::uint64_t id;
  TensorType type;
  Device device;
  /// Set when the value is known. Written once, under the recorder's lock where there is one.
  std::shared_ptr<const Buffer> data;
  std::mutex mutex; // of data
  /// Where the value is recorded; null for one that never was.
  std::shared_ptr<Recorder> recorder;
  ValueId value = 0;
  /// Host data of a tensor that a capture scope was given.
  std::shared_ptr<const Buffer> initial;
  /// One element that stands for all, of a tensor that nothing has read from memory yet.
  std::shared_ptr<const Buffer> splat;

  TensorState(TensorType type, Device device);
  ~TensorState();
};

class Recorder : public std::enable_shared_from_this<Recorder> {
public:
  enum class Kind { Segment, Function, Scope };
  Recorder(Kind kind, int depth, Device device) : kind(kind), depth(depth), device(std::move(device)) {}

  const Kind kind;
  const int depth;     // of nested functional captures
  const Device device; // of the tensors it makes; a function's is itself
  std::recursive_mutex mutex;
  Trace trace;
  bool closed = false;
  std::shared_ptr<Error> failure; // of a segment whose program failed

  // Concrete tensors that the trace reads, by their state: inputs of a segment, constants of a function.
  std::unordered_map<const TensorState *, ValueId> known;
  std::vector<std::shared_ptr<TensorState>> inputs; // of a segment: one per trace input; of a function: lifted tensors of enclosing captures
  std::vector<std::shared_ptr<TensorState>> constants; // of a function: keeps the keys of `known` alive
  // Segments: results whose handles may still be alive.
  std::vector<std::weak_ptr<TensorState>> results;

  // Scopes: what the boundary check needs.
  struct Info {
    ValueId value;
    bool initialized = false; // has data
    bool produced = false;    // by an op other than the initialiser
    bool consumed = false;    // read by an op as its last handle
    bool referenced = false;
  };
  std::map<std::uint64_t, Info> tensors; // by id
  std::map<std::uint64_t, std::shared_ptr<TensorState>> initializers;
  std::vector<std::uint64_t> readOrder; // ids in order of first use by an op

  /// The value of an operand in this trace, lifting it when it comes from outside.
  ValueId lift(const std::shared_ptr<TensorState> &state);
};

/// The innermost functional capture of this thread; null outside.
std::shared_ptr<Recorder> current_function();
/// Makes `recorder` the innermost functional capture while it lives.
class FunctionGuard {
public:
  explicit FunctionGuard(std::shared_ptr<Recorder> recorder);
  ~FunctionGuard();

private:
  std::shared_ptr<Recorder> before;
};

/// The user's scope path on this thread.
const std::string &current_scope();
/// Records what composites do under their name, and reports their errors by it.
class Composite {
public:
  explicit Composite(const char *name);
  ~Composite();

private:
  NameScope scope;
  const char *before;
};

/// Records or runs one op. Operands are given up. `name` is what errors call it when no composite is open.
std::vector<Tensor> apply_op(OpKind kind, std::vector<Tensor> operands, std::vector<AttrValue> attributes, Location at,
                             const char *name = nullptr, std::vector<std::shared_ptr<const Trace>> regions = {});
Tensor apply_one(OpKind kind, std::vector<Tensor> operands, std::vector<AttrValue> attributes, Location at,
                 const char *name = nullptr);
/// A tensor of host data on a device; a splat holds one element.
Tensor make_tensor(TensorType type, std::shared_ptr<const Buffer> data, bool splat, const Device &device, Location at);
/// The name errors use for an op recorded now.
std::string_view error_name(std::string_view op);

/// Computes the tensor's value if it is lazy. Throws CaptureError for a captured tensor without a value.
std::shared_ptr<const Buffer> realize(const std::shared_ptr<TensorState> &state, Location at);

/// The lazy device's open segment of this thread.
std::shared_ptr<Recorder> current_segment();
/// Runs everything a segment still owes to live handles.
void flush_segment(Recorder &segment, Location at);
LazyStats lazy_stats();
void count_copy();

/// A scope's copy of another capture's initialised tensor, under a new id.
Tensor adopt_initializer(Recorder &target, const std::shared_ptr<TensorState> &state, const Device &device, Location at);
/// The open scope of a numbered capture device; throws CaptureError when there is none.
std::shared_ptr<Recorder> scope_of(const Device &device, Location at);

namespace detail {

/// A function captured inside another capture, or on concrete tensors: its trace, whose last inputs are tensors it
/// reads from outside.
struct CapturedFunction {
  std::shared_ptr<const Trace> trace;
  std::vector<Tensor> lifted;
};
CapturedFunction capture_function(const std::function<std::vector<Tensor>(std::vector<Tensor>)> &f, const std::vector<TensorSpec> &specs);

} // namespace detail
} // namespace ingot
