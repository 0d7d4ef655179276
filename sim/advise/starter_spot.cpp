#include "sim/advise/starter_spot.h"

#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "sim/scenario/text/error.h"
#include "sim/scenario/text/units.h"

namespace aftershock::sim::advise {
namespace {

/// A fifth of the nodes in thirty days.
constexpr std::int64_t kNodeDaysByDefault = 150;

/// A length of time as it was told, or the default.
std::variant<std::string, scenario::TextProblem> length(const std::string& told,
                                                        const char* by_default) {
  const auto parsed = scenario::parse_duration(told.empty() ? by_default : told);
  if (const auto* problem = std::get_if<scenario::TextProblem>(&parsed)) {
    return *problem;
  }
  return told.empty() ? by_default : told;
}

std::string flag_problem(std::string_view flag, const scenario::TextProblem& problem) {
  return fmt::format(
      "{}: {}; expected {}{}", flag, problem.message, problem.expected,
      problem.nearest.empty() ? "" : fmt::format("; did you mean {}?", problem.nearest));
}

}  // namespace

std::variant<StarterSpot, std::string> starter_spot(const SpotRequest& asked, std::uint32_t nodes) {
  StarterSpot spot;
  spot.asked = asked;
  spot.nodes = nodes;
  spot.preemptions_a_day = static_cast<double>(nodes) / static_cast<double>(kNodeDaysByDefault);
  spot.rate = fmt::format("1/{} node-days", kNodeDaysByDefault);
  if (const std::string& told = asked.preemptions_a_day; !told.empty()) {
    const bool plain = told.find_first_not_of("0123456789.") == told.npos;
    const auto [end, problem] =
        std::from_chars(told.data(), told.data() + told.size(), spot.preemptions_a_day);
    spot.rate = fmt::format("{}/{} node-days", told, nodes);
    if (!plain || problem != std::errc{} || end != told.data() + told.size() ||
        spot.preemptions_a_day <= 0) {
      return fmt::format(
          "--preemptions-per-day {}: expected a number above 0, of all nodes together; without "
          "preemptions leave --spot out",
          scenario::in_quotes(told));
    }
    const auto rate = scenario::parse_failure_rate(spot.rate);
    if (const auto* wrong = std::get_if<scenario::TextProblem>(&rate)) {
      return flag_problem("--preemptions-per-day", *wrong);
    }
  }
  auto notice = length(asked.notice, "30s");
  if (const auto* problem = std::get_if<scenario::TextProblem>(&notice)) {
    return flag_problem("--notice", *problem);
  }
  auto provision = length(asked.provision, "10min");
  if (const auto* problem = std::get_if<scenario::TextProblem>(&provision)) {
    return flag_problem("--provision", *problem);
  }
  spot.notice = std::get<std::string>(std::move(notice));
  if (std::get<std::int64_t>(scenario::parse_duration(spot.notice)) == 0) {
    spot.notice.clear();
  }
  spot.provision = std::get<std::string>(std::move(provision));
  spot.provision_s = std::get<std::int64_t>(scenario::parse_duration(spot.provision)) / 1'000'000;
  return spot;
}

std::string spot_pool_text(const StarterSpot& spot, std::int64_t max_nodes) {
  return fmt::format(
      R"({} "market": "spot", "replacement": "provision", "provision": "{}",)",
      max_nodes == 0 ? std::string() : fmt::format(R"( "max_nodes": {},)", max_nodes),
      spot.provision);
}

std::string spot_fault_text(const StarterSpot& spot, const std::string& pool) {
  const std::string notice =
      spot.notice.empty() ? "" : fmt::format(R"( "notice": "{}",)", spot.notice);
  return fmt::format(
      R"({{
  "id": "market", "kind": "preemption", "target": "pool:{}",{} "source": {{"rate": "{}"}}
 }})",
      pool, notice, spot.rate);
}

std::vector<std::string> spot_notes(const StarterSpot& spot) {
  std::vector<std::string> notes;
  notes.push_back(
      spot.asked.preemptions_a_day.empty()
          ? fmt::format(
                "/faults/1/source/rate: an assumption without --preemptions-per-day: a fifth of "
                "the machines in 30 days, where the highest band of AWS's Spot Instance Advisor "
                "(2026) begins; {:.3g} a day of all together. Markets of GPUs took more when they "
                "were measured: 0.1 an hour of a machine of 64 with A100s (Bamboo's trace of "
                "Google's cloud, 2021), 0.1 to 1.4 with V100s (SkyPilot's traces, 2024).",
                spot.preemptions_a_day)
          : fmt::format("/faults/1/source/rate: --preemptions-per-day {}, of the "
                        "{} machines together, whether a job uses them or not. Machines that come "
                        "beside them, such as those for what Ray leaves reserved, are taken as "
                        "often.",
                        spot.asked.preemptions_a_day, spot.nodes));
  notes.push_back(
      spot.asked.notice.empty()
          ? "/faults/1/notice: an assumption without --notice: 30 s, the least of three clouds: "
            "Google gives 30 s at best, Azure at least 30 s, AWS 2 min (their documentation, 2026)."
          : fmt::format("/faults/1{}: --notice {}.",
                        spot.notice.empty() ? ", without notice" : "/notice", spot.asked.notice));
  notes.push_back(fmt::format(
      "/cluster/pools/0/provision: {} Another machine is asked for when the job lacks one, and "
      "comes so long after.",
      spot.asked.provision.empty()
          ? std::string("an assumption without --provision: 10 min; zones without V100s had some "
                        "again after 0.8 to 3.6 h in the mean (SkyPilot's traces, 2024).")
          : fmt::format("--provision {}.", spot.asked.provision)));
  notes.push_back(
      "/cluster/pools/0/price_per_node_hour: an assumption: 60 % below "
      "/cluster/pools/0/reserved_price_per_node_hour, which is the least that Google promises of "
      "Spot VMs (2026). /cluster/pools/0/reserved_price_per_node_hour, nic, racks: assumptions; "
      "put in your own.");
  return notes;
}

}  // namespace aftershock::sim::advise
