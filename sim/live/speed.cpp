#include "sim/live/speed.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace aftershock::sim::live {

namespace {

constexpr double kSecondUs = 1e6;
constexpr double kTenth = 0.1;
/// Of a process that imports torch or Ray; live/README.md has it at 1 to 2 s.
constexpr double kStartS = 2;
/// Between SIGTERM and SIGKILL for workers (torch/distributed/elastic/multiprocessing/api.py).
constexpr double kTorchKillS = 30;
/// For agents whose workers have not returned yet (torch/distributed/elastic/agent/server/api.py).
constexpr std::int64_t kExitBarrierUs = 300'000'000;
/// Ray's patience with workers that are to end, and its deadline where a drain tells none
/// (ray/train/v2/_internal/execution/worker_group/state.py, constants.py).
constexpr double kRayPatienceS = 5;
constexpr double kRayDeadlineS = 120;

/// Settings of a rendezvous that are read as whole seconds, and their defaults
/// (torch/distributed/elastic/rendezvous/dynamic_rendezvous.py).
struct WholeSeconds {
  std::string_view name;
  double default_s;
};
constexpr std::array<WholeSeconds, 3> kWhole{
    {{"join_timeout", 600}, {"last_call_timeout", 30}, {"close_timeout", 30}}};

class SpeedCheck {
 public:
  SpeedCheck(const scenario::Scenario& scenario, const PlanOptions& options)
      : scenario_(scenario), job_(scenario.jobs.front()), options_(options) {}

  std::vector<Refusal> all() && {
    start();
    for (std::size_t i = 0; i < scenario_.faults.size(); ++i) {
      fault(scenario_.faults[i], fmt::format("/faults/{}", i));
    }
    if (options_.backend != Backend::kRay) whole_seconds();
    expectations();
    return std::move(refused_);
  }

 private:
  void refuse(std::string pointer, std::string why) {
    refused_.push_back({std::move(pointer), std::move(why)});
  }

  void start() {
    const auto* const launching =
        std::get_if<scenario::Distribution::Constant>(&job_.phases.launching.shape);
    if (launching == nullptr) return;
    const double length_s = static_cast<double>(launching->value_us) / kSecondUs;
    if (kStartS > length_s / options_.speed) {
      refuse("/jobs/0/phases/launching",
             fmt::format("{:g} s at --speed {:g} is {:g} s, and processes take {:g} s to start at "
                         "any speed; expected {:g} s or more",
                         length_s, options_.speed, length_s / options_.speed, kStartS,
                         kStartS * options_.speed));
    }
  }

  /// `constant_s` is held against an interval of the scenario.
  void compare(const std::string& pointer, std::optional<std::int64_t> interval_us,
               double constant_s, std::string_view words) {
    if (!interval_us) return;
    const double scaled_s = static_cast<double>(*interval_us) / kSecondUs / options_.speed;
    if (constant_s > kTenth * scaled_s) {
      refuse(pointer, fmt::format("{} after {:g} s at any speed, which is more than a tenth of "
                                  "{:g} s at --speed {:g}",
                                  words, constant_s, scaled_s, options_.speed));
    }
  }

  void fault(const scenario::FaultSpec& spec, const std::string& at) {
    if (spec.effects.size() != 1) return;
    const scenario::FaultEffect& effect = spec.effects.front().effect;
    const bool ray = options_.backend == Backend::kRay;
    if (effect.kind == scenario::FaultKind::kHang && !effect.answers &&
        options_.backend != Backend::kNvrx) {
      std::optional<std::int64_t> lasts_us = scenario_.until_us;
      if (effect.lasts) {
        const auto* const constant =
            std::get_if<scenario::Distribution::Constant>(&effect.lasts->shape);
        if (constant != nullptr) lasts_us = constant->value_us;
      }
      compare(at, lasts_us, ray ? kRayPatienceS : kTorchKillS,
              ray ? "Ray ends a worker that does not answer"
                  : "torchrun kills a worker that does not answer");
    }
    const bool returns = effect.kind == scenario::FaultKind::kWorkerCrash &&
                         effect.manner == scenario::CrashManner::kExit && effect.exit_code == 0;
    if (options_.backend == Backend::kTorchrun && returns &&
        scenario_.until_us.value_or(kExitBarrierUs + 1) > kExitBarrierUs) {
      refuse(at, fmt::format("an agent whose ranks have returned waits 300 s for the others at any "
                             "speed, which --speed {:g} would make {:g} s; expected an until of "
                             "300 s or less",
                             options_.speed, 300 * options_.speed));
    }
    if (ray && effect.kind == scenario::FaultKind::kPreemption && effect.notice_us &&
        !effect.deadline_told) {
      compare(at, effect.notice_us, kRayDeadlineS, "Ray gives up a drain without a deadline");
    }
  }

  void expectations() {
    for (std::size_t i = 0; i < scenario_.expect.size(); ++i) {
      const std::string& at = scenario_.expect[i].at;
      if (at.find("_us") != std::string::npos) {
        refuse(fmt::format("/expect/{}", i),
               fmt::format("{}: times of a live run are real, and --speed {:g} divides those of "
                           "the scenario; expected --speed 1",
                           at, options_.speed));
      }
    }
  }

  void whole_seconds() {
    const nlohmann::json& config = *job_.policy.config;
    if (config.value("rdzv_backend", "c10d") == "static") return;
    const bool torchrun = options_.backend == Backend::kTorchrun;
    for (const WholeSeconds& setting : kWhole) {
      const std::string name(setting.name);
      std::string pointer = "/jobs/0/policy/config/rdzv_conf/" + name;
      double set_s = setting.default_s;
      if (torchrun) {
        const auto conf = config.find("rdzv_conf");
        if (conf != config.end() && conf->contains(name) && conf->at(name).is_number()) {
          set_s = conf->at(name).get<double>();
        }
      } else if (name != "join_timeout") {
        continue;
      } else {
        pointer = "/jobs/0/policy/config/rdzv_join_timeout";
        const auto found = config.find("rdzv_join_timeout");
        if (found == config.end() || !found->is_number()) continue;
        set_s = found->get<double>();
      }
      whole(pointer, set_s);
    }
    if (torchrun) {
      whole("/cluster/heartbeat/every",
            static_cast<double>(scenario_.cluster.heartbeat.every_us) / kSecondUs);
    }
  }

  void whole(const std::string& pointer, double set_s) {
    const double scaled_s = set_s / options_.speed;
    const double read_s = std::max(1.0, std::nearbyint(scaled_s));
    if (std::abs(read_s - scaled_s) > kTenth * scaled_s) {
      refuse(pointer, fmt::format("{:g} s at --speed {:g} is {:g} s, which the rendezvous reads as "
                                  "{:g} s",
                                  set_s, options_.speed, scaled_s, read_s));
    }
  }

  const scenario::Scenario& scenario_;
  const scenario::JobSpec& job_;
  const PlanOptions& options_;
  std::vector<Refusal> refused_;
};

}  // namespace

std::vector<Refusal> refused_speed(const scenario::Scenario& scenario, const PlanOptions& options) {
  if (options.speed == 1 || scenario.jobs.size() != 1) {
    return {};
  }
  return SpeedCheck(scenario, options).all();
}

}  // namespace aftershock::sim::live
