// What backward() gives.
#pragma once

#include "ingot/capture/Tensor.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>

namespace ingot {

struct TapeNode;

/// Gradients of the leaves that require one, as plain tensors. Independent of the tape.
class Gradients {
public:
  /// The gradient of a leaf; nothing where none was kept. Throws GradientError for a leaf of a capture device.
  std::optional<Tensor> of(const Tensor &leaf, Location at = Location::current()) const;
  /// The same, and forgets it here, so that the caller's handle can be the last.
  std::optional<Tensor> take(const Tensor &leaf, Location at = Location::current());
  /// From now on the gradient of the leaf is this plain tensor of its shape and dtype, instead of what was kept. Throws
  /// GradientError for a plain leaf or a gradient that is not plain, DispatchError for one of another backend.
  void replace(const Tensor &leaf, Tensor gradient, Location at = Location::current());
  std::size_t size() const { return list.size(); }

private:
  friend class Tensor;
  std::map<std::shared_ptr<const TapeNode>, Tensor> list;
};

} // namespace ingot
