#pragma once

#include <QWidget>
#include <cstdint>
#include <optional>
#include <vector>

#include "gui/panels/place.h"
#include "gui/theme/theme.h"
#include "gui/why/verdict.h"

class QButtonGroup;
class QHBoxLayout;
class QLabel;
class QScrollArea;

namespace aftershock::gui {

/// The verdicts of one run, and the run: 0 or 1.
struct RunVerdicts {
  int run = 0;
  QString letter;  ///< empty where there is only one
  const Trace* trace = nullptr;
  std::vector<Verdict> verdicts;
  std::optional<double> cost;
};

/// The bar above the timeline that says how it ended: a chip a job or experiment, failed ones first
/// and the first one chosen, and a line about the chosen one, whose end and worst moment are links.
class VerdictBar : public QWidget {
  Q_OBJECT

 public:
  explicit VerdictBar(QWidget* parent = nullptr);

  /// Shows these, which outlive it or are replaced; without any it hides.
  void set_runs(std::vector<RunVerdicts> runs);
  void set_theme(Theme theme);
  /// The line about the chosen one, as plain text, and its HTML.
  [[nodiscard]] QString text() const;
  [[nodiscard]] QString html() const;
  /// The words of all chips, in their order.
  [[nodiscard]] QStringList chips() const;
  /// As a click on a chip or on a link ("fault:N", "time:US") does.
  void choose(int chip);
  void follow(const QString& link);

 Q_SIGNALS:
  /// A chip was clicked.
  void chosen(int run, std::uint32_t entity);
  /// A moment was asked for, by a fault or by a time alone.
  void go_to(int run, const aftershock::gui::Place& place);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fill();
  void fit_row();
  void show_line();
  [[nodiscard]] QString words_of(const RunVerdicts& run, const Verdict& verdict) const;
  [[nodiscard]] QString line_of(const RunVerdicts& run, const Verdict& verdict) const;

  std::vector<RunVerdicts> runs_;
  std::vector<std::pair<std::size_t, std::size_t>> chips_;  ///< run among `runs_`, and verdict
  int chosen_ = -1;
  Theme theme_ = Theme::kDark;
  QScrollArea* area_;
  QWidget* row_ = nullptr;
  QLabel* line_;
};

}  // namespace aftershock::gui
