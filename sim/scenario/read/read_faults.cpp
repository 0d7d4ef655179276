#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/scenario/faults/fault_catalogue.h"
#include "sim/scenario/faults/target.h"
#include "sim/scenario/keys/keys.h"
#include "sim/scenario/read/read_source.h"
#include "sim/scenario/read/sections.h"
#include "sim/scenario/shape/fields.h"
#include "sim/scenario/text/lookup.h"

namespace aftershock::sim::scenario {
namespace {

/// Causes that a ledger names beside the ids of faults.
constexpr std::array<std::string_view, 5> kLedgerCauses{"first_start", "checkpoint", "resize",
                                                        "queue", "policy"};

/// How many faults without an id there are, by their kinds and targets.
using UnnamedFaults = std::map<std::string, std::uint32_t>;

FaultKind kind_of(const LocatedValue& value) {
  const auto& word = std::get<std::string>(value.find("kind")->data);
  const auto catalogue = fault_catalogue();
  return std::find_if(catalogue.begin(), catalogue.end(),
                      [&](const FaultEntry& entry) { return entry.name == word; })
      ->kind;
}

FaultEffect read_effect(const ObjectShape& shape, const LocatedValue& value, const PoolSpec& pool,
                        ErrorList& errors) {
  const Fields fields(shape, value);
  FaultEffect effect;
  effect.kind = kind_of(value);
  effect.label = fields.has("label") ? fields.text("label") : std::string(name_of(effect.kind));
  if (const ReadFault read = entry_of(effect.kind).read) read(fields, pool, effect, errors);
  if (fields.has("times")) effect.times = fields.count("times");
  return effect;
}

/// The job whose steps or phases a fault waits for.
std::optional<std::uint32_t> job_of(const Scenario& scenario, const Target& target) {
  if (target.kind == TargetKind::kJob || target.kind == TargetKind::kRank ||
      target.kind == TargetKind::kAgent) {
    return target.job;
  }
  if (of_experiment(target)) return std::nullopt;
  return scenario.jobs.size() == 1 ? std::optional<std::uint32_t>(0) : std::nullopt;
}

PhaseTrigger read_when(const LocatedValue& value, const Scenario& scenario, const Target& target,
                       ErrorList& errors) {
  const Fields fields(keys::phase_trigger(), value);
  PhaseTrigger when;
  when.phase = fields.word<Phase>("enter");
  when.nth = fields.count("nth");
  const std::string offset = fields.text("offset");
  if (offset.ends_with('%')) {
    when.offset_ppm = std::get<std::int64_t>(parse_percentage(offset));
  } else {
    when.offset_us = fields.duration("offset");
  }
  auto job = job_of(scenario, target);
  if (const LocatedValue* written = fields.written("job")) {
    job = index_by_name(scenario.jobs, fields.text("job"));
    if (!job) errors.add(*written, no_such("job", scenario.jobs, fields.text("job")));
  } else if (!job) {
    errors.add(
        value,
        {"missing key \"job\": there are several", no_such("job", scenario.jobs, "").expected, {}});
  }
  when.job = job.value_or(0);
  return when;
}

/// Nobody starts another agent in the place of one that ended; and only agents are few enough to
/// be ended by this signal or that.
void check_agent(const LocatedValue& effect, const Target& target, ErrorList& errors) {
  if (target.kind != TargetKind::kAgent) {
    if (const LocatedValue* signal = effect.find("signal")) {
      errors.add(*signal, {"only an agent is ended by a signal of one's choice",
                           "a target such as \"job:llm/agent:0\", or no \"signal\"",
                           {}});
    }
    return;
  }
  for (const std::string_view key : {"lasts", "state"}) {
    if (const LocatedValue* written = effect.find(key)) {
      errors.add(*written, {"an agent that has ended is not started again",
                            fmt::format("no {}, or the job as the target", in_quotes(key)),
                            {}});
    }
  }
}

/// A trial is one process for all that is told of it: when that returns, it is complete.
void check_return(const LocatedValue& effect, const Target& target, ErrorList& errors) {
  const LocatedValue* code = effect.find("exit_code");
  const auto* number = code == nullptr ? nullptr : code->get_if<std::int64_t>();
  if (number != nullptr && *number == 0 && of_experiment(target)) {
    errors.add(*code, {"a trial that returns is complete, and nothing has struck it",
                       "another exit code, or a rank of a job as the target",
                       {}});
  }
}

/// Whether what the fault does can be done to its target.
void check_target(const LocatedValue& value, const FaultSpec& fault, ErrorList& errors) {
  for (const WeightedEffect& each : fault.effects) {
    const FaultEntry& entry = entry_of(each.effect.kind);
    if (std::find(entry.targets.begin(), entry.targets.end(), fault.target.kind) !=
        entry.targets.end()) {
      continue;
    }
    std::vector<std::string_view> names;
    names.reserve(entry.targets.size());
    for (const TargetKind kind : entry.targets) names.push_back(name_of(kind));
    errors.add(*value.find("target"),
               {fmt::format("{} does not strike a {}", entry.name, name_of(fault.target.kind)),
                fmt::format("a target of kind {}", fmt::join(names, ", ")),
                {}});
    return;
  }
  const auto parts_heads = [](const WeightedEffect& each) {
    return each.effect.kind == FaultKind::kHeadWorkerPartition;
  };
  if (fault.target.kind == TargetKind::kLink && fault.target.end.kind == PlaceKind::kStorage &&
      std::any_of(fault.effects.begin(), fault.effects.end(), parts_heads)) {
    errors.add(*value.find("target"),
               {"no worker and no head is beyond the link of a storage",
                "the link of a node, a rack, a pool or a head; or kind \"partition\"",
                {}});
  }
  const bool one_of_many =
      fault.target.kind == TargetKind::kPool && !strikes_pool(fault.effects.front().effect.kind);
  if (one_of_many && !fault.source) {
    errors.add(*value.find("target"),
               {"which node of a pool it strikes is only drawn by a random process",
                "\"source\", or one node, such as \"node:NAME\"",
                {}});
  }
  const auto blames = [](const WeightedEffect& each) {
    return each.effect.machine.blamed_node.has_value();
  };
  if (fault.target.kind == TargetKind::kNode &&
      fault.effects.front().effect.machine.blamed_node == std::optional(fault.target.index)) {
    errors.add(value, {"blames the node that it strikes", "another node", {}});
  } else if (of_experiment(fault.target) &&
             std::any_of(fault.effects.begin(), fault.effects.end(), blames)) {
    errors.add(value, {"nobody hears what devices of an experiment report", "no \"blames\"", {}});
  }
}

void read_trigger(const Fields& fields, const Scenario& scenario, FaultSpec& fault,
                  ErrorList& errors) {
  fault.at_us = fields.optional_duration("at");
  fault.at_step = fields.optional_integer("at_step");
  fault.every_attempt = fields.boolean("every_attempt");
  if (const LocatedValue* when = fields.written("when")) {
    fault.when = read_when(*when, scenario, fault.target, errors);
  }
  if (const LocatedValue* source = fields.written("source")) {
    read_source(*source, scenario, fault, errors);
  }
  if (fault.at_step) {
    fault.step_job = job_of(scenario, fault.target);
    if (of_experiment(fault.target)) fault.step_experiment = fault.target.experiment;
    if (!fault.step_job && !fault.step_experiment) {
      errors.add(*fields.written("at_step"),
                 {"there are several jobs whose steps could count", "a target within a job", {}});
    }
  }
  if (fault.step_job && scenario.jobs[*fault.step_job].steps &&
      !scenario.jobs[*fault.step_job].script.steps_per_attempt &&
      *fault.at_step > *scenario.jobs[*fault.step_job].steps) {
    errors.warn(*fields.written("at_step"), "never strikes: the job has fewer steps");
  }
  if (fault.step_experiment &&
      *fault.at_step > scenario.experiments[*fault.step_experiment].steps) {
    errors.warn(*fields.written("at_step"), "never strikes: the trials have fewer steps");
  }
  if (fault.at_us && scenario.until_us && *fault.at_us >= *scenario.until_us) {
    errors.warn(*fields.written("at"), "never strikes: the simulation ends before");
  }
}

/// Draws of a fault are by its id, which must not depend on what stands before it in the list: its
/// kind and target, and a number where these are those of an earlier one.
std::string default_id(const LocatedValue& value, UnnamedFaults& before) {
  const LocatedValue* kind = value.find("kind");
  std::string id =
      fmt::format("{}@{}", kind == nullptr ? "fault" : std::get<std::string>(kind->data),
                  std::get<std::string>(value.find("target")->data));
  const std::uint32_t nth = ++before[id];
  return nth == 1 ? id : fmt::format("{}@{}", id, nth);
}

Requirement read_requirement(const Fields& fields) {
  if (!fields.has("require")) return Requirement::kNone;
  // The words stand in the order of the enumeration, after kNone.
  enum class Word : std::uint8_t {};
  return static_cast<Requirement>(static_cast<std::uint8_t>(fields.word<Word>("require")) + 1);
}

void read_effects(const Fields& fields, const ObjectShape& shape, const PoolSpec& pool,
                  FaultSpec& fault, ErrorList& errors) {
  if (!fields.has("causes")) {
    check_agent(fields.object(), fault.target, errors);
    check_return(fields.object(), fault.target, errors);
    fault.effects.push_back({read_effect(shape, fields.object(), pool, errors), 1});
    return;
  }
  for (const LocatedValue& value : fields.list("causes")) {
    check_agent(value, fault.target, errors);
    check_return(value, fault.target, errors);
    const ObjectShape& cause = *keys::cause().find(std::get<std::string>(value.find("kind")->data));
    fault.effects.push_back(
        {read_effect(cause, value, pool, errors), Fields(cause, value).number("weight")});
  }
}

FaultSpec read_fault(const LocatedValue& value, UnnamedFaults& before, const Scenario& scenario,
                     ErrorList& errors) {
  const LocatedValue* kind = value.find("kind");
  const ObjectShape& shape = kind == nullptr
                                 ? keys::fault().without()
                                 : *keys::fault().find(std::get<std::string>(kind->data));
  const Fields fields(shape, value);
  FaultSpec fault;
  fault.id = fields.has("id") ? fields.text("id") : default_id(value, before);
  fault.require = read_requirement(fields);
  if (std::find(kLedgerCauses.begin(), kLedgerCauses.end(), fault.id) != kLedgerCauses.end()) {
    errors.add(*fields.written("id"),
               {fmt::format("the ledger has a cause {} of its own", in_quotes(fault.id)),
                "another id",
                {}});
  }
  auto target = resolve_target(scenario, fields.text("target"));
  if (auto* problem = std::get_if<TextProblem>(&target)) {
    errors.add(*fields.written("target"), std::move(*problem));
    return fault;  // the rest is about the target
  }
  fault.target = std::move(std::get<Target>(target));
  read_effects(fields, shape, pool_of(scenario, fault.target), fault, errors);
  if (fault.target.kind == TargetKind::kAgent) {
    for (WeightedEffect& each : fault.effects) each.effect.lasts.reset();
  }
  read_trigger(fields, scenario, fault, errors);
  check_target(value, fault, errors);
  return fault;
}

}  // namespace

void read_faults(const LocatedValue& list, Scenario& scenario, ErrorList& errors) {
  UniqueNames ids("fault");
  const auto& values = std::get<LocatedValue::List>(list.data);
  UnnamedFaults unnamed;
  for (const LocatedValue& value : values) {
    scenario.faults.push_back(read_fault(value, unnamed, scenario, errors));
    const LocatedValue* id = value.find("id");
    ids.add(scenario.faults.back().id, id == nullptr ? value : *id, errors);
  }
}

}  // namespace aftershock::sim::scenario
