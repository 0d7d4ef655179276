#include "sim/scenario/read_source.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/scenario/fields.h"
#include "sim/scenario/keys.h"
#include "sim/scenario/target.h"

namespace aftershock::sim {
namespace {

/// What a process can run on for a target, and how many units of it there are.
struct Units {
  RatePer per;
  std::uint64_t count;
};

std::vector<Units> units_of(const Scenario& scenario, const Target& target, bool whole_target) {
  const PoolSpec& pool = pool_of(scenario, target);
  const std::uint64_t accelerators = pool.accelerators_per_node;
  switch (target.kind) {
    case TargetKind::kNode:
      if (whole_target) return {{RatePer::kNode, 1}};
      return {{RatePer::kNode, 1}, {RatePer::kAccelerator, accelerators}};
    case TargetKind::kAccelerator:
      return {{RatePer::kAccelerator, 1}};
    case TargetKind::kPool:
      if (whole_target) return {{RatePer::kPool, 1}};
      return {{RatePer::kNode, pool.max_nodes},
              {RatePer::kAccelerator, pool.max_nodes * accelerators},
              {RatePer::kPool, 1}};
    case TargetKind::kJob:
    case TargetKind::kRank:
    case TargetKind::kExperiment:
    case TargetKind::kTrial:
      return {{RatePer::kJob, 1}};
    case TargetKind::kHead:
      return {{RatePer::kNode, 1}};
    case TargetKind::kRack:
      break;  // no unit: a rack has no rate of its own
  }
  return {};
}

std::string_view name_of_unit(RatePer per) {
  constexpr std::array<std::string_view, 4> kNames{"node", "accelerator", "job", "pool"};
  return kNames[static_cast<std::size_t>(per)];
}

/// Where in a source its unit is written.
const LocatedValue& unit_value(const LocatedValue& source) {
  const LocatedValue* exponential = source.find("exponential");
  return exponential != nullptr ? *exponential->find("per") : *source.find("rate");
}

/// The job whose training is the clock of a source with this target.
std::optional<std::uint32_t> training_job(const LocatedValue& clock, const Scenario& scenario,
                                          const Target& target, ErrorList& errors) {
  if (target.kind == TargetKind::kJob || target.kind == TargetKind::kRank) return target.job;
  if (target.kind == TargetKind::kHead || of_experiment(target)) {
    errors.add(clock, {fmt::format("{} is no part of a job", in_quotes(target.text)),
                       "\"cluster\", or another target",
                       {}});
    return std::nullopt;
  }
  const auto in_pool = [&](const JobSpec& job) { return job.pool == target.pool; };
  const auto count = std::ranges::count_if(scenario.jobs, in_pool);
  if (count != 1) {
    errors.add(clock, {fmt::format("{} jobs of pool {} could be the one that trains",
                                   count == 0 ? "no" : std::to_string(count),
                                   in_quotes(scenario.cluster.pools[target.pool].name)),
                       count == 0 ? "\"cluster\"" : "\"cluster\", or a target within a job",
                       {}});
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(std::ranges::find_if(scenario.jobs, in_pool) -
                                    scenario.jobs.begin());
}

StochasticSource read_rate(const Fields& fields) {
  if (fields.has("rate")) {
    return std::get<StochasticSource>(parse_failure_rate(fields.text("rate")));
  }
  const Fields exponential(keys::exponential_source(), *fields.written("exponential"));
  return {.mean_gap_us = static_cast<long double>(exponential.duration("mtbf")),
          .per = exponential.word<RatePer>("per")};
}

/// Whether the one lies within the other.
bool is_within(const Target& part, const Target& whole) {
  const bool of_job = whole.kind == TargetKind::kJob || whole.kind == TargetKind::kRank;
  if (of_job || part.kind == TargetKind::kRank) {
    return of_job && part.kind == TargetKind::kRank && part.job == whole.job;
  }
  if (of_experiment(whole) || of_experiment(part)) {
    return of_experiment(whole) && part.kind == TargetKind::kTrial &&
           part.experiment == whole.experiment;
  }
  if (whole.kind == TargetKind::kHead || part.kind == TargetKind::kHead) {
    return part.kind == whole.kind && part.head == whole.head;
  }
  return part.pool == whole.pool &&
         (part.kind == TargetKind::kNode || part.kind == TargetKind::kAccelerator);
}

std::vector<Occurrence> read_occurrences(const LocatedValue& list, const Scenario& scenario,
                                         const FaultSpec& fault, ErrorList& errors) {
  std::vector<Occurrence> occurrences;
  for (const LocatedValue& value : std::get<LocatedValue::List>(list.data)) {
    const Fields fields(keys::occurrence(), value);
    Occurrence& one = occurrences.emplace_back();
    one.nth = static_cast<std::uint64_t>(fields.integer("nth"));
    one.at_us = fields.duration("at");
    one.lasts_us = fields.optional_duration("lasts");
    if (occurrences.size() > 1 && occurrences[occurrences.size() - 2].at_us > one.at_us) {
      errors.add(*fields.written("at"),
                 {"earlier than the occurrence before", "them in the order of time", {}});
    }
    if (const LocatedValue* cause = fields.written("cause")) {
      one.cause = fields.count("cause");
      if (*one.cause >= fault.effects.size()) {
        errors.add(*cause, {fmt::format("there are {} causes", fault.effects.size()),
                            fmt::format("from 0 to {}", fault.effects.size() - 1),
                            {}});
      }
    }
    const LocatedValue* target = fields.written("target");
    if (target == nullptr) continue;
    auto resolved = resolve_target(scenario, fields.text("target"));
    if (auto* problem = std::get_if<TextProblem>(&resolved)) {
      errors.add(*target, std::move(*problem));
      continue;
    }
    one.target = std::get<Target>(std::move(resolved));
    if (!is_within(*one.target, fault.target)) {
      errors.add(*target, {fmt::format("is no part of {}", in_quotes(fault.target.text)),
                           "one node, accelerator, rank or trial of it",
                           {}});
    }
  }
  return occurrences;
}

void check_source(const LocatedValue& value, const Scenario& scenario, const FaultSpec& fault,
                  ErrorList& errors) {
  const bool whole = std::any_of(
      fault.effects.begin(), fault.effects.end(),
      [](const WeightedEffect& each) { return each.effect.kind == FaultKind::kPartition; });
  const auto units = units_of(scenario, fault.target, whole);
  const auto found = std::find_if(units.begin(), units.end(),
                                  [&](const Units& each) { return each.per == fault.source->per; });
  if (found == units.end()) {
    std::vector<std::string_view> names;
    names.reserve(units.size());
    for (const Units& each : units) names.push_back(name_of_unit(each.per));
    errors.add(unit_value(value),
               {fmt::format("a rate per {} does not fit the target {}",
                            name_of_unit(fault.source->per), in_quotes(fault.target.text)),
                names.empty() ? "another target: a rack has no rate"
                              : fmt::format("per {}", fmt::join(names, " or ")),
                {}});
    return;
  }
  constexpr long double kShortestGapUs = 1000;
  if (fault.source->mean_gap_us / static_cast<long double>(found->count) < kShortestGapUs) {
    errors.add(value, {fmt::format("strikes {} units more than a thousand times a second together",
                                   found->count),
                       "a longer mean time",
                       {}});
  }
}

}  // namespace

void read_source(const LocatedValue& value, const Scenario& scenario, FaultSpec& fault,
                 ErrorList& errors) {
  const Fields fields(keys::source(), value);
  if (const LocatedValue* list = fields.written("occurrences")) {
    fault.source.emplace();
    fault.source->occurrences = read_occurrences(*list, scenario, fault, errors);
  } else {
    fault.source = read_rate(fields);
  }
  if (fields.text("clock") == "training") {
    fault.source->training_job =
        training_job(*fields.written("clock"), scenario, fault.target, errors);
  }
  if (!fault.source->occurrences) check_source(value, scenario, fault, errors);
}

}  // namespace aftershock::sim
