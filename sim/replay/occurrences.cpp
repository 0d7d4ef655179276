#include "sim/replay/occurrences.h"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/recording/reader.h"
#include "sim/chance/draws.h"
#include "sim/faults/source.h"
#include "sim/import/moment.h"
#include "sim/replay/recorded_run.h"
#include "sim/scenario/faults/fault_catalogue.h"
#include "sim/scenario/text/node_names.h"
#include "sim/simulate/simulate.h"

namespace aftershock::sim::replay {

namespace {

using Json = nlohmann::ordered_json;

/// The target that it struck, as exactly as a target can say; empty: nothing was there.
std::string struck(const scenario::Scenario& scenario, const faults::FaultRecord& fault) {
  const scenario::TargetKind kind = scenario.faults[fault.spec].target.kind;
  if (fault.head) {
    return fmt::format("head:{}", scenario.cluster.heads[*fault.head].name);
  }
  if (kind == scenario::TargetKind::kJob || kind == scenario::TargetKind::kRank) {
    return fmt::format("job:{}/rank:{}", scenario.jobs[*fault.job].name, fault.rank);
  }
  if (kind == scenario::TargetKind::kExperiment || kind == scenario::TargetKind::kTrial) {
    return fault.experiment ? fmt::format("experiment:{}/trial:{}",
                                          scenario.experiments[*fault.experiment].name, fault.trial)
                            : std::string();
  }
  if (kind == scenario::TargetKind::kStorage || kind == scenario::TargetKind::kLink ||
      kind == scenario::TargetKind::kSwitch || kind == scenario::TargetKind::kCluster) {
    return scenario.faults[fault.spec].target.text;
  }
  if (!fault.pool) {
    return {};
  }
  const scenario::PoolSpec& pool = scenario.cluster.pools[*fault.pool];
  if (fault.domain) {
    return faults::domain_place(pool, fault);
  }
  if (fault.nodes == 0) {
    return fmt::format("pool:{}", pool.name);
  }
  if (faults::cuts_one_node(scenario, fault)) {
    return fmt::format("node:{}", scenario::node_name(pool, fault.node));
  }
  return fmt::format("accelerator:{}/{}", scenario::node_name(pool, fault.node),
                     fault.accelerator.value_or(0));
}

/// For how long, where that was drawn when it struck.
std::optional<std::int64_t> drawn_lasts_us(const scenario::Scenario& scenario,
                                           const faults::FaultRecord& fault) {
  const scenario::FaultEffect& effect = scenario.faults[fault.spec].effects[fault.effect].effect;
  if (const scenario::Occurrence* listed = faults::occurrence_of(scenario, fault);
      listed != nullptr && listed->lasts_us) {
    return listed->lasts_us;
  }
  const chance::RandomDraw draw(faults::fault_key(scenario, fault.spec, fault.branch), fault.nth,
                                chance::Purpose::kLasts);
  if (effect.lasts) {
    return std::holds_alternative<scenario::Distribution::Constant>(effect.lasts->shape)
               ? std::nullopt
               : std::optional(chance::draw_us(*effect.lasts, draw));
  }
  if (!effect.until_repaired || !fault.pool || fault.domain) {
    return std::nullopt;  // nodes that went together are repaired one by one
  }
  const scenario::PoolSpec& pool = scenario.cluster.pools[*fault.pool];
  const bool of_accelerator = fault.accelerator && scenario::of_device(effect.kind);
  const auto& law =
      of_accelerator ? pool.device_repairs[static_cast<std::size_t>(effect.needs)] : pool.repair;
  return law ? std::optional(chance::draw_us(*law, draw)) : std::nullopt;
}

Json occurrence_json(const scenario::Scenario& scenario, const faults::FaultRecord& fault) {
  Json json = {{"nth", fault.nth}, {"at", imports::duration_text(fault.t_us)}};
  if (const std::string target = struck(scenario, fault); !target.empty()) {
    json["target"] = target;
  }
  if (scenario.faults[fault.spec].effects.size() > 1) {
    json["cause"] = fault.effect;
  }
  if (const auto lasts_us = drawn_lasts_us(scenario, fault)) {
    json["lasts"] = imports::duration_text(*lasts_us);
  }
  return json;
}

}  // namespace

Json with_occurrences(const scenario::Scenario& scenario,
                      const std::vector<faults::FaultRecord>& strikes) {
  Json json = *scenario.resolved;
  for (std::size_t i = 0; i < scenario.faults.size(); ++i) {
    if (!scenario.faults[i].source) {
      continue;
    }
    Json source = {{"occurrences", Json::array()}};
    if (scenario.faults[i].source->per == scenario::RatePer::kAccelerator) {
      source["per"] = "accelerator";
    }
    if (json["faults"][i]["source"].contains("clock")) {
      source["clock"] = json["faults"][i]["source"]["clock"];
    }
    json["faults"][i]["source"] = std::move(source);
  }
  for (const faults::FaultRecord& fault : strikes) {
    if (scenario.faults[fault.spec].source) {
      json["faults"][fault.spec]["source"]["occurrences"].push_back(
          occurrence_json(scenario, fault));
    }
  }
  return json;
}

std::variant<ScriptedRun, std::string> scripted_run(const std::string& path,
                                                    const scenario::ReadOptions& makers) {
  auto opened = open_recorded_run(path, makers);
  if (auto* problem = std::get_if<std::string>(&opened)) {
    return std::move(*problem);
  }
  const auto& recorded = std::get<RecordedRun>(opened);
  reports::RecordingReader& reader = *recorded.reader;
  while (reader.next() != nullptr) {
  }
  if (!reader.result().readable()) {
    return reader.result().message;
  }
  std::vector<faults::FaultRecord> strikes;
  simulate::SimulateOptions options;
  options.strikes = &strikes;
  options.words = false;
  const reports::RunSummary summary = simulate::simulate(recorded.scenario, options);
  ScriptedRun run;
  run.hash = fmt::format("{:016x}", summary.hash);
  run.whole = reader.result().state == reports::ReadState::kComplete;
  if (run.whole && run.hash != reader.result().hash) {
    const std::string note = other_build_note(recorded.header);
    return fmt::format(
        "{}: its run is another one with this program (hash {}, recorded {}); `aftershock replay` "
        "says where they part{}{}",
        path, run.hash, reader.result().hash, note.empty() ? "" : "; ", note);
  }
  run.scenario = with_occurrences(*recorded.scenario, strikes);
  for (const Json& fault : run.scenario["faults"]) {
    if (fault.contains("source")) {
      ++run.sources;
      run.occurrences += static_cast<std::int64_t>(fault["source"]["occurrences"].size());
    }
  }
  return run;
}

}  // namespace aftershock::sim::replay
