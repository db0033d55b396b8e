// Where tensors live: the lazy compiled Cpu, the plain reference evaluator, or a capture device that only records.
#pragma once

#include "ingot/runtime/Error.h"

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

namespace ingot {

class CaptureScope;
class CaptureCompletion;
class Graph;
class Recorder;

enum class Backend : std::uint8_t { Cpu, Reference, Capture };
const char *backend_name(Backend backend);

/// What an autodiff device keeps for the backward pass; a wish to the compiler that changes no number.
enum class Checkpointing : std::uint8_t { None, Balanced };
const char *checkpointing_name(Checkpointing strategy);

/// The lazy device since the process started.
struct LazyStats {
  std::uint64_t hits = 0;                 ///< runs of a program that was compiled before
  std::uint64_t misses = 0;               ///< runs that needed a new program
  std::uint64_t compiles = 0;             ///< programs compiled or read from the disk cache
  double compile_seconds = 0;             ///< time they took, added up
  std::uint64_t copies = 0;               ///< donated inputs that had to be copied
  std::uint64_t evictions = 0;            ///< programs unloaded because there were too many
  std::size_t entries = 0;                ///< programs kept now
  std::size_t limit = 0;                  ///< that many are kept at most
  std::uint64_t workspace_bytes = 0;      ///< of the program that this thread ran last
  std::uint64_t peak_workspace_bytes = 0; ///< the most that one program had
};

class Device {
public:
  Device() = default; ///< cpu()
  /// Eager to write, compiled to run: operations are recorded and run together when a value is read.
  static Device cpu();
  /// Every operation at once on the reference kernels: slow, obvious, the judge of numbers.
  static Device reference();
  /// A fresh device that records and never runs. Throws CaptureError after the 65,536th.
  static Device capture(std::source_location at = std::source_location::current());

  Backend backend() const { return backend_; }
  bool is_capture() const { return backend_ == Backend::Capture; }

  /// The same device, whose tensors take part in differentiation. Throws GradientError when it already is one.
  Device autodiff(Checkpointing strategy = Checkpointing::None,
                  std::source_location at = std::source_location::current()) const;
  bool is_autodiff() const { return strategy_.has_value(); }
  /// Nothing for a plain device.
  std::optional<Checkpointing> checkpointing() const { return strategy_; }
  /// The same; throws GradientError for a plain device.
  Checkpointing gradient_checkpointing_strategy(std::source_location at = std::source_location::current()) const;
  /// The same autodiff device with another strategy. Throws GradientError for a plain device.
  Device gradient_checkpointing(Checkpointing strategy = Checkpointing::Balanced,
                                std::source_location at = std::source_location::current()) const;
  /// The device below an autodiff one; the device itself when it is plain.
  Device inner() const;

  /// Records what `f` does on this capture device and returns the graph that `f` completes its scope with. Throws
  /// CaptureError; an exception of `f` passes unchanged and leaves the device usable.
  Graph capture_scope(const std::function<CaptureCompletion(CaptureScope)> &f,
                      std::source_location at = std::source_location::current()) const;

  /// Statistics of the lazy device.
  LazyStats stats() const;
  /// How many programs the lazy device keeps, one for each sequence of operations, shapes and dtypes; beyond it the one
  /// not used for the longest time is unloaded, and compiled or read from the disk cache again when it is needed. 512
  /// unless set; 0 keeps none. Returns the limit before.
  std::size_t set_program_limit(std::size_t most) const;

  std::string str() const; ///< `Cpu`, `Reference`, `Capture(3)`
  /// An autodiff device equals the device it wraps, whatever the strategy.
  friend bool operator==(const Device &a, const Device &b) {
    return a.backend_ == b.backend_ && a.number_ == b.number_ && (!a.is_capture() || a.recorder_ == b.recorder_);
  }

  // Used inside the library.
  Device(Backend backend, std::int32_t number, std::shared_ptr<Recorder> recorder)
      : backend_(backend), number_(number), recorder_(std::move(recorder)) {}
  std::int32_t number() const { return number_; }
  const std::shared_ptr<Recorder> &recorder() const { return recorder_; }

private:
  Backend backend_ = Backend::Cpu;
  std::int32_t number_ = -1;              // of a numbered capture device
  std::optional<Checkpointing> strategy_; // of an autodiff device
  std::shared_ptr<Recorder> recorder_;    // of an anonymous one: functional capture
};
std::ostream &operator<<(std::ostream &out, const Device &device);

} // namespace ingot
