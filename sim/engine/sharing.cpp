#include "sim/engine/sharing.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>

#include "base/assert.h"
#include "sim/engine/module.h"
#include "sim/engine/simgrid/calls.h"

namespace aftershock::sim::engine {

namespace {

// SimGrid's clock counts seconds.
constexpr double kClockSecondUs = 1e6;
// How far a completion may lie above a whole microsecond and still belong to it. SimGrid is
// advanced this far beyond t before entries at t are played, so that what ends at t joins t.
constexpr double kSlackUs = 0.1;
// How far beyond t the clock is advanced: above the rounding of a clock that counts seconds in
// doubles, and small enough that a transfer begun there still ends within the slack.
constexpr double kAdvanceUs = 0.02;

/// A storage direction is a server, a transfer work of it.
class SharingLoop final : public SharedServersUser {
 public:
  explicit SharingLoop(Playable& world) : world_(world), nominal_(world.transfers().capacities()) {}

  void use(SharedServers& servers) override {
    Calendar& calendar = world_.calendar();
    while (!world_.over()) {
      carry_out_orders(servers, world_.now_us());
      if (!running_.empty() && take_completion(servers, calendar)) {
        continue;
      }
      if (calendar.empty()) {
        break;
      }
      world_.play(calendar.pop());
    }
    for (const Running& running : running_) {
      servers.cancel(running.id);
    }
  }

 private:
  struct Running {
    TransferId id;
    std::uint32_t resource;
    std::uint32_t weight;
    std::int64_t capacity;  ///< of its resource, and its bound, in bytes a second
    std::int64_t bound;
    double excess = 0;  ///< bytes that it moved beyond now, before somebody came or went at now
  };

  // A server keeps the speed that it was made with. Where its storage is slower now, all that is
  // done there is so much more work, and the shares are the same.
  [[nodiscard]] double stretch(std::uint32_t resource, std::int64_t capacity) const {
    return static_cast<double>(nominal_[resource]) / static_cast<double>(capacity);
  }

  void begin(SharedServers& servers, const TransferOrder& order, double bytes) const {
    const double stretched =
        stretch(order.resource, world_.transfers().capacities()[order.resource]);
    servers.start({.id = order.id,
                   .server = order.resource,
                   .bytes = std::max(0.0, bytes) * stretched,
                   .weight = static_cast<double>(order.weight),
                   .bound_bytes_per_s = static_cast<double>(order.bound_bytes_per_s) * stretched});
  }

  void carry_out_orders(SharedServers& servers, std::int64_t now_us) {
    Transfers& transfers = world_.transfers();
    for (const TransferOrder& order : transfers.orders()) {
      catch_up(servers, now_us);
      if (order.what == TransferOrder::What::kStart) {
        const std::int64_t capacity = transfers.capacities()[order.resource];
        note_excess(servers, order, std::int64_t{order.weight}, now_us);
        const double ahead =
            moved_already(servers, order, order.weight, capacity, order.bound_bytes_per_s, now_us);
        begin(servers, order, order.bytes - ahead);
        running_.push_back(
            {order.id, order.resource, order.weight, capacity, order.bound_bytes_per_s});
      } else if (order.what == TransferOrder::What::kCapacity) {
        change_capacity(servers, order, now_us);
      } else {
        note_excess(servers, order, -std::int64_t{weight_of(order.id)}, now_us);
        servers.cancel(order.id);
        std::erase_if(running_, [&](const Running& running) { return running.id == order.id; });
      }
    }
    transfers.clear_orders();
  }

  [[nodiscard]] std::uint32_t weight_of(TransferId id) const {
    const auto running = std::ranges::find(running_, id, &Running::id);
    return running == running_.end() ? 0 : running->weight;
  }

  // The others have shared with one less, or one more, since now. That is far less than what would
  // show; unless they are slowed down, which makes it more.
  void note_excess(const SharedServers& servers, const TransferOrder& order,
                   std::int64_t more_weight, std::int64_t now_us) {
    TransferOrder other{.resource = order.resource};
    for (Running& running : running_) {
      if (running.resource == order.resource && running.id != order.id) {
        other.weight = running.weight;
        running.excess +=
            moved_already(servers, other, 0, running.capacity, running.bound, now_us) -
            moved_already(servers, other, more_weight, running.capacity, running.bound, now_us);
      }
    }
  }

