// Whoever records operations: the lazy device's segments, functional captures, and capture scopes. One trace each.
#pragma once

#include "ingot/capture/Pool.h"
#include "ingot/capture/Repetition.h"
#include "ingot/capture/Tensor.h"
#include "ingot/capture/Trace.h"
#include "ingot/runtime/Program.h"
#include "ingot/runtime/SmallVector.h"

#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <unordered_map>

namespace ingot {

class Recorder;
struct TapeNode;

/// What handles of one tensor share.
struct TensorState {
  const std::uint64_t id;
  const TensorType type;
  const Device device;
  /// Where the value is recorded; null for one that never was. Set before the handle is given out.
  std::shared_ptr<Recorder> recorder;
  ValueId value = 0;
  /// Host data of a tensor that a capture scope was given.
  std::shared_ptr<const Buffer> initial;
  /// One element that stands for all, of a tensor that nothing has read from memory yet.
  std::shared_ptr<const Buffer> splat;
  bool number = false; // the splat is a number of the program's text
  /// Of a tensor on an autodiff device: the plain tensor below, and for floats their place in what backward
  /// differentiates.
  Tensor inner;
  std::shared_ptr<TapeNode> node;

  std::mutex mutex; // of the two below, which are written once
  std::shared_ptr<const Buffer> data;
  std::exception_ptr failure; // why there will be no data

  TensorState(const TensorType &type, const Device &device);
  ~TensorState();
  TensorState(const TensorState &) = delete;
};

/// A state of its own memory pool.
inline std::shared_ptr<TensorState> make_state(const TensorType &type, const Device &device) {
  return std::allocate_shared<TensorState>(PoolAllocator<TensorState>(), type, device);
}

class Recorder : public std::enable_shared_from_this<Recorder> {
public:
  /// A Function makes constants of concrete tensors, a Subfunction (of a transformed callable) inputs, as of everything
  /// else it reads from outside.
  enum class Kind { Segment, Function, Subfunction, Scope };
  Recorder(Kind kind, int depth, Device device) : kind(kind), depth(depth), device(std::move(device)) {}

  const Kind kind;
  const int depth;     // of nested functional captures
  const Device device; // of the tensors it makes; a function's is itself
  std::recursive_mutex mutex;
  Trace trace; // empty while it repeats another
  std::optional<Repetition> repetition;
  std::atomic<bool> closed = false; // written under the mutex

  bool is_function() const { return kind == Kind::Function || kind == Kind::Subfunction; }

  // Tensors from outside that the trace reads, by their state.
  std::unordered_map<const TensorState *, ValueId> known;
  std::vector<std::shared_ptr<TensorState>> inputs;    // one per trace input that was lifted
  std::vector<std::shared_ptr<TensorState>> constants; // keeps the keys of `known` alive
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
  std::vector<std::uint64_t> readOrder;  // ids in order of first use by an op

  // As Trace has them.
  ValueId add_input(const TensorType &type);
  ValueId append(OpKind kind, std::span<const ValueId> operands, std::span<const AttrValue> attributes,
                 const CallSite &site, std::span<const std::shared_ptr<const Trace>> regions,
                 std::span<const TensorType> results, const std::shared_ptr<const std::string> &scope);
  ValueId append_constant(Literal value, const CallSite &site, const std::shared_ptr<const std::string> &scope);
  std::size_t num_records() const { return repetition ? repetition->num_records() : trace.records().size(); }
  /// The trace with its outputs: the recorder's own one, or the one that it repeats from its beginning to its end.
  std::shared_ptr<const Trace> finish(std::vector<ValueId> outputs);

  /// The value of an operand in this trace, lifting it when it comes from outside.
  ValueId lift(const std::shared_ptr<TensorState> &state, const CallSite &site);
  /// The number of a name scope in the trace; a null one is none.
  std::uint32_t scope_number(const std::shared_ptr<const std::string> &scope);
  /// Frees what only recording needs and gives back the trace, emptied; of a closed segment.
  Trace forget();

private:
  void stop_repeating();

  std::shared_ptr<const std::string> lastScope; // of scope_number
  std::uint32_t lastScopeNumber = 0;
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

/// The calling thread's name scope; null for none.
const std::shared_ptr<const std::string> &current_scope();
/// Records what composites do under their name, and reports their errors by the name of the outermost one.
class Composite {
public:
  explicit Composite(const char *name);
  ~Composite();

private:
  NameScope scope;
  const char *before;
};

/// A few tensors, without memory of their own.
using TensorList = SmallVector<Tensor, 3>;

/// Operands without the copies that an initializer list makes: a copy would be one more handle.
template <class... T> TensorList operand_list(T... operands) {
  TensorList list;
  (list.push_back(std::move(operands)), ...);
  return list;
}
inline TensorList operand_list(std::vector<Tensor> operands) {
  return TensorList(std::make_move_iterator(operands.begin()), std::make_move_iterator(operands.end()));
}

/// Attributes in the order of the op's row; given in braces they are moved, which an initializer list would not do.
struct Attributes {
  Attributes() = default;
  Attributes(std::vector<AttrValue> list) : list(std::move(list)) {}
  template <class... T>
    requires(sizeof...(T) > 0 && (std::constructible_from<AttrValue, T> && ...))
  Attributes(T &&...values) {
    list.reserve(sizeof...(T));
    (list.emplace_back(std::forward<T>(values)), ...);
  }
  std::vector<AttrValue> list;
};

/// Records or runs one op. Operands are given up. `name` is what errors call it when no composite is open.
TensorList apply_op(OpKind kind, TensorList &&operands, Attributes attributes, Location at, const char *name = nullptr,
                    std::vector<std::shared_ptr<const Trace>> regions = {});
Tensor apply_one(OpKind kind, TensorList &&operands, Attributes attributes, Location at, const char *name = nullptr);
/// What host data holds: every element, or one that stands for all of them. A Number is a splat that is a part of the
/// program, and not data that a program is given.
enum class Content : std::uint8_t { Elements, Splat, Number };
/// A tensor of host data on a device.
Tensor make_tensor(TensorType type, std::shared_ptr<const Buffer> data, Content content, const Device &device,
                   Location at);
/// The name errors use for an op recorded now.
std::string_view error_name(std::string_view op);

/// Computes the tensor's value if it is lazy. Throws CaptureError for a captured tensor without a value.
std::shared_ptr<const Buffer> realize(const std::shared_ptr<TensorState> &state, Location at);

/// The lazy device's open segment of this thread.
const std::shared_ptr<Recorder> &current_segment();
/// Runs everything a segment still owes to live handles.
void flush_segment(Recorder &segment, Location at);

/// A scope's copy of another capture's initialised tensor, under a new id.
Tensor adopt_initializer(Recorder &target, const std::shared_ptr<TensorState> &state, const Device &device,
                         Location at);
/// The open scope of a numbered capture device; throws CaptureError when there is none.
std::shared_ptr<Recorder> scope_of(const Device &device, Location at);

namespace detail {

/// A function captured inside another capture, or on concrete tensors: its trace, whose last inputs are tensors it
/// reads from outside.
struct CapturedFunction {
  std::shared_ptr<const Trace> trace;
  std::vector<Tensor> lifted;
};
CapturedFunction capture_function(const std::function<std::vector<Tensor>(std::vector<Tensor>)> &f,
                                  const std::vector<TensorSpec> &specs);

} // namespace detail
} // namespace ingot
