#include "tests/unit/gui/trace/naive_trace.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/json/json_as_text.h"

namespace aftershock::gui::testing {

namespace {

using nlohmann::json;

constexpr std::array<std::string_view, kSubLanes> kSubNames{
    "phases", "attempts", "checkpoints", "states", "others", "faults", "decisions", "marks"};

struct NaiveSpan {
  std::string lane;
  std::int64_t begin = 0;
  std::int64_t end = kOpen;
  std::string kind;
  std::int64_t line = 0;
  std::string number;  ///< or word
};

class Naive {
 public:
  void take(const std::string& text, std::int64_t line);
  std::vector<std::string> told();

 private:
  std::size_t open(const std::string& on, const std::string& sub, const std::string& kind,
                   std::string number = "-");
  void begin();
  void end();
  void instant();
  void fault();
  void state(const std::string& on, const std::string& kind, bool begins);
  void cause(std::size_t span);

  json record_;
  std::int64_t t_ = 0;
  std::int64_t line_ = 0;
  std::vector<NaiveSpan> spans_;
  std::map<std::uint64_t, std::size_t> open_;
  std::map<std::pair<std::string, std::string>, std::size_t> states_;
  struct Cause {
    std::int64_t number = 0;
    std::size_t span = 0;
    std::optional<std::size_t> fault;
  };
  std::vector<Cause> causes_;
  std::vector<json> faults_;
  std::vector<std::optional<std::int64_t>> fired_;  ///< numbers of those that fired
  std::vector<std::string> decisions_;
  std::map<std::pair<std::string, std::string>, std::string> counters_;
  std::vector<std::string> closing_;
  std::int64_t lone_ends_ = 0;
  std::int64_t twice_ = 0;
};

std::string text_or(const json& record, const char* key, const std::string& other = "") {
  const auto found = record.find(key);
  return found != record.end() && found->is_string() ? found->get<std::string>() : other;
}

std::optional<std::int64_t> whole(const json& record, const char* key) {
  const auto found = record.find(key);
  if (found == record.end() || !found->is_number_integer()) {
    return std::nullopt;
  }
  return found->get<std::int64_t>();
}

std::size_t Naive::open(const std::string& on, const std::string& sub, const std::string& kind,
                        std::string number) {
  spans_.push_back({fmt::format("{}|{}", on, sub), t_, kOpen, kind, line_, std::move(number)});
  return spans_.size() - 1;
}

void Naive::cause(std::size_t span) {
  auto number = whole(record_, "cause");
  if (const auto fault = whole(record_, "fault")) {
    number = fault;
  }
  if (!number || *number < 0) {
    return;
  }
  std::optional<std::size_t> known;
  for (std::size_t i = 0; i < faults_.size(); ++i) {
    known = fired_[i] == *number ? i : known;
  }
  causes_.push_back({*number, span, known});
}

void Naive::begin() {
  static const std::set<std::string> kStates{"down", "cut", "isolated", "repairing", "slow"};
  static const std::set<std::string> kNone{"fault", "decision", "mark", "other"};
  std::string what = text_or(record_, "what");
  std::string kind = what == "training"        ? "productive"
                     : what == "checkpointing" ? "checkpoint_blocking"
                                               : what;
  std::string sub = "phases";
  std::string number = "-";
  const bool known = std::ranges::find(kKindNames, std::string_view(kind)) != kKindNames.end();
  if (!known || kNone.contains(kind)) {
    sub = "others";
    number = what;
    kind = "other";
  } else if (kind == "attempt") {
    sub = "attempts";
    number = std::to_string(std::max(std::int64_t{0}, whole(record_, "epoch").value_or(0)));
  } else if (kind == "uploading" || kind == "committing") {
    sub = "checkpoints";
    number = std::to_string(std::max(std::int64_t{0}, whole(record_, "checkpoint").value_or(0)));
  } else if (kStates.contains(kind)) {
    sub = "states";
  }
  const std::size_t span = open(text_or(record_, "on"), sub, kind, number);
  if (record_.contains("id") && record_["id"].is_number()) {
    const auto id = record_["id"].get<std::uint64_t>();
    twice_ += open_.contains(id) ? 1 : 0;
    open_[id] = span;
  }
  cause(span);
}

void Naive::end() {
  const auto found = record_.contains("id") && record_["id"].is_number()
                         ? open_.find(record_["id"].get<std::uint64_t>())
                         : open_.end();
  if (found == open_.end()) {
    ++lone_ends_;
    return;
  }
  NaiveSpan& span = spans_[found->second];
  span.end = t_;
  open_.erase(found);
  if (span.kind == "down") {
    state(span.lane.substr(0, span.lane.rfind('|')), "isolated", false);
  }
}

void Naive::state(const std::string& on, const std::string& kind, bool begins) {
  const auto found = states_.find({on, kind});
  if (begins && found == states_.end()) {
    const std::size_t span = open(on, "states", kind);
    states_[{on, kind}] = span;
    cause(span);
  } else if (!begins && found != states_.end()) {
    spans_[found->second].end = t_;
    states_.erase(found);
  }
}

void Naive::instant() {
  const std::string on = text_or(record_, "on");
  const std::string what = text_or(record_, "what");
  const std::size_t span = open(on, "marks", "mark", what);
  spans_[span].end = t_;
  cause(span);
  static const std::set<std::string> kWell{"repaired", "retired", "released", "new_machine"};
  if (what == "down" || what == "up") {
    state(on, "down", what == "down");
  } else if (what == "isolated" || kWell.contains(what)) {
    state(on, "isolated", what == "isolated");
  } else if (what == "partition_healed") {
    const std::int64_t number =
        whole(record_, "fault").value_or(whole(record_, "cause").value_or(-1));
    const auto healed = std::find_if(faults_.rbegin(), faults_.rend(), [&](const json& fault) {
      return fault["fired"] == true && fault["number"] == number;
    });
    if (healed != faults_.rend() && (*healed)["kind"] == "partition" &&
        (*healed)["healed"] == kOpen) {
      (*healed)["healed"] = t_;
      const std::string target = (*healed)["target"];
      const bool cut = std::ranges::any_of(faults_, [&](const json& fault) {
        return fault["fired"] == true && fault["kind"] == "partition" &&
               fault["target"] == target && fault["healed"] == kOpen && fault["number"] >= 0;
      });
      if (!cut) {
        state(target, "cut", false);
      }
    }
  }
}

void Naive::fault() {
  json fault;
  fault["t"] = t_;
  fault["number"] = whole(record_, "number").value_or(-1);
  for (const char* key : {"id", "kind", "what", "target"}) {
    fault[key] = text_or(record_, key);
  }
  fault["fired"] = text_or(record_, "outcome") == "fired";
  fault["on"] = text_or(record_, "on");
  fault["line"] = line_;
  fault["healed"] = kOpen;
  const std::size_t span =
      open(text_or(record_, "on"), "faults", "fault", std::to_string(faults_.size()));
  spans_[span].end = t_;
  faults_.push_back(fault);
  fired_.push_back(fault["fired"] == true ? whole(fault, "number") : std::nullopt);
  if (fault["fired"] == true && fault["number"] >= 0 && fault["kind"] == "partition") {
    state(fault["target"], "cut", true);
  }
}

void Naive::take(const std::string& text, std::int64_t line) {
  record_ = reports::json_from_text(text);
  line_ = line;
  const std::string r = record_["r"];
  if (r == "header") {
    return;
  }
  t_ = record_["t"];
  const std::string on = text_or(record_, "on");
  if (r == "begin") {
    begin();
  } else if (r == "end") {
    end();
  } else if (r == "instant") {
    instant();
  } else if (r == "fault") {
    fault();
  } else if (r == "decision") {
    const std::size_t span = open(on, "decisions", "decision", std::to_string(decisions_.size()));
    spans_[span].end = t_;
    decisions_.push_back(fmt::format("decision {} {} {} {} {} {}", t_, on,
                                     whole(record_, "batch").value_or(0),
                                     text_or(record_, "fault", "none"),
                                     record_.value("false_alarm", json(false)) == true, line));
  } else if (r == "counter" && whole(record_, "value") && record_["name"].is_string()) {
    counters_[{on, record_["name"]}] += fmt::format(" {}={}", t_, *whole(record_, "value"));
  } else if (r == "ledger") {
    closing_.push_back("ledger " + on + " " + text);
  } else if (r == "summary") {
    closing_.push_back("summary " + std::to_string(record_["summary"].size()));
  }
}

std::vector<std::string> Naive::told() {
  std::vector<std::string> all = decisions_;
  all.insert(all.end(), closing_.begin(), closing_.end());
  std::map<std::string, int> in_lane;
  for (const NaiveSpan& span : spans_) {
    all.push_back(fmt::format("span {} #{} {} {} {} {} {}", span.lane, in_lane[span.lane]++,
                              span.begin, span.end, span.kind, span.line, span.number));
  }
  for (const json& fault : faults_) {
    all.push_back("fault " + reports::text_from_json(fault));
  }
  for (const auto& [key, values] : counters_) {
    all.push_back("counter " + key.first + " " + key.second + values);
  }
  for (Cause& cause : causes_) {
    for (std::size_t i = 0; i < faults_.size() && !cause.fault; ++i) {
      if (fired_[i] == cause.number) {
        cause.fault = i;
      }
    }
    if (cause.fault) {
      const NaiveSpan& span = spans_[cause.span];
      all.push_back(fmt::format("effect {} {} {}", *cause.fault, span.lane, span.line));
    }
  }
  all.push_back(fmt::format("odd {} {}", lone_ends_, twice_));
  std::ranges::sort(all);
  return all;
}

std::string lane_name(const Trace& trace, const Lane& lane) {
  return fmt::format("{}|{}", trace.entities[lane.entity],
                     kSubNames[static_cast<std::size_t>(lane.sub)]);
}

void tell_lane(const Trace& trace, const Lane& lane, std::vector<std::string>& all) {
  const LaneSpans spans = lane.columns.spans();
  for (std::size_t i = 0; i < spans.size(); ++i) {
    std::string number = "-";
    if (lane.sub == SubLane::kMarks || lane.sub == SubLane::kOthers) {
      number = trace.texts[lane.columns.numbers()[i]];
    } else if (has_numbers(lane.sub)) {
      number = std::to_string(lane.columns.numbers()[i]);
    }
    all.push_back(fmt::format("span {} #{} {} {} {} {} {}", lane_name(trace, lane), i,
                              spans.begin_us[i], spans.end_us[i], name_of(spans.kind[i]),
                              lane.columns.lines()[i], number));
  }
}

json json_of(const Trace& trace, const Fault& fault) {
  return {{"t", fault.t_us},
          {"number", fault.number},
          {"id", trace.texts[fault.id]},
          {"kind", trace.texts[fault.kind]},
          {"what", trace.texts[fault.what]},
          {"target", trace.texts[fault.target]},
          {"fired", fault.fired},
          {"on", trace.entities[fault.entity]},
          {"line", fault.line},
          {"healed", fault.healed_us}};
}

}  // namespace

std::string difference(const std::vector<std::string>& found,
                       const std::vector<std::string>& expected) {
  constexpr std::size_t kShown = 300;
  const auto [a, b] = std::ranges::mismatch(found, expected);
  if (a == found.end() && b == expected.end()) {
    return "";
  }
  return fmt::format("found    {}\nexpected {}", a == found.end() ? "-" : a->substr(0, kShown),
                     b == expected.end() ? "-" : b->substr(0, kShown));
}

std::vector<std::string> told_naively(const std::string& text) {
  Naive naive;
  std::istringstream lines(text);
  std::int64_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    naive.take(line, ++number);
  }
  return naive.told();
}

