#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "reports/baseline/baseline.h"
#include "reports/json/json_as_text.h"

namespace aftershock::reports {
namespace {

using nlohmann::json;

/// The reason why a file cannot be read; thrown within this file only.
struct Unreadable {
  std::string what;
};

/// A value in an error: not more of it than can be read.
std::string in_short(const json& value) {
  constexpr std::size_t kShown = 60;
  if (value.is_structured()) {
    return value.is_array() ? "a list" : "an object";
  }
  std::string text = text_from_json(value, {.ascii_only = true});
  return text.size() > kShown ? text.substr(0, kShown) + "..." : text;
}

Unreadable wrong(std::string_view key, const json& value, std::string_view expected) {
  return {fmt::format("\"{}\" is {}; expected {}", key, in_short(value), expected)};
}

const json& member(const json& object, const char* key, std::string_view expected) {
  const auto found = object.find(key);
  if (found == object.end()) {
    throw Unreadable{fmt::format("\"{}\" is missing; expected {}", key, expected)};
  }
  return *found;
}

std::string text_of(const json& object, const char* key) {
  const json& value = member(object, key, "a text");
  if (!value.is_string()) {
    throw wrong(key, value, "a text");
  }
  return value.get<std::string>();
}

std::uint64_t hash_from(const json& value, const char* key) {
  std::uint64_t number = 0;
  const auto* text = value.get_ptr<const std::string*>();
  if (text == nullptr || text->size() != 16 ||
      std::from_chars(text->data(), text->data() + 16, number, 16).ptr != text->data() + 16) {
    throw wrong(key, value, "a hash of 16 hex digits");
  }
  return number;
}

std::uint64_t hash_in(const json& object, const char* key) {
  return hash_from(member(object, key, "a hash of 16 hex digits"), key);
}

template <class Number>
Number number_in(const json& object, const char* key) {
  constexpr std::string_view kExpected = "a whole number from 0 upwards";
  const json& value = member(object, key, kExpected);
  if (!value.is_number_unsigned()) {
    throw wrong(key, value, kExpected);
  }
  return value.get<Number>();
}

const json& list_in(const json& object, const char* key) {
  const json& value = member(object, key, "a list");
  if (!value.is_array()) {
    throw wrong(key, value, "a list");
  }
  return value;
}

const json& object_in(const json& object, const char* key) {
  const json& value = member(object, key, "an object");
  if (!value.is_object()) {
    throw wrong(key, value, "an object");
  }
  return value;
}

/// Of a run of schema 2 the outcomes that follow from what it has. Its useful work stays unknown.
void add_what_follows(BaselineRun& run) {
  const auto set = [&run](std::string_view metric, MetricValue value) {
    const std::size_t place = *metric_named(metric);
    run.values[place] = value;
    run.known[place] = true;
  };
  const bool ended = run.verdict == Verdict::kPassed || run.verdict == Verdict::kFailed ||
                     run.verdict == Verdict::kStuck;
  if (!ended) {
    return;  // another verdict comes before that of a job that is stuck
  }
  const bool failed = number_of(run.values[*metric_named("failed")]).value_or(0) > 0;
  const bool stuck = run.verdict == Verdict::kStuck;
  set("alive", std::int64_t{!failed && !stuck});
  set("stuck", std::int64_t{stuck});
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
  trace.hash = hash_in(told, "hash");
  for (const json& text : list_in(told, "first")) {
    if (!text.is_string()) {
      throw wrong("first", text, "decisions, each a text");
    }
    trace.first.push_back(kept_from(text.get<std::string>()));
  }
  for (const json& mark : list_in(told, "marks")) {
    trace.marks.push_back(hash_from(mark, "marks"));
  }
  return trace;
}

/// Which metrics a file of schema 3 was measured by.
std::vector<bool> known_metrics(const json& whole) {
  std::vector<bool> known(metrics().size());
  for (const json& name : list_in(whole, "metrics")) {
    if (!name.is_string()) {
      throw wrong("metrics", name, "names of metrics");
    }
    // One of a version to come is none of ours.
    if (const auto metric = metric_named(name.get_ref<const std::string&>())) {
      known[*metric] = true;
    }
  }
  return known;
}

/// `known`: metrics that the file has, whether or not this line tells them; empty: those it tells.
void read_values(const json& told, const std::vector<bool>& known, BaselineRun& run) {
  run.values.resize(metrics().size());
  run.known = known;
  run.known.resize(metrics().size());
  for (std::size_t i = 0; i < metrics().size(); ++i) {
    const std::string& name = metrics()[i].name;
    const auto found = told.find(name);
    if (found == told.end()) {
      continue;
    }
    // A line that an older program made, and that was kept.
    run.known[i] = known.empty() || !found->is_null();
    if (found->is_number_integer()) {
      run.values[i] = found->get<std::int64_t>();
    } else if (found->is_number()) {
      run.values[i] = found->get<double>();
    } else if (!found->is_null()) {
      throw wrong(name, *found, "a number, or null for nothing");
    }
  }
}

/// How a job can stand at the end of a run (sim/scenario/read_expect.cpp), and behind a comma why.
std::string outcome_in(const json& told) {
  constexpr std::array<std::string_view, 4> kOutcomes{"completed", "failed", "aborted", "running"};
  std::string outcome = text_of(told, "outcome");
  if (std::ranges::find(kOutcomes, outcome.substr(0, outcome.find(','))) == kOutcomes.end()) {
    throw wrong("outcome", told["outcome"], fmt::format("one of {}", fmt::join(kOutcomes, ", ")));
  }
  return outcome;
}

Verdict verdict_in(const json& told) {
  const auto verdict = verdict_named(text_of(told, "verdict"));
  if (!verdict) {
    std::vector<std::string_view> names;
    for (int i = 0; i <= static_cast<int>(Verdict::kInconclusive); ++i) {
      names.push_back(name_of(static_cast<Verdict>(i)));
    }
    throw wrong("verdict", told["verdict"], fmt::format("one of {}", fmt::join(names, ", ")));
  }
  return *verdict;
}

BaselineRun run_from(const json& told, const std::vector<bool>& known) {
  if (!told.is_object()) {
    throw Unreadable{fmt::format("is {}; expected an object", in_short(told))};
  }
  BaselineRun run;
  run.key = {text_of(told, "scenario"), told.contains("variant") ? text_of(told, "variant") : "",
             number_in<std::uint64_t>(told, "seed")};
  run.policy = text_of(told, "policy");
  run.text = text_of(told, "text");
  run.verdict = verdict_in(told);
  run.outcome = outcome_in(told);
  run.hash = hash_in(told, "hash");
  read_values(object_in(told, "metrics"), known, run);
  run.decisions = trace_from(object_in(told, "decisions"));
  return run;
}

/// "ci.json:4" for the nth run, from 0, where the file has a line a run as it was written.
std::string place_of_run(std::string_view text, std::string_view name, std::size_t nth,
                         const json& told) {
  std::size_t at = text.find("\"runs\": [\n");
  std::ptrdiff_t line = 2 + std::ranges::count(text.substr(0, std::min(at, text.size())), '\n');
  at = text.find('\n', at);
  for (std::size_t i = 0; at != text.npos && i < nth; ++i, ++line) {
    at = text.find('\n', at + 1);
  }
  if (at != text.npos) {
    std::string_view run = text.substr(at + 1, text.find('\n', at + 1) - at - 1);
    run = run.substr(0, run.find_last_not_of(", \r") + 1);
    if (run.starts_with('{') == told.is_object() && json::accept(run)) {
      return fmt::format("{}:{}", name, line);
    }
  }
  return fmt::format("{}: run {}", name, nth + 1);
}

Baseline baseline_from(const json& whole, std::string_view text, std::string_view name) {
  Baseline baseline;
  const json& runs = list_in(whole, "runs");
  const bool old = whole["schema"] == kOldestBaselineSchema;
  const std::vector<bool> metrics_known = old ? std::vector<bool>() : known_metrics(whole);
  std::set<RunKey> known;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    try {
      baseline.runs.push_back(run_from(runs[i], metrics_known));
    } catch (const Unreadable& problem) {
      throw Unreadable{fmt::format("{}: {}", place_of_run(text, name, i, runs[i]), problem.what)};
    }
    const RunKey& key = baseline.runs.back().key;
    if (!known.insert(key).second) {
      throw Unreadable{fmt::format("{}: {}, seed {} is there twice; expected a line a run",
                                   place_of_run(text, name, i, runs[i]), key.scenario, key.seed)};
    }
  }
  std::ranges::sort(baseline.runs, {}, &BaselineRun::key);
  return baseline;
}

/// "ci.json:4:17: is not JSON: ...", in the words of the parser that are for people.
std::string syntax_problem(std::string_view text, std::string_view name,
                           const json::parse_error& error) {
  if (std::min(text.find("\n<<<<<<<"), text.find("\n=======")) != text.npos) {
    return fmt::format(
        "{}: has conflicts of a merge in it; take one side, or write it anew with "
        "--update-baseline",
        name);
  }
  const std::string_view before = text.substr(0, std::min(text.size(), error.byte - 1));
  const auto line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  std::string words = error.what();
  if (const auto at = words.rfind(" - "); at != words.npos) {
    words.erase(0, at + 3);
  }
  constexpr std::size_t kShown = 200;
  return fmt::format("{}:{}:{}: is not JSON: {}", name, 1 + std::ranges::count(before, '\n'),
                     before.size() - line_begin + 1, words.substr(0, kShown));
}

}  // namespace

