#include "sim/advise/starter_numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sim/advise/analytic.h"

namespace aftershock::sim::advise {
namespace {

constexpr double kRepairDays = 132.8 / 24;
constexpr std::int64_t kStepS = 10;
/// Of a budget that is to last.
constexpr double kRare = 0.001;
/// One healing in ten fails: an assumption, as in scenarios/modelarts/npu_4096_year.json.
constexpr double kHealFails = 0.1;

std::string accelerator(std::string_view label, std::string_view code, std::string_view more) {
  return fmt::format(R"("kind": "accelerator_fault", "label": "{}", "code": "{}"{}{})", label, code,
                     more.empty() ? "" : ", ", more);
}

/// Chips that can be healed where somebody tries; without, a reset brings them back.
StarterCause heals(std::string_view label, std::string_view code, double weight, bool tries,
                   std::string_view takes = "") {
  const std::string more =
      !tries          ? std::string(R"("lasts": "150s")")
      : takes.empty() ? fmt::format(R"("heal_fails": {})", kHealFails)
                      : fmt::format(R"("heal": "{}", "heal_fails": {})", takes, kHealFails);
  return {accelerator(label, code, more), weight, false, tries ? kHealFails : 0,
          tries ? kHealFails : 0};
}

/// Accelerators that take their node out until it is repaired.
StarterCause breaks(std::string_view label, std::string_view code, double weight, SickNode sick) {
  constexpr std::string_view kUntilRepaired = R"("lasts": "repair")";
  return {sick == SickNode::kDrained
              ? fmt::format(R"("kind": "preemption", "label": "{}, node drained", {})", label,
                            kUntilRepaired)
              : accelerator(label, code, sick == SickNode::kIsolated ? "" : kUntilRepaired),
          weight, false, 1, 1};
}

void add_npu(std::vector<StarterCause>& causes, SickNode sick) {
  const bool watches = sick == SickNode::kIsolated;
  causes.push_back(
      heals("chip that a reset heals", "hbm_controller_module_error", 74, watches, "150s"));
  causes.push_back(breaks("chip that nothing heals", "hbm_64_rows_isolated", 74, sick));
  causes.push_back(heals("HBM", "hbm_multi_bit_ecc", 72, watches));
  causes.push_back(heals("AI core memory", "aic_multi_bit_ecc", 19, watches));
  causes.push_back(heals("task scheduler", "tsdaemon_heartbeat_lost", 17, watches));
  causes.push_back(heals("input that an AI core cannot take", "80C98002", 6, watches));
  causes.push_back(breaks("temperature", "hbm_fatal_temperature", 6, sick));
}

void add_gpu(std::vector<StarterCause>& causes, SickNode sick) {
  causes.push_back(breaks("faulty GPU", "xid:79", 148 + 6, sick));
  causes.push_back(breaks("GPU HBM3 memory", "xid:48", 72, sick));
  causes.push_back(breaks("GPU SRAM memory", "xid:95", 19, sick));
  causes.push_back(breaks("GPU system processor", "xid:119", 17, sick));
}

/// Rounded to what people would write, in whole steps.
std::int64_t round_interval(double seconds) {
  const std::int64_t unit = seconds < 600 ? kStepS : seconds < 7200 ? 60 : 600;
  return std::max<std::int64_t>(1, std::llround(seconds / static_cast<double>(unit))) * unit;
}

/// The part of a start in which Ray Train loses sight of a group that it has placed: the backend's
/// set-up, a rendezvous of 30 to 60 s (ray.md 1.5).
constexpr double kLeakWindowDays = 45.0 / 86'400;
/// So many groups: with more, hardly a start succeeds, and nothing is useful.
constexpr std::int64_t kMostLeakedGroups = 32;

/// Machines that come need places beside those that are repaired or on their way, and beside what
/// Ray keeps of failed starts: nobody gives that back.
void add_places(const StarterRequest& request, double stops_a_day, const StarterSpot& spot,
                StarterNumbers& numbers) {
  const double coming = stops_a_day * static_cast<double>(spot.provision_s) / 86'400;
  numbers.places = std::max<std::int64_t>(
      {1, numbers.nodes / 10, poisson_retries(numbers.in_repair + coming, kRare)});
  if (request.policy.name == "ray_train") {
    numbers.leaked_groups =
        stops_a_day * stops_a_day * kLeakWindowDays * static_cast<double>(request.days);
  }
  const std::int64_t groups =
      numbers.leaked_groups < static_cast<double>(kMostLeakedGroups)
          ? std::min(kMostLeakedGroups, poisson_retries(numbers.leaked_groups, kRare))
          : kMostLeakedGroups;
  // Sums of accelerator time over the run stay within 64 bits.
  const std::int64_t most = std::numeric_limits<std::int64_t>::max() / 86'400'000'000 /
                            request.days / kStarterPerNode / 2;
  numbers.max_nodes = std::max<std::int64_t>(
      numbers.nodes + 1, std::min(most, numbers.nodes * (1 + groups) + numbers.places));
}

}  // namespace

std::vector<StarterCause> starter_causes(scenario::AcceleratorKind kind, SickNode sick,
                                         bool experiment) {
  const bool watches_nodes = sick == SickNode::kIsolated;
  const bool npu = kind == scenario::AcceleratorKind::kNpu;
  std::vector<StarterCause> causes;
  if (npu) {
    add_npu(causes, sick);
  } else {
    add_gpu(causes, sick);
  }
  const double software = npu ? 48 : 54;
  causes.push_back(
      {R"("kind": "worker_crash", "label": "software bug", "how": "exit")", software, true, 0, 0});
  causes.push_back({R"("kind": "worker_crash", "label": "silent data corruption", )"
                    R"("how": "exception")",
                    6, true, 0, 0});
  causes.push_back(
      {R"("kind": "worker_crash", "label": "dependency", "how": "exit")", 2, true, 0, 0});
  causes.push_back({experiment ? R"("kind": "worker_crash", "label": "network or watchdog", )"
                                 R"("how": "exception")"
                               : R"("kind": "hang", "label": "network or watchdog")",
                    35 + 7, false, 0, 0});
  causes.push_back({watches_nodes
                        ? R"("kind": "node_crash", "label": "host maintenance", "lasts": "2h")"
                        : R"("kind": "preemption", "label": "host maintenance", "notice": "2min", )"
                          R"("lasts": "2h")",
                    32, false, 2 / (kRepairDays * 24), 1});
  causes.push_back({R"("kind": "node_crash", "label": "host part")", 21, false, 1, 1});
  return causes;
}

StarterNumbers starter_numbers(const StarterRequest& request,
                               const std::vector<StarterCause>& causes, const StarterSpot* spot) {
  StarterNumbers numbers;
  numbers.nodes = request.accelerators / kStarterPerNode;
  numbers.failures_a_day = numbers.nodes * kStarterFailuresPerNodeDay;
  const auto days = static_cast<double>(request.days);
  const double failures = numbers.failures_a_day * days;
  const double preemptions_a_day = spot == nullptr ? 0 : spot->preemptions_a_day;
  const double preemptions = preemptions_a_day * days;
  const double stops_a_day = numbers.failures_a_day + preemptions_a_day;
  double exits = 0;
  double lost = 0;
  double drained = 0;
  for (const StarterCause& cause : causes) {
    const double share = cause.weight / kStarterWeights;
    exits += cause.exit ? share : 0;
    lost += share * cause.repairs;
    drained += share * cause.drained;
  }
  numbers.exits = failures * exits;
  numbers.nodes_lost = failures * drained + preemptions;
  numbers.in_repair = numbers.failures_a_day * lost * kRepairDays;
  // A market has another machine sooner than a spare pays for its waiting.
  numbers.spares = spot == nullptr ? spares_for(2 * numbers.in_repair, kRare) : 0;
  numbers.racks = std::max<std::int64_t>(1, (numbers.nodes + numbers.spares) / 4);
  numbers.interval_s =
      round_interval(daly_interval(static_cast<double>(numbers.blocking_s), 86'400 / stops_a_day));
  numbers.checkpoint_gb = std::llround(std::ceil(0.35 * request.accelerators));
  numbers.all_retries = poisson_retries(failures + preemptions, kRare);
  numbers.failure_retries = poisson_retries(failures, kRare);
  if (spot != nullptr) {
    const double of_trial = (failures + preemptions) * kTrialDays / numbers.nodes;
    numbers.trial_retries =
        std::max(numbers.trial_retries, poisson_retries(of_trial, kRare / (2.0 * numbers.nodes)));
    add_places(request, stops_a_day, *spot, numbers);
    numbers.join_timeout_s = std::max<std::int64_t>(3600, 3 * spot->provision_s);
  }
  numbers.exit_retries = poisson_retries(numbers.exits + preemptions, kRare);
  numbers.node_retries = poisson_retries(numbers.nodes_lost, kRare);
  return numbers;
}

std::string whole_time(std::int64_t seconds) {
  return seconds % 3600 == 0 ? fmt::format("{}h", seconds / 3600)
         : seconds % 60 == 0 ? fmt::format("{}min", seconds / 60)
                             : fmt::format("{}s", seconds);
}

}  // namespace aftershock::sim::advise
