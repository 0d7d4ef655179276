#include "reports/baseline/baseline.h"

#include <algorithm>
#include <type_traits>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/json/json_as_text.h"
#include "reports/recording/header.h"

namespace aftershock::reports {
namespace {

using nlohmann::json;

std::string hex_text(std::uint64_t value) { return fmt::format("{:016x}", value); }

json trace_json(const DecisionTrace& trace) {
  json first = json::array();
  for (const KeptDecision& kept : trace.first) {
    first.push_back(kept.times == 1 ? kept.text : fmt::format("{} x{}", kept.text, kept.times));
  }
  json marks = json::array();
  for (const std::uint64_t mark : trace.marks) {
    marks.push_back(hex_text(mark));
  }
  return {
      {"count", trace.count}, {"first", first}, {"hash", hex_text(trace.hash)}, {"marks", marks}};
}

json run_json(const BaselineRun& run) {
  json values = json::object();
  for (std::size_t i = 0; i < run.values.size(); ++i) {
    // Most are nothing or 0, which a judgement treats alike: the file would be twice as long.
    const bool known = run.known.empty() || run.known[i];
    if (!known) {
      values[metrics()[i].name] = nullptr;
    }
    if (!known || number_of(run.values[i]).value_or(0) == 0) {
      continue;
    }
    json& value = values[metrics()[i].name];
    std::visit(
        [&value](const auto& number) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(number)>, std::monostate>) {
            value = number;
          }
        },
        run.values[i]);
  }
  json line = {{"scenario", run.key.scenario},
               {"policy", run.policy},
               {"seed", run.key.seed},
               {"text", run.text},
               {"verdict", name_of(run.verdict)},
               {"outcome", run.outcome},
               {"hash", hex_text(run.hash)},
               {"metrics", values},
               {"decisions", trace_json(run.decisions)}};
  if (!run.key.variant.empty()) {
    line["variant"] = run.key.variant;
  }
  return line;
}

}  // namespace

const BaselineRun* Baseline::find(const RunKey& key) const {
  const auto found = std::ranges::lower_bound(runs, key, {}, &BaselineRun::key);
  return found != runs.end() && found->key == key ? &*found : nullptr;
}

const BaselineRun* Baseline::find_like(const RunKey& key) const {
  if (const BaselineRun* found = find(key)) {
    return found;
  }
  const BaselineRun* only = nullptr;
  for (const BaselineRun& run : runs) {
    if (run.key.scenario == key.scenario && run.key.seed == key.seed) {
      if (only != nullptr) {
        return nullptr;
      }
      only = &run;
    }
  }
  return only;
}

std::string scenario_digest(std::string_view scenario_json) {
  json scenario = json_or_discarded<json>(scenario_json);
  if (scenario.is_object()) {
    for (const char* key :
         {"$schema", "name", "question", "notes", "tags", "seed", "expect", "check"}) {
      scenario.erase(key);
    }
  }
  return text_digest(text_from_json(scenario));
}

std::string baseline_text(std::vector<BaselineRun> runs) {
  std::ranges::sort(runs, {}, &BaselineRun::key);
  std::string text = "{\n\"runs\": [";
  for (std::size_t i = 0; i < runs.size(); ++i) {
    text += (i == 0 ? "\n" : ",\n") + text_from_json(run_json(runs[i]));
  }
  return text + fmt::format("\n],\n\"metrics\": {},\n\"schema\": {}\n}}\n",
                            text_from_json(json(metric_names())), kBaselineSchema);
}

}  // namespace aftershock::reports
