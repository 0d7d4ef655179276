#include "sim/engine/sharing.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <simgrid/s4u.hpp>

#include "policies/api/assert.h"

namespace aftershock::sim {

namespace {

namespace sg4 = simgrid::s4u;

// SimGrid's clock counts seconds.
constexpr double kClockSecondUs = 1e6;
// How far a completion may lie above a whole microsecond and still belong to it. SimGrid is
// advanced this far beyond t before entries at t are played, so that what ends at t joins t.
constexpr double kSlackUs = 0.1;
// How far beyond t the clock is advanced: above the rounding of a clock that counts seconds in
// doubles, and small enough that a transfer begun there still ends within the slack.
constexpr double kAdvanceUs = 0.02;

/// A storage direction is a host whose speed is its bandwidth, a transfer an execution on it: of
/// SimGrid's activities this one takes a weight (reference simgrid.md, weighted sharing).
class SharingLoop {
 public:
  SharingLoop(Playable& world, std::vector<sg4::Host*> servers)
      : world_(world), servers_(std::move(servers)) {}

  void run() {
    Calendar& calendar = world_.calendar();
    while (!world_.over()) {
      carry_out_orders(world_.now_us());
      if (!running_.empty() && take_completion(calendar)) {
        continue;
      }
      if (calendar.empty()) {
        break;
      }
      world_.play(calendar.pop());
    }
    for (const Running& running : running_) {
      running.exec->cancel();
    }
  }

 private:
  struct Running {
    TransferId id;
    std::uint32_t resource;
    std::uint32_t weight;
    sg4::ExecPtr exec;
  };

  void carry_out_orders(std::int64_t now_us) {
    Transfers& transfers = world_.transfers();
    for (const TransferOrder& order : transfers.orders()) {
      catch_up(now_us);
      if (order.what == TransferOrder::What::kStart) {
        sg4::ExecPtr exec =
            sg4::this_actor::exec_init(std::max(0.0, order.bytes - moved_already(order, now_us)));
        exec->set_host(servers_[order.resource])
            ->set_priority(static_cast<double>(order.weight))
            ->set_bound(static_cast<double>(order.bound_bytes_per_s));
        exec->start();
        running_.push_back({order.id, order.resource, order.weight, exec});
      } else {
        std::erase_if(running_, [&](Running& running) {
          if (running.id != order.id) {
            return false;
          }
          running.exec->cancel();
          return true;
        });
      }
    }
    transfers.clear_orders();
  }

  // With nothing under way SimGrid's clock stands still and is brought up only when needed.
  static void catch_up(std::int64_t now_us) {
    const double behind_s = static_cast<double>(now_us) / kClockSecondUs - sg4::Engine::get_clock();
    if (behind_s > 0) {
      sg4::this_actor::sleep_for(behind_s);
    }
  }

  // SimGrid's clock may be ahead of the calendar's by up to the slack. What a transfer that begins
  // now would have moved in that time, with its share of the resource.
  [[nodiscard]] double moved_already(const TransferOrder& order, std::int64_t now_us) const {
    const double ahead_s = sg4::Engine::get_clock() - static_cast<double>(now_us) / kClockSecondUs;
    std::uint64_t weights = order.weight;
    for (const Running& running : running_) {
      weights += running.resource == order.resource ? running.weight : 0;
    }
    const double share = static_cast<double>(world_.transfers().capacities()[order.resource]) *
                         static_cast<double>(order.weight) / static_cast<double>(weights);
    return std::max(0.0, ahead_s) * std::min(share, static_cast<double>(order.bound_bytes_per_s));
  }

  // Lets SimGrid run to the next entry's time. True if a transfer ended before or at it.
  bool take_completion(Calendar& calendar) {
    std::vector<sg4::ExecPtr> execs;
    execs.reserve(running_.size());
    for (const Running& running : running_) {
      execs.push_back(running.exec);
    }
    double timeout_s = -1;  // for ever
    if (!calendar.empty()) {
      timeout_s = (static_cast<double>(calendar.top().t_us) + kAdvanceUs) / kClockSecondUs -
                  sg4::Engine::get_clock();
      if (timeout_s <= 0) {
        return false;
      }
    }
    const auto index = sg4::Exec::wait_any_for(execs, timeout_s);
    if (index < 0) {
      return false;
    }
    const auto ended = running_.begin() + index;
    const double at_us = sg4::Engine::get_clock() * kClockSecondUs;
    constexpr double kEndOfTimeUs = 9e18;  // what many share may take for ever
    const auto t_us =
        static_cast<std::int64_t>(std::ceil(std::min(at_us - kSlackUs, kEndOfTimeUs)));
    world_.transfers().finish_shared(calendar, ended->id, t_us);
    running_.erase(ended);
    return true;
  }

  Playable& world_;
  std::vector<sg4::Host*> servers_;
  std::vector<Running> running_;
};

}  // namespace

void drive_sharing(Playable& world) {
  static bool used = false;
  AFTERSHOCK_ASSERT(!used && "SimGrid has one engine a process");
  used = true;
  std::string program = "aftershock";
  std::string quiet = "--log=root.thres:error";
  // The default would treat times within 10 us as one.
  std::string precision = "--cfg=surf/precision:1e-9";
#ifdef __SANITIZE_ADDRESS__
  // A sanitizer that cannot see SimGrid's own stacks calls frames that an exception left poisoned.
  std::string contexts = "--cfg=contexts/factory:thread";
#else
  std::string contexts = "--cfg=contexts/factory:raw";
#endif
  char* arguments[] = {program.data(), quiet.data(), precision.data(), contexts.data(), nullptr};
  int count = 4;
  sg4::Engine engine(&count, arguments);
  sg4::NetZone* zone = sg4::create_full_zone("storage");
  // The loop lives on a host that nothing can fail.
  sg4::Host* loop_host = zone->create_host("loop", 1e9);
  std::vector<sg4::Host*> servers;
  for (const std::int64_t capacity : world.transfers().capacities()) {
    servers.push_back(zone->create_host("server-" + std::to_string(servers.size()),
                                        static_cast<double>(capacity)));
  }
  zone->seal();
  SharingLoop loop(world, std::move(servers));
  sg4::Actor::create("loop", loop_host, [&loop] { loop.run(); });
  engine.run();
}

}  // namespace aftershock::sim
