#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "gui/trace/trace.h"

namespace aftershock::gui {

/// Reads a recording into a trace, in two threads: one of its own reads and checks lines and finds
/// out what they are about, the caller's keeps what they say. Every check of the recording's reader
/// is made.
///  The caller waits and takes in turn, so that a lock is needed only while it takes, if others
/// look at the trace meanwhile. The parts of it that they hold (spans, texts) are good until the
/// next `take`.
class Loader {
 public:
  /// Whether there is more of a file that grows.
  enum class Growth : std::uint8_t {
    kNothing,   ///< nothing new so far, or nothing can come any more
    kMore,      ///< go on with `wait`
    kReplaced,  ///< another file is there, or the file became shorter: load anew
  };

  /// Begins to read. `trace` is empty, and stays where it is as long as the loader lives. With
  /// `grows` the last line is taken when its newline is there.
  Loader(Trace& trace, std::string path, bool grows = false);
  /// The same from bytes at hand; `name` stands for the path in messages.
  Loader(Trace& trace, std::unique_ptr<reports::RawBytes> bytes, std::string name);
  /// Stops reading.
  ~Loader();
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  /// Waits for something to take; does not touch the trace. False when all has been taken:
  /// `trace.end` then says how the recording ends.
  bool wait();
  /// Puts what was read into the trace: some milliseconds' worth. With the last of it the trace is
  /// sealed.
  void take();
  /// Brings lookups and effects up to date, for a look at the trace while it is being read.
  void seal();
  /// After all has been taken of a recording that grows: looks for more.
  Growth go_on();
  /// How much of the file has been read, in bytes, and how long it was when that began; 0 where
  /// nobody knows. From any thread.
  [[nodiscard]] std::int64_t read_bytes() const;
  [[nodiscard]] std::int64_t file_bytes() const;

 private:
  class Work;

  std::unique_ptr<Work> work_;
};

/// How a whole recording is loaded at one go.
struct LoadOptions {
  /// Called now and then with bytes read and the file's size; false: stop.
  std::function<bool(std::int64_t, std::int64_t)> progress;
};

/// Loads all that is there. `trace.end` says what it was; after a stop, kStopped.
void load(Trace& trace, const std::string& path, const LoadOptions& options = {});

}  // namespace aftershock::gui
