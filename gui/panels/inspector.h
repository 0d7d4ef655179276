#pragma once

#include <QWidget>
#include <optional>
#include <string>
#include <vector>

#include "gui/panels/place.h"
#include "gui/why/charges.h"
#include "gui/why/decision_titles.h"

class QPushButton;
class QTextBrowser;
class QUrl;

namespace aftershock::gui {

/// What is known of the thing that is selected: a decision's card, a fault and its bill, a span, a
/// job and what it died of.
class Inspector : public QWidget {
  Q_OBJECT

 public:
  explicit Inspector(QWidget* parent = nullptr);

  /// Of which run; the trace stays as it is until the next call. Null: none.
  void set_run(const Trace* trace, const std::string& path);
  /// Shows a fault, a decision, a span, or, where the place is only an entity, a job.
  void show_place(const Place& place);
  /// What is shown as the recording has it, as JSON; empty where there is nothing.
  [[nodiscard]] QString json() const;
  /// What is shown, without markup.
  [[nodiscard]] QString text() const;

 Q_SIGNALS:
  /// A link to another fault, decision or span was followed; it is shown here already.
  void go_to(const aftershock::gui::Place& place);
  /// A rule was asked for: where else it applied.
  void rule_asked(const QString& rule);

 private:
  void follow(const QUrl& link);
  void show_html(const QString& html, std::string record);
  [[nodiscard]] std::string record_at(std::uint32_t line) const;
  const std::vector<Account>& accounts();
  const DecisionTitles& titles();

  QTextBrowser* page_;
  QPushButton* copy_;
  const Trace* trace_ = nullptr;
  std::string path_;
  std::string record_;
  std::optional<std::vector<Account>> accounts_;  ///< when they are first asked for
  std::optional<DecisionTitles> titles_;          ///< likewise
};

}  // namespace aftershock::gui
