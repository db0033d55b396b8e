// What handles of one tensor share.
#pragma once

#include "ingot/capture/Tensor.h"
#include "ingot/runtime/Buffer.h"

#include <atomic>
#include <exception>
#include <memory>

namespace ingot {

class Recorder;
class Stream;
struct TapeNode;

struct TensorState : Counted {
private:
  std::atomic<std::uint32_t> settled = 0; // as wide as what the system can wait for

public: // what recording asks comes first: it is rarely in the caches
  /// Where the value is recorded: in a segment, by its number, or by a capture. Neither for one that never was. Set
  /// before the handle is given out.
  std::uint64_t segment = 0;
  Stream *stream = nullptr; // whose segment it is; may be asked while the value is not settled
  std::uint32_t value = 0;  // of the trace
  bool number = false;      // the splat is a number of the program's text
  const std::uint64_t id;
  const TensorType type;
  const Device device;
  /// One element that stands for all, of a tensor that nothing has read from memory yet.
  std::shared_ptr<const Buffer> splat;
  /// Of a settled one; one of them is null.
  std::shared_ptr<const Buffer> data;
  std::exception_ptr failure;
  /// Of a tensor on an autodiff device: the plain tensor below, and for floats their place in what backward
  /// differentiates.
  Tensor inner;
  std::shared_ptr<TapeNode> node;
  std::shared_ptr<Recorder> recorder;
  /// Host data of a tensor that a capture scope was given.
  std::shared_ptr<const Buffer> initial;

  TensorState(const TensorType &type, const Device &device);
  ~TensorState();
  TensorState(const TensorState &) = delete;

  /// Whether the value is known, or will never be.
  bool is_settled() const { return settled.load(std::memory_order_acquire); }
  void wait() const { settled.wait(0, std::memory_order_acquire); }
  /// Once, by whoever makes the value: the data, or why there is none.
  void settle(std::shared_ptr<const Buffer> value, std::exception_ptr error);
};

inline TensorState *StateRef::get() const { return static_cast<TensorState *>(counted); }
inline TensorState &StateRef::operator*() const { return *get(); }
inline TensorState *StateRef::operator->() const { return get(); }

/// A state with one handle.
StateRef make_state(const TensorType &type, const Device &device);

} // namespace ingot
