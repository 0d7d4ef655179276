#pragma once

#include <QWidget>
#include <array>

#include "gui/theme/theme.h"
#include "gui/trace/trace.h"

class QLabel;

namespace aftershock::gui {

/// Whether two runs met the same faults, in words; empty where there are no two.
QString fault_words(const Trace& a, const Trace& b);
/// Seeds and scenarios: what they share, and in what they differ.
QString scenario_words(const Trace& a, const Trace& b);

/// The ends of two runs, their names, and whether they can be compared.
class CompareBanner : public QWidget {
  Q_OBJECT

 public:
  explicit CompareBanner(QWidget* parent = nullptr);

  /// The runs under the names that the user knows; null: none.
  void set_runs(const Trace* a, const QString& name_a, const Trace* b, const QString& name_b);
  void set_theme(Theme theme);
  /// All that it says, in lines.
  [[nodiscard]] QString text() const;

 private:
  std::array<QLabel*, 2> letters_;
  std::array<QLabel*, 2> names_;
  QLabel* headline_;
  QLabel* faults_;
  QLabel* scenario_;
  bool paired_ = true;
  Theme theme_ = Theme::kDark;
};

}  // namespace aftershock::gui
