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
  /// The gradient of a leaf; nothing where none was kept.
  std::optional<Tensor> of(const Tensor &leaf) const;
  /// The same, and forgets it here, so that the caller's handle can be the last.
  std::optional<Tensor> take(const Tensor &leaf);
  std::size_t size() const { return list.size(); }

private:
  friend class Tensor;
  std::map<std::shared_ptr<const TapeNode>, Tensor> list;
};

} // namespace ingot
