#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <simgrid/s4u.hpp>

#include "sim/engine/simgrid/calls.h"
#include "sim/engine/simgrid/versions.h"

// SimGrid behind a few plain functions: all of the program that sees its headers.
namespace aftershock::sim::engine {

namespace {

namespace sg4 = simgrid::s4u;

/// A server is a host whose speed is its bandwidth, work an execution on it: of SimGrid's
/// activities this one takes a weight (simgrid.md, weighted sharing).
class Servers final : public SharedServers {
 public:
  explicit Servers(std::vector<sg4::Host*> hosts) : hosts_(std::move(hosts)) {}

  [[nodiscard]] double clock_s() const override { return sg4::Engine::get_clock(); }
  void sleep_for(double seconds) override { sg4::this_actor::sleep_for(seconds); }

  void start(const Work& work) override {
    sg4::ExecPtr exec = sg4::this_actor::exec_init(work.bytes);
    exec->set_host(hosts_[work.server])
        ->set_priority(work.weight)
        ->set_bound(work.bound_bytes_per_s);
    exec->start();
    ids_.push_back(work.id);
    execs_.push_back(exec);
  }

  void cancel(std::uint32_t id) override {
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      if (ids_[i] == id) {
        execs_[i]->cancel();
        forget(i);
        return;
      }
    }
  }

  [[nodiscard]] double bytes_left(std::uint32_t id) const override {
    const auto at = std::find(ids_.begin(), ids_.end(), id);
    return at == ids_.end() ? 0
                            : execs_[static_cast<std::size_t>(at - ids_.begin())]->get_remaining();
  }

  std::optional<std::uint32_t> wait_for_any(double timeout_s) override {
    const auto at = wait_for_any_of(execs_, timeout_s);
    if (!at) {
      return std::nullopt;
    }
    const std::uint32_t id = ids_[*at];
    forget(*at);
    return id;
  }

 private:
  void forget(std::size_t at) {
    ids_.erase(ids_.begin() + static_cast<std::ptrdiff_t>(at));
    execs_.erase(execs_.begin() + static_cast<std::ptrdiff_t>(at));
  }

  std::vector<sg4::Host*> hosts_;
  std::vector<std::uint32_t> ids_;       ///< of what is under way, in the order of their starts
  std::vector<sg4::ActivityPtr> execs_;  ///< the same
};

void with_servers(std::span<const std::int64_t> capacities, SharedServersUser& user) {
  std::string program = "aftershock";
  std::string quiet = "--log=root.thres:error";
  // The default would treat times within 10 us as one.
  std::string precision = "--cfg=surf/precision:1e-9";
#ifdef __SANITIZE_ADDRESS__
  // A sanitizer that cannot see SimGrid's own stacks calls frames that an exception left poisoned.
  std::string contexts = "--cfg=contexts/factory:thread";
#elif defined(__x86_64__)
  std::string contexts = "--cfg=contexts/factory:raw";
#else
  // SimGrid has stacks of its own for a few processors alone.
  std::string contexts = "--cfg=contexts/factory:ucontext";
#endif
  char* arguments[] = {program.data(), quiet.data(), precision.data(), contexts.data(), nullptr};
  int count = 4;
  sg4::Engine engine(&count, arguments);
  sg4::NetZone* zone = add_zone(engine, "storage");
  // The user lives on a host that nothing can fail.
  sg4::Host* user_host = add_host(zone, "loop", 1e9);
  std::vector<sg4::Host*> hosts;
  for (const std::int64_t capacity : capacities) {
    hosts.push_back(
        add_host(zone, "server-" + std::to_string(hosts.size()), static_cast<double>(capacity)));
  }
  zone->seal();
  Servers servers(std::move(hosts));
  add_actor(engine, "loop", user_host, [&] { user.use(servers); });
  engine.run();
}

constexpr SimGridCalls kCalls{sizeof(SimGridCalls), with_servers};

}  // namespace

}  // namespace aftershock::sim::engine

extern "C" __attribute__((visibility("default"))) const aftershock::sim::engine::SimGridCalls*
aftershock_simgrid_calls() {
  return &aftershock::sim::engine::kCalls;
}
