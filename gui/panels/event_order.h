#pragma once

#include <QString>
#include <cstdint>
#include <vector>

#include "gui/why/decision_titles.h"

namespace aftershock::gui {

/// Says of events whether they have all of some words. A text that many events share (names of
/// lanes, kinds, words) is looked at once.
class EventFilter {
 public:
  /// Refers to trace and titles as long as it lives.
  EventFilter(const Trace& trace, const DecisionTitles& titles, const QString& text);
  /// The trace has more in it: to be called before `takes` is asked of that. Costs what is new.
  void grow();

  /// Whether the event has them all.
  [[nodiscard]] bool takes(std::uint32_t lane, std::uint32_t span) const;

 private:
  using Words = std::uint32_t;  ///< a bit each

  [[nodiscard]] Words words_in(const QString& text) const;

  const Trace& trace_;
  const DecisionTitles& titles_;
  std::vector<QString> words_;
  std::vector<Words> in_entity_;
  std::vector<Words> in_text_;
  std::vector<Words> in_kind_;
};

/// The order of events by their lane's name, by what they are and by detail: texts by the alphabet,
/// lengths of time by length.
class EventRanks {
 public:
  EventRanks(const Trace& trace, const DecisionTitles& titles);

  /// Comparable with those of other events.
  struct Key {
    std::uint32_t rank = 0;
    std::int64_t number = 0;

    friend auto operator<=>(const Key&, const Key&) = default;
  };

  /// The order by the column of that name.
  [[nodiscard]] Key by_lane(std::uint32_t lane) const;
  /// As by_lane.
  [[nodiscard]] Key by_what(std::uint32_t lane, std::uint32_t span) const;
  /// As by_lane.
  [[nodiscard]] Key by_detail(std::uint32_t lane, std::uint32_t span) const;

 private:
  const Trace& trace_;
  std::vector<std::uint32_t> entities_;
  std::vector<std::uint32_t> texts_;  ///< those of the trace, behind them those of the kinds
  std::vector<std::uint32_t> faults_;
  std::vector<std::uint32_t> decisions_;
};

}  // namespace aftershock::gui
