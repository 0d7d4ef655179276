#pragma once

#include <QAbstractTableModel>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "gui/panels/event_order.h"
#include "gui/panels/place.h"
#include "gui/why/decision_titles.h"

namespace aftershock::gui {

/// Everything that a timeline shows as a flat table, a row for each span, instant, fault and
/// decision. Texts are made when they are shown: a million rows open at once.
class EventModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  /// Columns, in their order.
  enum Column { kTime, kWallTime, kLane, kWhat, kDetail, kColumns };

  using QAbstractTableModel::QAbstractTableModel;

  /// Shows the events of a trace, which stays as it is until the next call; null: none.
  void set_trace(const Trace* trace, const std::string& path);
  /// The trace has more in it, and spans of it may have ended: costs what is new. Rows that are
  /// held stay those of their events. In an order by texts what is new stands behind the rest until
  /// there is much of it.
  void grow();
  /// Shows only what has all words of `text` in its lane, its name, or, of a fault or decision, its
  /// detail, whatever their case; and is of that part of a lane, if one is given.
  void set_filter(const QString& text, std::optional<SubLane> sub);

  /// The place of a row.
  [[nodiscard]] Place place_at(int row) const;
  /// The row whose time is nearest to this one, the first of several; -1 where there are none.
  [[nodiscard]] int nearest(std::int64_t t_us) const;
  /// The row of a span; -1 where it is not shown.
  [[nodiscard]] int row_of(std::uint32_t lane, std::uint32_t span) const;
  /// How many there are, shown or not.
  [[nodiscard]] std::size_t total() const { return events_.size(); }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;
  void sort(int column, Qt::SortOrder order) override;

 private:
  struct Event {
    std::int64_t t_us = 0;
    std::uint32_t lane = kNone;
    std::uint32_t span = 0;
  };

  [[nodiscard]] const Event& event_at(int row) const;
  [[nodiscard]] std::tuple<std::int64_t, bool, std::uint32_t, std::uint32_t> in_time(
      const Event& event) const;
  /// Whether it stands before the other where rows are in the order of time.
  [[nodiscard]] bool is_before(std::uint32_t event, std::uint32_t other) const;
  [[nodiscard]] bool is_by_time() const { return sorted_by_ == kTime || sorted_by_ == kWallTime; }
  void collect();
  [[nodiscard]] std::vector<std::uint32_t> chosen_from(std::size_t first) const;
  void choose();
  void put_in_order();
  void insert_in_time(std::vector<std::uint32_t> more);
  void insert(std::size_t row, const std::vector<std::uint32_t>& events);
  [[nodiscard]] QString text_at(const Event& event, int column) const;

  const Trace* trace_ = nullptr;
  DecisionTitles titles_;
  std::optional<std::int64_t> start_us_;  ///< of the run, on the calendar
  std::string path_;
  std::vector<Event> events_;         ///< each time that it grew, in the order of time
  std::vector<std::uint32_t> known_;  ///< of each lane, how many of its spans are there
  std::vector<std::uint32_t> shown_;  ///< among `events_`
  std::optional<EventFilter> words_;  ///< of `filter_`
  std::size_t ordered_ = 0;           ///< so many events there were when all were put in order
  QString filter_;
  std::optional<SubLane> sub_;
  int sorted_by_ = kTime;
  Qt::SortOrder order_ = Qt::AscendingOrder;
};

}  // namespace aftershock::gui
