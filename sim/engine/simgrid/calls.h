#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace aftershock::sim::engine {

/// Servers whose speed is shared among what they work on: max-min fair, in proportion to weight,
/// each within its bound. Time passes in `sleep_for` and `wait_for_any` only.
class SharedServers {
 public:
  virtual ~SharedServers() = default;
  /// Bytes to be moved by a server, under a number of the caller's.
  struct Work {
    std::uint32_t id = 0;
    std::uint32_t server = 0;  ///< in the order of the capacities
    double bytes = 0;
    double weight = 1;
    double bound_bytes_per_s = 0;
  };

  /// Seconds since the servers began.
  [[nodiscard]] virtual double clock_s() const = 0;
  /// Lets time pass, more than none.
  virtual void sleep_for(double seconds) = 0;
  /// Begins the work now, beside what is under way.
  virtual void start(const Work& work) = 0;
  /// Ends it unfinished; unknown numbers are ignored.
  virtual void cancel(std::uint32_t id) = 0;
  /// Of work that is under way.
  [[nodiscard]] virtual double bytes_left(std::uint32_t id) const = 0;
  /// Waits until one of those under way has ended, and says which; none where `timeout_s` has
  /// passed before. Negative: waits for ever.
  virtual std::optional<std::uint32_t> wait_for_any(double timeout_s) = 0;

 protected:
  SharedServers() = default;
  SharedServers(const SharedServers&) = default;
  SharedServers& operator=(const SharedServers&) = default;
};

/// The caller's work with the servers.
class SharedServersUser {
 public:
  virtual ~SharedServersUser() = default;
  /// Returns when it is over; what is still under way is forgotten.
  virtual void use(SharedServers& servers) = 0;

 protected:
  SharedServersUser() = default;
  SharedServersUser(const SharedServersUser&) = default;
  SharedServersUser& operator=(const SharedServersUser&) = default;
};

/// The part of SimGrid that a run needs, as the module `aftershock_simgrid.so` offers it. Most runs
/// need none of it, and SimGrid takes longer to load than most of them take: the program does not
/// link it, and loads the module where transfers may have to share.
struct SimGridCalls {
  /// Of this struct; a module with another one is of another version of the program.
  int size_of_calls;
  /// Makes a server of each capacity, in bytes a second, and lets `user` work with them; returns
  /// when it does. Once a process.
  void (*with_servers)(std::span<const std::int64_t> capacities, SharedServersUser& user);
};

/// Of the module: SimGridCalls that live as long as it does.
using SimGridEntry = const SimGridCalls* (*)();

/// The name of the module's SimGridEntry.
inline constexpr const char* kSimGridEntryName = "aftershock_simgrid_calls";

}  // namespace aftershock::sim::engine
