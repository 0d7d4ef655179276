#include "reports/render/recording_spans.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "reports/json/json_as_text.h"
#include "reports/render/format.h"

namespace aftershock::reports {

namespace {

using RecordJson = nlohmann::json;

std::string exported(std::string_view text) { return printable(text, true); }

std::string exported_member(const RecordJson& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? exported(found->get<std::string>())
                                                   : std::string();
}

std::string digits_member(const RecordJson& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number_integer()
             ? std::to_string(found->get<std::int64_t>())
             : std::string();
}

std::string_view part_of(const Record& record) {
  switch (record.kind) {
    case LineKind::kDecision:
      return "decisions";
    case LineKind::kFault:
      return "faults";
    case LineKind::kInstant:
      return "marks";
    default:
      break;
  }
  if (record.what == "attempt") {
    return "attempts";
  }
  if (record.what == "uploading" || record.what == "committing") {
    return "checkpoints";
  }
  const bool works = record.on.starts_with("job:") || record.on.starts_with("experiment:");
  return works ? "phases" : "states";
}

std::string rules_in(const RecordJson& json) {
  std::string rules;
  const auto steps = json.find("steps");
  if (steps == json.end() || !steps->is_array()) {
    return rules;
  }
  for (const RecordJson& step : *steps) {
    if (step.is_object()) {
      const std::string rule = exported_member(step, "rule");
      rules += (rules.empty() || rule.empty() ? "" : ", ") + rule;
    }
  }
  return rules;
}

/// Members that say more than the words do.
std::string members_of(const RecordJson& json) {
  std::string text;
  for (const auto& [key, value] : json.items()) {
    constexpr std::string_view kSaid[] = {"t", "r", "on", "id", "what", "cause", "fault", "check"};
    if (std::ranges::find(kSaid, key) == std::end(kSaid) && value.is_primitive()) {
      text += (text.empty() ? "" : ", ") + exported(key) + " " +
              (value.is_string() ? exported(value.get<std::string>()) : text_from_json(value));
    }
  }
  return text;
}

}  // namespace

SpanWords RecordWords::of(const Record& record) {
  const RecordJson json = json_or_discarded<RecordJson>(record.text);
  SpanWords words;
  words.lane = exported(record.on);
  words.part = part_of(record);
  if (!json.is_object()) {
    return words;
  }
  if (record.kind == LineKind::kFault) {
    words.kind = "fault";
    words.what = exported_member(json, "kind");
    words.fault = exported_member(json, "id");
    const std::string outcome = exported_member(json, "outcome");
    words.detail =
        exported_member(json, "what") + ", " + exported_member(json, "target") + ", " + outcome;
    if (outcome == "fired" && json.contains("number") && json["number"].is_number_integer()) {
      words.fault_number = json["number"].get<std::int64_t>();
      faults_[*words.fault_number] = words.fault;
      numbers_[words.fault] = *words.fault_number;
    }
    return words;
  }
  if (record.cause && *record.cause >= 0) {
    words.fault_number = record.cause;
    const auto found = faults_.find(*record.cause);
    words.fault = found == faults_.end() ? std::string() : found->second;
  }
  if (const std::string id = exported_member(json, "fault"); !id.empty()) {
    words.fault = id;
    const auto found = numbers_.find(id);
    words.fault_number = found == numbers_.end() ? std::nullopt : std::optional(found->second);
  }
  if (record.kind == LineKind::kDecision) {
    words.kind = "decision";
    words.detail = rules_in(json);
    words.what = words.detail.empty() ? "decision" : words.detail.substr(0, words.detail.find(','));
    return words;
  }
  words.kind = exported(record.what);
  words.what = words.kind;
  std::ranges::replace(words.what, '_', ' ');
  if (words.part == "attempts") {
    words.number = digits_member(json, "epoch");
    words.what += " " + words.number;
  } else if (words.part == "checkpoints") {
    words.number = digits_member(json, "checkpoint");
  }
  words.detail = members_of(json);
  return words;
}

}  // namespace aftershock::reports
