#include "reports/baseline/baseline.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

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
    if (const auto* whole = std::get_if<std::int64_t>(&run.values[i]); whole && *whole != 0) {
      values[metrics()[i].name] = *whole;
    } else if (const auto* real = std::get_if<double>(&run.values[i]); real && *real != 0) {
      values[metrics()[i].name] = *real;
    }
  }
  return {{"scenario", run.key.scenario},
          {"policy", run.key.policy},
          {"seed", run.key.seed},
          {"text", run.text},
          {"verdict", name_of(run.verdict)},
          {"outcome", run.outcome},
          {"hash", hex_text(run.hash)},
          {"metrics", values},
          {"decisions", trace_json(run.decisions)}};
}

std::string one_line(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// What keeps a run from being read; thrown within this file only.
struct Unreadable {
  std::string what;
};

const json& member(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) {
    throw Unreadable{fmt::format("\"{}\" is missing", key)};
  }
  return *found;
}

std::string text_of(const json& object, const char* key) {
  const json& value = member(object, key);
  if (!value.is_string()) {
    throw Unreadable{fmt::format("\"{}\" is no text", key)};
  }
  return value.get<std::string>();
}

std::uint64_t hex_of(const json& value, const char* key) {
  std::uint64_t number = 0;
  const auto* text = value.get_ptr<const std::string*>();
  if (text == nullptr || text->size() != 16 ||
      std::from_chars(text->data(), text->data() + 16, number, 16).ptr != text->data() + 16) {
    throw Unreadable{fmt::format("\"{}\" is no hash of 16 hex digits", key)};
  }
  return number;
}

template <class Number>
Number number_in(const json& object, const char* key) {
  const json& value = member(object, key);
  if (!value.is_number_unsigned()) {
    throw Unreadable{fmt::format("\"{}\" is no whole number", key)};
  }
  return value.get<Number>();
}

const json& list_in(const json& object, const char* key) {
  const json& value = member(object, key);
  if (!value.is_array()) {
    throw Unreadable{fmt::format("\"{}\" is no list", key)};
  }
  return value;
}

/// "TEXT x12" again as text and number. No text of ours ends like that by itself.
KeptDecision kept_from(const std::string& text) {
  const auto at = text.rfind(" x");
  std::int64_t times = 0;
  const char* end = text.data() + text.size();
  if (at != text.npos && at + 2 < text.size()) {
    const auto [stopped, problem] = std::from_chars(text.data() + at + 2, end, times);
    if (problem == std::errc{} && stopped == end && times > 1) {
      return {text.substr(0, at), times};
    }
  }
  return {text, 1};
}

DecisionTrace trace_from(const json& told) {
  DecisionTrace trace;
  trace.count = number_in<std::int64_t>(told, "count");
  trace.hash = hex_of(member(told, "hash"), "hash");
  for (const json& text : list_in(told, "first")) {
    if (!text.is_string()) {
      throw Unreadable{"a decision is no text"};
    }
    trace.first.push_back(kept_from(text.get<std::string>()));
  }
  for (const json& mark : list_in(told, "marks")) {
    trace.marks.push_back(hex_of(mark, "marks"));
  }
  return trace;
}

std::vector<MetricValue> values_from(const json& told) {
  std::vector<MetricValue> values(metrics().size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto found = told.find(metrics()[i].name);
    if (found == told.end()) {
      continue;
    }
    if (found->is_number_integer()) {
      values[i] = found->get<std::int64_t>();
    } else if (found->is_number()) {
      values[i] = found->get<double>();
    } else {
      throw Unreadable{fmt::format("metric \"{}\" is no number", metrics()[i].name)};
    }
  }
  return values;
}

