#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include <fmt/format.h>

#include "policies/api/config.h"
#include "sim/import/moment.h"
#include "sim/import/rows.h"
#include "sim/import/trace.h"

namespace aftershock::sim::imports {

namespace {

constexpr std::size_t kMostEvents = 200'000;
constexpr std::int64_t kMostNodesUp = 100'000;

std::optional<std::int64_t> whole_number_in(std::string_view text, std::int64_t most) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, problem] = std::from_chars(text.data(), end, number);
  const bool good = problem == std::errc{} && stopped == end && number >= 0 && number <= most;
  return good ? std::optional(number) : std::nullopt;
}

/// Places that instances take in turn: a new one takes the lowest that is free.
class SpotPlaces {
 public:
  explicit SpotPlaces(Trace& trace) : trace_(trace) {}

  void add(const std::string& instance, std::int64_t t_us, std::uint64_t line) {
    const std::uint32_t place = free_.empty() ? new_place() : *free_.begin();
    free_.erase(place);
    places_[instance] = {place, ++last_};
    order_[last_] = instance;
    if (absent_[place]) {
      trace_.outages[*absent_[place]].up_us = t_us;
      absent_[place].reset();
    } else if (t_us > 0) {
      begin_absence(place, 0, "not there yet", line);
      trace_.outages.back().up_us = t_us;
      absent_[place].reset();
    }
  }

  void remove(const std::string& instance, std::int64_t t_us, std::uint64_t line) {
    const auto [place, number] = places_.at(instance);
    order_.erase(number);
    places_.erase(instance);
    free_.insert(place);
    begin_absence(place, t_us, "taken back", line);
  }

  [[nodiscard]] bool is_up(const std::string& instance) const { return places_.contains(instance); }
  [[nodiscard]] std::int64_t up() const { return static_cast<std::int64_t>(places_.size()); }
  /// The one that has been there for longest.
  [[nodiscard]] std::string oldest() const { return order_.begin()->second; }

 private:
  std::uint32_t new_place() {
    const auto place = static_cast<std::uint32_t>(trace_.nodes.size());
    trace_.nodes.push_back(fmt::format("place {}", place));
    absent_.emplace_back();
    return place;
  }

  void begin_absence(std::uint32_t place, std::int64_t t_us, std::string why, std::uint64_t line) {
    absent_[place] = trace_.outages.size();
    trace_.outages.push_back({.node = place,
                              .kind = scenario::FaultKind::kPreemption,
                              .down_us = t_us,
                              .up_us = {},
                              .notice_us = {},
                              .cause = std::move(why),
                              .line = line});
  }

  Trace& trace_;
  std::map<std::string, std::pair<std::uint32_t, std::uint64_t>> places_;  ///< and its number
  std::map<std::uint64_t, std::string> order_;  ///< instances by the order in which they came
  std::uint64_t last_ = 0;
  std::set<std::uint32_t> free_;
  std::vector<std::optional<std::size_t>> absent_;  ///< by place: its outage that goes on
};

struct SpotEvent {
  std::int64_t t_us = 0;
  std::int64_t up = 0;  ///< how many are up, where the file says that
  bool add = false;
  std::string node;
  std::uint64_t line = 0;
};

using Events = std::vector<SpotEvent>;

std::optional<scenario::ScenarioError> read_change(const std::string& name, const Row& row,
                                                   SpotEvent& event) {
  constexpr std::int64_t kMilli = 1000;
  const auto ms = whole_number_in(row.cells[0].text, scenario::kHundredYearsUs / kMilli);
  if (!ms) {
    return error_at(name, row, row.cells[0],
                    {fmt::format("{} is not a time", scenario::in_quotes(row.cells[0].text)),
                     "milliseconds, from 0 on",
                     {}});
  }
  const std::string& word = row.cells[1].text;
  if (word != "add" && word != "remove") {
    const std::string_view known[] = {"add", "remove"};
    return error_at(name, row, row.cells[1],
                    {fmt::format("unknown change {}", scenario::in_quotes(word)), "add or remove",
                     std::string(policies::nearest_name(word, known))});
  }
  if (row.cells[2].text.empty()) {
    return error_at(name, row, row.cells[2], {"no node is named", "a name", {}});
  }
  event = {*ms * kMilli, 0, word == "add", row.cells[2].text, row.line};
  return std::nullopt;
}

