#include "sim/scenario/read/read_source.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/chance/exponential.h"
#include "sim/chance/gamma_function.h"
#include "sim/scenario/faults/fault_catalogue.h"
#include "sim/scenario/faults/target.h"
#include "sim/scenario/keys/keys.h"
#include "sim/scenario/read/read_occurrences.h"
#include "sim/scenario/shape/fields.h"

namespace aftershock::sim::scenario {
namespace {

/// The unit that a process can run on for a target, and how many of it there are.
struct Units {
  RatePer per;
  std::uint64_t count;
};

/// The units of a pool that a process strikes.
std::vector<Units> units_of_pool(const PoolSpec& pool, const FaultSpec& fault) {
  const auto all = [&](bool (*is)(FaultKind)) {
    return std::ranges::all_of(fault.effects,
                               [&](const WeightedEffect& each) { return is(each.effect.kind); });
  };
  const auto some = [&](bool (*is)(FaultKind)) {
    return std::ranges::any_of(fault.effects,
                               [&](const WeightedEffect& each) { return is(each.effect.kind); });
  };
  std::vector<Units> units;
  const auto of_whole_pool = [](FaultKind kind) { return strikes_pool(kind) && !of_network(kind); };
  if (!some(of_whole_pool)) {
    units.push_back({RatePer::kNode, pool.max_nodes});
  }
  if (!some(strikes_pool)) {
    units.push_back(
        {RatePer::kAccelerator, std::uint64_t{pool.max_nodes} * pool.accelerators_per_node});
  }
  units.push_back({RatePer::kPool, 1});
  if (all(strikes_racks)) {
    units.push_back({RatePer::kRack, pool.racks});
    if (!some(strikes_pool)) units.push_back({RatePer::kPowerDomain, pool.power_domains});
  }
  if (all(strikes_switches)) units.push_back({RatePer::kSwitch, pool.racks});
  return units;
}

std::vector<Units> units_of(const Scenario& scenario, const FaultSpec& fault) {
  const PoolSpec& pool = pool_of(scenario, fault.target);
  const bool whole_node = std::ranges::any_of(
      fault.effects, [](const WeightedEffect& each) { return of_network(each.effect.kind); });
  switch (fault.target.kind) {
    case TargetKind::kNode:
      if (whole_node) return {{RatePer::kNode, 1}};
      return {{RatePer::kNode, 1}, {RatePer::kAccelerator, pool.accelerators_per_node}};
    case TargetKind::kAccelerator:
      return {{RatePer::kAccelerator, 1}};
    case TargetKind::kPool:
      return units_of_pool(pool, fault);
    case TargetKind::kJob:
    case TargetKind::kRank:
    case TargetKind::kAgent:
    case TargetKind::kExperiment:
    case TargetKind::kTrial:
      return {{RatePer::kJob, 1}};
    case TargetKind::kHead:
    case TargetKind::kStorage:
    case TargetKind::kLink:
    case TargetKind::kSwitch:
      return {{RatePer::kNode, 1}};
    case TargetKind::kRack:
      return {{RatePer::kRack, 1}};
    case TargetKind::kPowerDomain:
      return {{RatePer::kPowerDomain, 1}};
    case TargetKind::kCluster:
      return {{RatePer::kCluster, 1}};
  }
  return {};
}

std::string_view name_of_unit(RatePer per) {
  constexpr std::array<std::string_view, 8> kNames{"node", "accelerator",  "job",     "pool",
                                                   "rack", "power domain", "cluster", "switch"};
  return kNames[static_cast<std::size_t>(per)];
}

/// The law of a source, as written; null where it is a rate.
const LocatedValue* law_value(const LocatedValue& source) {
  for (const std::string_view law : {"exponential", "weibull", "lognormal", "gamma", "empirical"}) {
    if (const LocatedValue* value = source.find(law)) return value;
  }
  return nullptr;
}

/// Where in a source its unit is written.
const LocatedValue& unit_value(const LocatedValue& source) {
  const LocatedValue* law = law_value(source);
  return law != nullptr ? *law->find("per") : *source.find("rate");
}

/// The job whose training is the clock of a source with this target.
std::optional<std::uint32_t> training_job(const LocatedValue& clock, const Scenario& scenario,
                                          const Target& target, ErrorList& errors) {
  if (target.kind == TargetKind::kJob || target.kind == TargetKind::kRank) return target.job;
  const bool of_cluster = target.kind == TargetKind::kHead || target.kind == TargetKind::kStorage ||
                          target.kind == TargetKind::kLink || target.kind == TargetKind::kSwitch ||
                          target.kind == TargetKind::kCluster;
  if (of_cluster || of_experiment(target)) {
    errors.add(clock, {fmt::format("{} does not belong to a job", in_quotes(target.text)),
                       "\"calendar\", or another target",
                       {}});
    return std::nullopt;
  }
  const auto in_pool = [&](const JobSpec& job) { return job.pool == target.pool; };
  const auto count = std::ranges::count_if(scenario.jobs, in_pool);
  if (count != 1) {
    errors.add(clock, {fmt::format("{} jobs of pool {} could be the one that trains",
                                   count == 0 ? "no" : std::to_string(count),
                                   in_quotes(scenario.cluster.pools[target.pool].name)),
                       count == 0 ? "\"calendar\"" : "\"calendar\", or a target within a job",
                       {}});
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(std::ranges::find_if(scenario.jobs, in_pool) -
                                    scenario.jobs.begin());
}

/// Whole microseconds, as in distributions.
double whole(double us) { return std::max(1.0, std::round(us)); }

StochasticSource read_law(const Fields& fields) {
  if (fields.has("rate")) {
    return std::get<StochasticSource>(parse_failure_rate(fields.text("rate")));
  }
  StochasticSource source;
  const auto begin = [&](const Fields& law) {
    source.per = law.word<RatePer>("per");
    source.mean_gap_us =
        law.has("mtbf") ? static_cast<double>(law.duration("mtbf")) : source.mean_gap_us;
    return source.mean_gap_us;
  };
  Distribution gaps = Distribution::constant(0);
  if (fields.has("exponential")) {
    begin(Fields(keys::exponential_source(), *fields.written("exponential")));
    return source;
  }
  if (fields.has("weibull")) {
    const Fields law(keys::weibull_source(), *fields.written("weibull"));
    const double shape = law.number("shape");
    gaps.shape =
        Distribution::Weibull{whole(begin(law) / chance::gamma_function(1 + 1 / shape)), shape};
  } else if (fields.has("gamma")) {
    const Fields law(keys::gamma_source(), *fields.written("gamma"));
    const double shape = law.number("shape");
    gaps.shape = Distribution::Gamma{begin(law) / shape, shape};
  } else if (fields.has("lognormal")) {
    const Fields law(keys::lognormal_source(), *fields.written("lognormal"));
    const double sigma = law.number("sigma");
    const double spread = chance::exponential(sigma * sigma / 2);
    if (law.has("median")) {
      source.mean_gap_us = static_cast<double>(law.duration("median")) * spread;
    }
    gaps.shape = Distribution::Lognormal{whole(begin(law) / spread), sigma};
  } else {
    const Fields law(keys::empirical_source(), *fields.written("empirical"));
    Distribution::Empirical seen;
    for (const LocatedValue& gap : law.list("gaps")) {
      seen.values_us.push_back(
          std::get<std::int64_t>(parse_duration(std::get<std::string>(gap.data))));
    }
    source.mean_gap_us = std::accumulate(seen.values_us.begin(), seen.values_us.end(), 0.0) /
                         static_cast<double>(seen.values_us.size());
    gaps.shape = std::move(seen);
    begin(law);
  }
  source.gaps = std::move(gaps);
  return source;
}

StochasticSource read_maintenance(const LocatedValue& value, const Scenario& scenario,
                                  const FaultSpec& fault, ErrorList& errors) {
  const Fields fields(keys::maintenance_source(), value);
  Maintenance plan;
  plan.every_us = fields.duration("every");
  plan.first_us = fields.optional_duration("first").value_or(plan.every_us);
  plan.nodes = fields.count("nodes");
  const bool one_by_one = fault.target.kind == TargetKind::kPool &&
                          std::ranges::none_of(fault.effects, [](const WeightedEffect& each) {
                            return strikes_pool(each.effect.kind);
                          });
  if (!one_by_one) {
    errors.add(value,
               {fmt::format("{} has no nodes to maintain in turn", in_quotes(fault.target.text)),
                "a pool, and a fault that strikes one node of it",
                {}});
  } else if (plan.nodes > pool_of(scenario, fault.target).max_nodes) {
    errors.add(fields.blame("nodes"),
               {fmt::format("{} nodes at a time", plan.nodes), "at most those of the pool", {}});
  }
  return {.mean_gap_us = static_cast<double>(plan.every_us) / plan.nodes,
          .per = RatePer::kPool,
          .maintenance = plan};
}

/// The rules between parts of a source.
void check_parts(const LocatedValue& value, const FaultSpec& fault, std::uint64_t units,
                 ErrorList& errors) {
  const StochasticSource& source = *fault.source;
  const bool of_nodes = source.per == RatePer::kNode || source.per == RatePer::kAccelerator;
  if (const LocatedValue* mixed = value.find("mixed"); mixed != nullptr && units < 2) {
    errors.add(*mixed, {"there is one unit, whose rate differs from nobody's",
                        "a pool, and a rate per node or accelerator",
                        {}});
  }
  if (!source.exposure) {
    if (source.training_job && !of_nodes && source.per != RatePer::kJob &&
        source.per != RatePer::kPool) {
      errors.add(*value.find("clock"),
                 {fmt::format("a {} does not train", name_of_unit(source.per)),
                  "\"calendar\", or another unit",
                  {}});
    }
    return;
  }
  const bool in_pool = fault.target.kind == TargetKind::kPool ||
                       fault.target.kind == TargetKind::kNode ||
                       fault.target.kind == TargetKind::kAccelerator;
  if (!of_nodes || !in_pool) {
    errors.add(*value.find("clock"),
               {"this clock is that of nodes", "a target in a pool, per node or accelerator", {}});
  }
  if (source.gaps || source.mixed_shape) {
    errors.add(*value.find("clock"),
               {"on this clock all units must be alike and without memory",
                "\"exponential\" or \"rate\" without \"mixed\", or another clock",
                {}});
  }
}

void check_source(const LocatedValue& value, const Scenario& scenario, const FaultSpec& fault,
                  ErrorList& errors) {
  const auto units = units_of(scenario, fault);
  const auto found = std::find_if(units.begin(), units.end(),
                                  [&](const Units& each) { return each.per == fault.source->per; });
  if (found == units.end()) {
    std::vector<std::string_view> names;
    names.reserve(units.size());
    for (const Units& each : units) names.push_back(name_of_unit(each.per));
    errors.add(unit_value(value),
               {fmt::format("a rate per {} does not fit the target {}",
                            name_of_unit(fault.source->per), in_quotes(fault.target.text)),
                fmt::format("per {}", fmt::join(names, " or ")),
                {}});
    return;
  }
  constexpr double kShortestGapUs = 1000;
  if (fault.source->mean_gap_us / static_cast<double>(found->count) < kShortestGapUs) {
    errors.add(value, {fmt::format("strikes {} units more than a thousand times a second together",
                                   found->count),
                       "a longer mean time",
                       {}});
  }
  check_parts(value, fault, found->count, errors);
}

}  // namespace

void read_source(const LocatedValue& value, const Scenario& scenario, FaultSpec& fault,
                 ErrorList& errors) {
  const Fields fields(keys::source(), value);
  if (const LocatedValue* plan = fields.written("maintenance")) {
    fault.source = read_maintenance(*plan, scenario, fault, errors);
    return;
  }
  if (const LocatedValue* list = fields.written("occurrences")) {
    fault.source.emplace();
    if (fields.has("per")) fault.source->per = fields.word<RatePer>("per");
    fault.source->occurrences = read_occurrences(*list, scenario, fault, errors);
  } else {
    fault.source = read_law(fields);
  }
  const std::string clock = fields.text("clock");
  if (clock == "training") {
    fault.source->training_job =
        training_job(*fields.written("clock"), scenario, fault.target, errors);
  } else if (clock != "calendar") {
    fault.source->exposure = clock == "powered" ? Exposure::kPowered : Exposure::kAllocated;
  }
  if (const LocatedValue* mixed = fields.written("mixed")) {
    fault.source->mixed_shape = Fields(keys::mixed_rates(), *mixed).number("shape");
  }
  if (const LocatedValue* written = fields.written("bursts")) {
    const Fields burst(keys::bursts(), *written);
    fault.source->burst = Burst{.share_ppm = burst.millionths("share"),
                                .more = burst.count("more"),
                                .within_us = burst.duration("within")};
  }
  if (!fault.source->occurrences) check_source(value, scenario, fault, errors);
}

}  // namespace aftershock::sim::scenario