std::variant<Baseline, std::string> read_baseline(std::string_view text, std::string_view name) {
  json whole;
  try {
    whole = json_from_text<json>(text);
  } catch (const json::parse_error& error) {
    return text.empty() ? fmt::format("{}: is empty; expected a baseline", name)
                        : syntax_problem(text, name, error);
  } catch (const json::exception&) {
    return fmt::format("{}: is not JSON: a number in it is too great", name);
  }
  if (!whole.is_object() || !whole.contains("schema") || !whole.contains("runs")) {
    return fmt::format(
        "{}: is not a baseline; `aftershock check PATHS --baseline FILE --update-baseline` writes "
        "one",
        name);
  }
  const json& schema = whole["schema"];
  if (schema != kBaselineSchema && schema != kOldestBaselineSchema) {
    return fmt::format(
        "{}: is a baseline of schema {}, and this program reads {} and {}; take it away, and write "
        "it anew with --update-baseline",
        name, in_short(schema), kOldestBaselineSchema, kBaselineSchema);
  }
  try {
    Baseline baseline = baseline_from(whole, text, name);
    baseline.schema = schema.get<std::int64_t>();
    if (baseline.schema == kOldestBaselineSchema) {
      std::ranges::for_each(baseline.runs, add_what_follows);
    }
    return baseline;
  } catch (const Unreadable& problem) {
    return problem.what.starts_with(name) ? problem.what
                                          : fmt::format("{}: {}", name, problem.what);
  }
}

}  // namespace aftershock::reports
