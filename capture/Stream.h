// The lazy device's recorder of one thread. It records segment after segment; whoever reads a value first runs the
// segment that the value is in.
#pragma once

#include "ingot/capture/Recorder.h"

namespace ingot {

/// A segment that is to be run: what was recorded, and the results that somebody still holds.
struct Segment {
  Recording recording;
  std::vector<StateRef> alive;
  std::vector<ValueId> outputs; // of `alive`
};

/// Streams are never freed, because values that are not settled refer to them: that of a thread that ended is given to
/// another thread, once nobody holds what it left pending.
class Stream final : public Recorder {
public:
  Stream() : Recorder(Kind::Segment, 0, Device::cpu()) {}
  /// The calling thread's.
  static Stream &current();

  // With the mutex held:
  /// Opens a segment where none is open, and gives its number.
  std::uint64_t begin();
  /// Of the open segment.
  void add_result(TensorState &state, ValueId value);

  // Without it:
  /// Closes the segment and gives it up, if it is the open one; what is recorded later is another segment's.
  std::optional<Segment> take(std::uint64_t number);
  /// Memory for segments to come.
  void give_back(Recording recording);
  /// The last handle of a result goes.
  void drop(const TensorState &state);
  /// The thread ends.
  void abandon();

private:
  std::vector<TensorState *> results; // by value; null for what nobody holds
  std::size_t held = 0;               // of the results
  bool abandoned = false;             // the thread ended, and some results are still held
  Recording spare;

  Recording close();
};

/// Runs everything that the stream's segment of this number still owes to handles. Another thread may be doing that:
/// its values may be unsettled after it.
void run_segment(Stream &stream, std::uint64_t number, Location at);

} // namespace ingot
