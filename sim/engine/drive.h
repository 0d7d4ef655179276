#pragma once

#include <cstdint>

#include "sim/engine/calendar.h"
#include "sim/engine/transfers.h"

namespace aftershock::sim::engine {

/// A world that the loop can play: a calendar, the transfers that may have to share, and the rules
/// for what an entry does.
class Playable {
 public:
  virtual ~Playable() = default;
  /// The entries that are left.
  virtual Calendar& calendar() = 0;
  virtual Transfers& transfers() = 0;
  /// The time of the entry that was played last.
  [[nodiscard]] virtual std::int64_t now_us() const = 0;
  /// Makes an entry happen that was taken from the calendar; `now_us` becomes its time.
  virtual void play(const Entry& entry) = 0;
  /// Nothing more is to be played; the calendar may still hold entries.
  [[nodiscard]] virtual bool over() const = 0;

 protected:
  Playable() = default;
  Playable(const Playable&) = default;
  Playable& operator=(const Playable&) = default;
};

/// The keeper of the clock.
enum class Driver : std::uint8_t {
  kAutomatic,  ///< bare until the first transfers that contend, then inside SimGrid
  kSimGrid,    ///< inside SimGrid from the start, every transfer
};

/// Plays entries in order until the world is over or its calendar is empty. At most one call a
/// process may come to need SimGrid: it has one engine a process (simgrid.md).
void drive(Playable& world, Driver driver);

}  // namespace aftershock::sim::engine