std::optional<scenario::ScenarioError> read_count(const std::string& name, const Row& row,
                                                  SpotEvent& event) {
  const auto moment = parse_moment(row.cells[0].text + "T" + row.cells[1].text);
  const auto* when = std::get_if<Moment>(&moment);
  if (when == nullptr || !when->dated) {
    return error_at(
        name, row, row.cells[0],
        {fmt::format("{}, {} is not a date and time", scenario::in_quotes(row.cells[0].text),
                     scenario::in_quotes(row.cells[1].text)),
         "2021-12-11, 11:11:30",
         {}});
  }
  const auto up = whole_number_in(row.cells[2].text, kMostNodesUp);
  if (!up) {
    return error_at(
        name, row, row.cells[2],
        {fmt::format("{} is not a number of nodes", scenario::in_quotes(row.cells[2].text)),
         fmt::format("a whole number from 0 to {}", kMostNodesUp),
         {}});
  }
  event = {when->us, *up, false, {}, row.line};
  return std::nullopt;
}

void take_changes(const Events& events, Trace& trace) {
  SpotPlaces places(trace);
  std::int64_t adds = 0;
  std::int64_t removes = 0;
  for (const SpotEvent& event : events) {
    (event.add ? adds : removes) += 1;
    if (places.is_up(event.node) == event.add) {
      drop(trace.dropped,
           event.add ? "an instance is added that is there"
                     : "an instance is removed that is not there",
           event.line);
    } else if (event.add) {
      places.add(event.node, event.t_us, event.line);
    } else {
      places.remove(event.node, event.t_us, event.line);
    }
  }
  trace.counts = {{"add", adds}, {"remove", removes}};
}

/// The event at which it becomes too much; none if it does not.
const SpotEvent* take_counts(const Events& events, Trace& trace) {
  SpotPlaces places(trace);
  std::int64_t came = 0;
  std::int64_t went = 0;
  for (const SpotEvent& event : events) {
    if (came + went > static_cast<std::int64_t>(kMostEvents)) {
      return &event;
    }
    while (places.up() < event.up) {
      places.add(std::to_string(came++), event.t_us, event.line);
    }
    while (places.up() > event.up) {
      places.remove(places.oldest(), event.t_us, event.line);
      ++went;
    }
  }
  trace.counts = {{"came", came}, {"went", went}};
  return nullptr;
}

}  // namespace

TraceResult read_bamboo(const std::string& text, const std::string& name) {
  Events events;
  std::optional<scenario::ScenarioError> wrong;
  bool counts = false;
  auto broken = for_rows(text, name, [&](const Row& row) {
    constexpr std::size_t kColumns = 3;
    if (row.cells.size() != kColumns) {
      wrong = error_at(name, row, fmt::format("{} columns", row.cells.size()),
                       "milliseconds,add or remove,node; or date,time,nodes up");
      return false;
    }
    if (events.empty()) {
      counts = row.cells[0].text.find('-') != std::string::npos;
    }
    if (events.size() >= kMostEvents) {
      wrong = error_at(name, row, fmt::format("more than {} rows", kMostEvents), "a shorter trace");
      return false;
    }
    SpotEvent event;
    wrong = counts ? read_count(name, row, event) : read_change(name, row, event);
    events.push_back(std::move(event));
    return !wrong;
  });
  if (broken || wrong) {
    return std::vector{broken ? std::move(*broken) : std::move(*wrong)};
  }
  Trace trace;
  trace.format = "bamboo";
  trace.rows = events.size();
  for (std::size_t i = 1; i < events.size(); ++i) {
    if (events[i].t_us < events[i - 1].t_us) {
      drop(trace.dropped, "not dropped, but sorted: earlier than the row before", events[i].line);
    }
  }
  std::ranges::stable_sort(events, {}, &SpotEvent::t_us);
  if (!events.empty()) {
    if (counts) {
      const std::int64_t zero_us = events.front().t_us;
      for (SpotEvent& event : events) {
        event.t_us -= zero_us;
      }
    }
    trace.first_us = events.front().t_us;
    trace.last_us = events.back().t_us;
  }
  if (!counts) {
    take_changes(events, trace);
  } else if (const SpotEvent* last = take_counts(events, trace)) {
    return std::vector{error_at(name, Row{last->line, {}},
                                fmt::format("more than {} nodes come and go", kMostEvents),
                                "a shorter trace")};
  }
  std::ranges::stable_sort(trace.outages, {}, &Outage::down_us);
  std::erase_if(trace.outages, [&](const Outage& outage) {
    return outage.up_us && *outage.up_us == outage.down_us;  // another took its place at once
  });
  return trace;
}

}  // namespace aftershock::sim::imports
