#pragma once

#include <QWidget>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gui/panels/lane_card.h"
#include "gui/panels/place.h"
#include "gui/why/charges.h"
#include "gui/why/decision_titles.h"

class QPushButton;
class QTextBrowser;
class QUrl;

namespace aftershock::gui {

/// The facts of the thing that is selected: a decision's card, a fault and its bill, a span, a job
/// and what it died of.
class Inspector : public QWidget {
  Q_OBJECT

 public:
  explicit Inspector(QWidget* parent = nullptr);

  /// Of which run; the trace lives until the next call, and may grow. Null: none.
  void set_run(const Trace* trace, const std::string& path);
  [[nodiscard]] const Trace* trace() const { return trace_; }
  /// Shows a fault, a decision, a span, or, where the place is only an entity, a job.
  void show_place(const Place& place);
  /// Shows a lane or group: what it is in, what is in it, and its times within `shown`. A job or
  /// experiment also has what became of it.
  void show_lane(const Scene& scene, const LaneKey& lane, const TimeRange& shown);
  /// Shows what happened within a range of time to a job or experiment or (kNone) to all of them;
  /// `step_us` is what a pixel shows.
  void show_range(std::uint32_t entity, const TimeRange& range, std::int64_t step_us);
  /// The record that is shown, as the recording has it, as JSON; empty where there is nothing.
  [[nodiscard]] QString json() const;
  /// The text that is shown, without markup.
  [[nodiscard]] QString text() const;

 Q_SIGNALS:
  /// A link was clicked, after what it does.
  void link_followed();
  /// A link to another fault, decision or span was followed; it is shown here already.
  void go_to(const aftershock::gui::Place& place);
  /// A lane was asked for, by its name.
  void lane_asked(const QString& name);
  /// A rule was asked for: where else it applied.
  void rule_asked(const QString& rule);

 private:
  void follow(const QUrl& link);
  void show_html(const QString& html, std::string record);
  void show_page();
  [[nodiscard]] QString job_part(std::uint32_t entity);
  [[nodiscard]] std::string record_at(std::uint32_t line) const;
  const std::vector<Account>& accounts();
  const DecisionTitles& titles();

  QTextBrowser* page_;
  QPushButton* copy_;
  const Trace* trace_ = nullptr;
  std::string path_;
  QString html_;
  std::string record_;
  bool shows_record_ = false;
  /// The card of a job, which takes a look at all of its decisions; of the entity.
  std::optional<std::pair<std::uint32_t, QString>> job_card_;
  std::optional<std::vector<Account>> accounts_;        ///< when they are first asked for
  std::optional<std::vector<Account>> range_accounts_;  ///< with those that are not closed
  std::optional<DecisionTitles> titles_;                ///< likewise
};

}  // namespace aftershock::gui
