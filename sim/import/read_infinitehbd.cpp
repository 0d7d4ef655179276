#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "policies/api/config.h"
#include "sim/import/trace.h"
#include "sim/scenario/text/located_json.h"
#include "sim/scenario/text/units.h"

namespace aftershock::sim::imports {

namespace {

constexpr double kDayUs = 86'400e6;
constexpr std::int64_t kObservedUs = std::int64_t{348} * 86'400'000'000;

/// Reads one list of events; gathers what is wrong.
class InfinitehbdReader {
 public:
  InfinitehbdReader(const scenario::Sources& sources, Trace& trace)
      : sources_(sources), trace_(trace) {}

  void read(const scenario::LocatedValue::List& events) {
    trace_.first_us = std::numeric_limits<std::int64_t>::max();
    for (const scenario::LocatedValue& event : events) {
      if (errors_.size() >= kMostErrors) {
        return;
      }
      read_event(event);
    }
    trace_.first_us = std::min(trace_.first_us, trace_.last_us);
    trace_.counts = {{"fault_start", starts_}, {"fault_end", ends_}};
    std::ranges::stable_sort(trace_.outages, {}, &Outage::down_us);
  }

  std::vector<scenario::ScenarioError>& errors() { return errors_; }

 private:
  static constexpr std::size_t kMostErrors = 20;

  void wrong(const scenario::LocatedValue& value, std::string message, std::string expected,
             std::string nearest = {}) {
    scenario::ScenarioError error = sources_.error_at(value.place);
    error.message = std::move(message);
    error.expected = std::move(expected);
    error.nearest = std::move(nearest);
    errors_.push_back(std::move(error));
  }

  const scenario::LocatedValue* member(const scenario::LocatedValue& event, std::string_view key) {
    const scenario::LocatedValue* value = event.find(key);
    if (value == nullptr) {
      wrong(event, fmt::format("an event without \"{}\"", key),
            "{node_id, event_time, event_type, fault_type}");
    }
    return value;
  }

  std::optional<std::int64_t> time_of(const scenario::LocatedValue& value) {
    const auto* real = value.get_if<double>();
    const auto* whole = value.get_if<std::int64_t>();
    const double days = real != nullptr    ? *real
                        : whole != nullptr ? static_cast<double>(*whole)
                                           : -1;
    const double us = days * kDayUs;
    if (!std::isfinite(us) || us < 0 || us > static_cast<double>(scenario::kHundredYearsUs)) {
      wrong(value, "this is not a time of an event", "days since the beginning, from 0 on");
      return std::nullopt;
    }
    return std::llround(us);
  }

  static std::string cause_of(const scenario::LocatedValue& type) {
    std::string cause;
    for (const std::string_view part : {"Level", "Class", "Desc"}) {
      const scenario::LocatedValue* value = type.find(part);
      if (value != nullptr && value->get_if<std::string>() != nullptr) {
        cause += (cause.empty() ? "" : ": ") + *value->get_if<std::string>();
      }
    }
    return cause;
  }

  void read_event(const scenario::LocatedValue& event) {
    const scenario::LocatedValue* node = member(event, "node_id");
    const scenario::LocatedValue* time = member(event, "event_time");
    const scenario::LocatedValue* type = member(event, "event_type");
    if (node == nullptr || time == nullptr || type == nullptr) {
      return;
    }
    const auto* name = node->get_if<std::string>();
    if (name == nullptr || name->empty()) {
      wrong(*node, "this is not the name of a node", "a text");
      return;
    }
    const auto t_us = time_of(*time);
    const auto* word = type->get_if<std::string>();
    if (word == nullptr || (*word != "fault_start" && *word != "fault_end")) {
      const std::string_view known[] = {"fault_start", "fault_end"};
      wrong(*type, "unknown type of event", "fault_start or fault_end",
            std::string(policies::nearest_name(word == nullptr ? "" : *word, known)));
      return;
    }
    if (!t_us) {
      return;
    }
    const scenario::LocatedValue* fault = event.find("fault_type");
    const std::string cause = fault == nullptr ? std::string() : cause_of(*fault);
    ++trace_.rows;
    trace_.first_us = std::min(trace_.first_us, *t_us);
    trace_.last_us = std::max(trace_.last_us, *t_us);
    take(*name, cause, *t_us, *word == "fault_start", line_of(event.place));
  }

  void take(const std::string& name, const std::string& cause, std::int64_t t_us, bool start,
            std::uint64_t line) {
    std::deque<std::size_t>& open = open_[{name, cause}];
    if (start) {
      ++starts_;
      open.push_back(trace_.outages.size());
      trace_.outages.push_back({.node = node_of(name),
                                .down_us = t_us,
                                .up_us = {},
                                .notice_us = {},
                                .cause = cause,
                                .line = line});
      return;
    }
    ++ends_;
    if (open.empty() || trace_.outages[open.front()].down_us > t_us) {
      drop(trace_.dropped, "an end of a fault that did not begin", line);
      return;
    }
    trace_.outages[open.front()].up_us = t_us;
    open.pop_front();
  }

  /// Events come as they stand in the file: lines are counted on from the last one.
  std::uint64_t line_of(scenario::Place place) {
    const std::string_view text = sources_.at(place.source).text;
    line_ += static_cast<std::uint64_t>(
        std::ranges::count(text.substr(counted_, place.offset - counted_), '\n'));
    counted_ = place.offset;
    return line_;
  }

  std::uint32_t node_of(const std::string& name) {
    const auto [found, is_new] =
        nodes_.try_emplace(name, static_cast<std::uint32_t>(trace_.nodes.size()));
    if (is_new) {
      trace_.nodes.push_back(name);
    }
    return found->second;
  }

  const scenario::Sources& sources_;
  Trace& trace_;
  std::vector<scenario::ScenarioError> errors_;
  std::map<std::string, std::uint32_t> nodes_;
  std::map<std::pair<std::string, std::string>, std::deque<std::size_t>> open_;
  std::uint64_t line_ = 1;
  std::uint64_t counted_ = 0;  ///< bytes whose lines are in it
  std::int64_t starts_ = 0;
  std::int64_t ends_ = 0;
};

}  // namespace

TraceResult read_infinitehbd(const std::string& text, const std::string& name) {
  scenario::Sources sources;
  const std::uint32_t source = sources.add({name, text, true});
  auto parsed = scenario::parse_located(sources, source);
  if (auto* error = std::get_if<scenario::ScenarioError>(&parsed)) {
    return std::vector{std::move(*error)};
  }
  const auto& root = std::get<scenario::LocatedValue>(parsed);
  const auto* events = root.get_if<scenario::LocatedValue::List>();
  if (events == nullptr) {
    scenario::ScenarioError error = sources.error_at(root.place);
    error.message = fmt::format("the file is {}", scenario::type_phrase(root));
    error.expected = "a list of events";
    return std::vector{std::move(error)};
  }
  Trace trace;
  trace.format = "infinitehbd";
  trace.until_us = kObservedUs;
  InfinitehbdReader reader(sources, trace);
  reader.read(*events);
  if (!reader.errors().empty()) {
    return std::move(reader.errors());
  }
  if (trace.last_us > kObservedUs + std::int64_t{86'400'000'000}) {
    trace.until_us = trace.last_us;  // not the trace that the publishers speak of
  }
  return trace;
}

}  // namespace aftershock::sim::imports