  void change_capacity(SharedServers& servers, const TransferOrder& order, std::int64_t now_us) {
    const auto running = std::ranges::find(running_, order.id, &Running::id);
    if (running == running_.end()) {
      return;  // it has just ended
    }
    const std::int64_t capacity = world_.transfers().capacities()[order.resource];
    // Bytes that SimGrid has moved beyond now were moved at the old speed.
    const double left =
        servers.bytes_left(order.id) / stretch(order.resource, running->capacity) +
        running->excess +
        moved_already(servers, order, 0, running->capacity, running->bound, now_us) -
        moved_already(servers, order, 0, capacity, order.bound_bytes_per_s, now_us);
    servers.cancel(order.id);
    begin(servers, order, left);
    running->capacity = capacity;
    running->bound = order.bound_bytes_per_s;
    running->excess = 0;
  }

  // With nothing under way SimGrid's clock stands still and is brought up only when needed.
  static void catch_up(SharedServers& servers, std::int64_t now_us) {
    const double behind_s = static_cast<double>(now_us) / kClockSecondUs - servers.clock_s();
    if (behind_s > 0) {
      servers.sleep_for(behind_s);
    }
  }

  // SimGrid's clock may be ahead of the calendar's by up to the slack. The bytes that a transfer
  // would have moved in that time, with its share of a resource of this capacity; `more_weight`: of
  // transfers that do not run yet, or no longer.
  [[nodiscard]] double moved_already(const SharedServers& servers, const TransferOrder& order,
                                     std::int64_t more_weight, std::int64_t capacity,
                                     std::int64_t bound, std::int64_t now_us) const {
    const double ahead_s = servers.clock_s() - static_cast<double>(now_us) / kClockSecondUs;
    std::int64_t weights = more_weight;
    for (const Running& running : running_) {
      weights += running.resource == order.resource ? running.weight : 0;
    }
    const double share = static_cast<double>(capacity) * static_cast<double>(order.weight) /
                         static_cast<double>(weights);
    return std::max(0.0, ahead_s) * std::min(share, static_cast<double>(bound));
  }

  // Lets SimGrid run to the next entry's time. True if a transfer ended before or at it.
  bool take_completion(SharedServers& servers, Calendar& calendar) {
    double timeout_s = -1;  // for ever
    if (!calendar.empty()) {
      timeout_s = (static_cast<double>(calendar.top().t_us) + kAdvanceUs) / kClockSecondUs -
                  servers.clock_s();
      if (timeout_s <= 0) {
        return false;
      }
    }
    const auto ended = servers.wait_for_any(timeout_s);
    if (!ended) {
      return false;
    }
    const double at_us = servers.clock_s() * kClockSecondUs;
    constexpr double kEndOfTimeUs = 9e18;  // transfers that many share may take for ever
    const auto t_us =
        static_cast<std::int64_t>(std::ceil(std::min(at_us - kSlackUs, kEndOfTimeUs)));
    world_.transfers().finish_shared(calendar, *ended, t_us);
    std::erase_if(running_, [&](const Running& running) { return running.id == *ended; });
    return true;
  }

  Playable& world_;
  std::vector<std::int64_t> nominal_;  ///< capacities when the servers were made
  std::vector<Running> running_;
};

const SimGridCalls& load_calls() {
  const auto path = module_path("aftershock_simgrid.so");
  // It stays with us. Its functions are its own: SimGrid has some with the names of MPI's.
  void* module = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* entry = module == nullptr ? nullptr : ::dlsym(module, kSimGridEntryName);
  if (entry == nullptr) {
    throw MissingModule(
        fmt::format("transfers share a storage, which takes SimGrid, and it cannot be loaded: {}",
                    ::dlerror()));
  }
  const SimGridCalls* calls = reinterpret_cast<SimGridEntry>(entry)();
  if (calls->size_of_calls != sizeof(SimGridCalls)) {
    throw MissingModule(fmt::format("{} is of another version of aftershock", path.string()));
  }
  return *calls;
}

const SimGridCalls& simgrid_calls() {
  static const SimGridCalls& kCalls = load_calls();
  return kCalls;
}

}  // namespace

void load_sharing() { simgrid_calls(); }

void drive_sharing(Playable& world) {
  static bool used = false;
  AFTERSHOCK_ASSERT(!used && "SimGrid has one engine a process");
  used = true;
  SharingLoop loop(world);
  simgrid_calls().with_servers(world.transfers().capacities(), loop);
}

}  // namespace aftershock::sim::engine
