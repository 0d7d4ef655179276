#include "sim/scenario/read/read_occurrences.h"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/scenario/faults/target.h"
#include "sim/scenario/keys/keys.h"
#include "sim/scenario/shape/fields.h"

namespace aftershock::sim::scenario {
namespace {

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
  if (part.text == whole.text) {
    return true;
  }
  if (part.kind == TargetKind::kSwitch) {
    return whole.kind == TargetKind::kPool && part.end.kind == PlaceKind::kRackSwitch &&
           part.end.pool == whole.pool;
  }
  const bool of_domain = whole.kind == TargetKind::kRack || whole.kind == TargetKind::kPowerDomain;
  const bool of_nodes = of_domain || whole.kind == TargetKind::kPool ||
                        whole.kind == TargetKind::kNode || whole.kind == TargetKind::kAccelerator;
  const bool is_node = part.kind == TargetKind::kNode || part.kind == TargetKind::kAccelerator;
  const bool is_domain = part.kind == TargetKind::kRack || part.kind == TargetKind::kPowerDomain;
  return of_nodes && part.pool == whole.pool &&
         (is_node || (whole.kind == TargetKind::kPool && is_domain));
}

}  // namespace

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
      errors.add(*target, {fmt::format("lies outside {}", in_quotes(fault.target.text)),
                           "it, or a part of it such as one node, accelerator, rank or trial",
                           {}});
    }
  }
  const bool any_target = std::ranges::any_of(
      occurrences, [](const Occurrence& one) { return one.target.has_value(); });
  if (!occurrences.empty() && !any_target) {
    errors.warn(list,
                "none of them has a target, so each finds nobody, as exported faults without one "
                "did; give those that strike their \"target\"");
  }
  return occurrences;
}

}  // namespace aftershock::sim::scenario
