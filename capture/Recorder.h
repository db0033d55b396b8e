// Whoever records operations: the lazy device's streams, functional captures, and capture scopes. One trace each.
#pragma once

#include "ingot/capture/Recording.h"
#include "ingot/runtime/Program.h"
#include "ingot/runtime/SmallVector.h"
#include "ingot/runtime/SpinLock.h"

#include <map>
#include <mutex>

namespace ingot {

class Recorder : public Recording, public std::enable_shared_from_this<Recorder> {
public:
  /// A Function makes constants of concrete tensors, a Subfunction (of a transformed callable) inputs, as of everything
  /// else it reads from outside.
  enum class Kind { Segment, Function, Subfunction, Scope };
  Recorder(Kind kind, int depth, Device device) : kind(kind), depth(depth), device(std::move(device)) {}

  const Kind kind;
  const int depth;     // of nested functional captures
  const Device device; // of the tensors it makes; a function's is itself
  SpinLock mutex;      // of what is recorded; nothing is run and no handle of a result dropped while it is held
  bool closed = false;

  bool is_function() const { return kind == Kind::Function || kind == Kind::Subfunction; }

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

  /// Whether the state is a value of this trace.
  bool holds(const TensorState &state) const {
    return kind == Kind::Segment ? state.segment == segment : state.recorder.get() == this;
  }
  /// The value of an operand in this trace, lifting it when it comes from outside. A function reads what it lifts: it
  /// is to be realized before.
  ValueId lift(const StateRef &state, const CallSite &site);
  bool makes_constant(const TensorState &state) const;

protected:
  std::uint64_t segment = 0; // of a Segment: the number of the one that is open; 0 for none
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
  std::string_view before;
};
/// Records under the scope path that an op of a graph has, with errors by the name of the function it belongs to.
class ReplayedScope {
public:
  explicit ReplayedScope(const std::string &path);
  ~ReplayedScope();

private:
  NameScope scope;
  std::string_view before;
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
/// apply_op for what an autodiff device records below: nothing of it is autodiff's.
TensorList apply_below(OpKind kind, TensorList &&operands, const std::vector<AttrValue> &attributes, Location at,
                       const char *name, const std::vector<std::shared_ptr<const Trace>> &regions);
/// What host data holds: every element, or one that stands for all of them. A Number is a splat that is a part of the
/// program, and not data that a program is given.
enum class Content : std::uint8_t { Elements, Splat, Number };
/// A tensor of host data on a device.
Tensor make_tensor(TensorType type, std::shared_ptr<const Buffer> data, Content content, const Device &device,
                   Location at);
/// The name errors use for an op recorded now.
std::string_view error_name(std::string_view op);

/// The text of an error for an index outside its axis.
std::string index_fault_text(std::string_view name, std::int64_t index, std::int64_t position, std::int64_t size);

/// Computes the tensor's value if it is lazy. Throws CaptureError for a captured tensor without a value.
std::shared_ptr<const Buffer> realize(const StateRef &state, Location at);

/// A scope's copy of another capture's initialised tensor, under a new id.
Tensor adopt_initializer(Recorder &target, const StateRef &state, const Device &device, Location at);
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