std::vector<std::string> told_of(const Trace& trace) {
  std::vector<std::string> all;
  for (const Lane& lane : trace.lanes) {
    tell_lane(trace, lane, all);
  }
  for (const Fault& fault : trace.faults) {
    all.push_back("fault " + reports::text_from_json(json_of(trace, fault)));
  }
  for (const Decision& decision : trace.decisions) {
    all.push_back(fmt::format("decision {} {} {} {} {} {}", decision.t_us,
                              trace.entities[decision.entity], decision.batch,
                              decision.fault == kNoText ? "none" : trace.texts[decision.fault],
                              decision.false_alarm, decision.line));
  }
  for (const Counter& counter : trace.counters) {
    std::string said =
        fmt::format("counter {} {}", trace.entities[counter.entity], trace.texts[counter.name]);
    for (std::size_t i = 0; i < counter.t_us.size(); ++i) {
      said += fmt::format(" {}={}", counter.t_us[i], counter.value[i]);
    }
    all.push_back(said);
  }
  for (const Effect& effect : trace.effects) {
    const Lane& lane = trace.lanes[effect.lane];
    all.push_back(fmt::format("effect {} {} {}", effect.fault, lane_name(trace, lane),
                              lane.columns.lines()[effect.span]));
  }
  for (const LedgerText& ledger : trace.ledgers) {
    all.push_back(fmt::format("ledger {} {}", trace.entities[ledger.entity], ledger.json));
  }
  if (!trace.summary_json.empty()) {
    all.push_back("summary " + std::to_string(reports::json_from_text(trace.summary_json).size()));
  }
  all.push_back(
      fmt::format("odd {} {}", trace.oddities.ends_without_begin, trace.oddities.ids_begun_twice));
  std::ranges::sort(all);
  return all;
}

}  // namespace aftershock::gui::testing