BaselineRun run_from(const json& told) {
  if (!told.is_object()) {
    throw Unreadable{"is no object"};
  }
  BaselineRun run;
  run.key = {text_of(told, "scenario"), text_of(told, "policy"),
             number_in<std::uint64_t>(told, "seed")};
  run.text = text_of(told, "text");
  const std::string verdict = text_of(told, "verdict");
  const auto named = verdict_named(verdict);
  if (!named) {
    throw Unreadable{fmt::format("\"{}\" is no verdict", verdict)};
  }
  run.verdict = *named;
  run.outcome = text_of(told, "outcome");
  run.hash = hex_of(member(told, "hash"), "hash");
  const json& values = member(told, "metrics");
  const json& decisions = member(told, "decisions");
  if (!values.is_object() || !decisions.is_object()) {
    throw Unreadable{"\"metrics\" or \"decisions\" is no object"};
  }
  run.values = values_from(values);
  run.decisions = trace_from(decisions);
  return run;
}

Baseline baseline_from(const json& whole) {
  Baseline baseline;
  baseline.known.resize(metrics().size());
  for (const json& name : list_in(whole, "metrics")) {
    const auto* text = name.get_ptr<const std::string*>();
    if (const auto place = text == nullptr ? std::nullopt : metric_named(*text)) {
      baseline.known[*place] = true;
    }
  }
  std::int64_t nth = 0;
  for (const json& told : list_in(whole, "runs")) {
    ++nth;
    try {
      baseline.runs.push_back(run_from(told));
    } catch (const Unreadable& problem) {
      throw Unreadable{fmt::format("run {}: {}", nth, problem.what)};
    }
  }
  std::ranges::sort(baseline.runs, {}, &BaselineRun::key);
  const auto twice = std::ranges::adjacent_find(baseline.runs, {}, &BaselineRun::key);
  if (twice != baseline.runs.end()) {
    throw Unreadable{fmt::format("{}, {}, seed {} is there twice", twice->key.scenario,
                                 twice->key.policy, twice->key.seed)};
  }
  return baseline;
}

}  // namespace

const BaselineRun* Baseline::find(const RunKey& key) const {
  const auto found = std::ranges::lower_bound(runs, key, {}, &BaselineRun::key);
  return found != runs.end() && found->key == key ? &*found : nullptr;
}

std::string scenario_digest(std::string_view scenario_json) {
  json scenario = json::parse(scenario_json, nullptr, false);
  if (scenario.is_object()) {
    for (const char* key :
         {"$schema", "name", "question", "notes", "tags", "seed", "expect", "check"}) {
      scenario.erase(key);
    }
  }
  return text_digest(one_line(scenario));
}

std::string baseline_text(std::vector<BaselineRun> runs) {
  std::ranges::sort(runs, {}, &BaselineRun::key);
  std::vector<std::string_view> names = metric_names();
  std::ranges::sort(names);
  std::string text = fmt::format("{{\n\"metrics\": {},\n\"runs\": [", one_line(names));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    text += (i == 0 ? "\n" : ",\n") + one_line(run_json(runs[i]));
  }
  return text + fmt::format("\n],\n\"schema\": {}\n}}\n", kBaselineSchema);
}

std::variant<Baseline, std::string> read_baseline(std::string_view text, std::string_view name) {
  json whole;
  try {
    whole = json::parse(text);
  } catch (const json::exception& error) {
    const auto place = std::min(text.find("\n<<<<<<<"), text.find("\n======="));
    return place != text.npos
               ? fmt::format(
                     "{}: has conflicts of a merge in it; take one side, or write it anew "
                     "with --update-baseline",
                     name)
               : fmt::format("{}: is no JSON: {}", name, error.what());
  }
  try {
    if (!whole.is_object() || !whole.contains("schema") || !whole.contains("runs")) {
      throw Unreadable{"is no baseline; `aftershock check PATHS --update-baseline` writes one"};
    }
    if (whole["schema"] != kBaselineSchema) {
      throw Unreadable{
          fmt::format("is a baseline of schema {}, and this program reads {}; write it anew with "
                      "--update-baseline",
                      one_line(whole["schema"]), kBaselineSchema)};
    }
    return baseline_from(whole);
  } catch (const Unreadable& problem) {
    return fmt::format("{}: {}", name, problem.what);
  }
}

}  // namespace aftershock::reports
