// Capture with the scope in hand: a numbered capture device, a scope, and the graph it is completed with.
#pragma once

#include "ingot/capture/Graph.h"

#include <memory>
#include <vector>

namespace ingot {

class CaptureScope;

/// What a scope's function returns: proof that it completed its own scope.
class CaptureCompletion {
  friend class CaptureScope;
  friend class Device;
  std::shared_ptr<Recorder> recorder;
  std::vector<TensorId> inputs, outputs;
  CaptureCompletion(std::shared_ptr<Recorder> recorder, std::vector<TensorId> inputs, std::vector<TensorId> outputs)
      : recorder(std::move(recorder)), inputs(std::move(inputs)), outputs(std::move(outputs)) {}
};

/// Handed to the scope's function; only it can finish the session.
class CaptureScope {
public:
  /// Closes the session with the graph's inputs and outputs, in this order. Tensors that the scope was given and that
  /// are not declared as inputs become constants of the graph. Throws CaptureError when it is complete already.
  CaptureCompletion complete(std::vector<TensorId> inputs, std::vector<TensorId> outputs,
                             Location at = Location::current());

private:
  friend class Device;
  explicit CaptureScope(std::shared_ptr<Recorder> recorder) : recorder(std::move(recorder)) {}
  std::shared_ptr<Recorder> recorder;
};

} // namespace ingot
