#pragma once

#include <QWidget>
#include <array>
#include <string>

#include "gui/panels/place.h"
#include "gui/theme/theme.h"
#include "reports/compare/divergence.h"

class QLabel;
class QSplitter;
class QTextBrowser;
class QUrl;

namespace aftershock::gui {

/// The answers of two controllers to one fault: their decision cards side by side, or below each
/// other where that is too narrow.
class CompareCards : public QWidget {
  Q_OBJECT

 public:
  explicit CompareCards(QWidget* parent = nullptr);

  /// Of which runs; the traces stay as they are until the next call. Null: none.
  void set_runs(const Trace* a, const std::string& path_a, const Trace* b,
                const std::string& path_b);
  /// Null: nothing.
  void show_divergence(const reports::Divergence* divergence);
  void set_theme(Theme theme);
  /// The text of the card of A (0) or B (1).
  [[nodiscard]] QString text(std::size_t run) const;

 Q_SIGNALS:
  /// The user follows a link of a card: of A (0) or B (1).
  void go_to_place(int run, const aftershock::gui::Place& place);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  struct Side {
    const Trace* trace = nullptr;
    std::string path;
    QLabel* title = nullptr;
    QTextBrowser* page = nullptr;
    std::string rule;  ///< of the step that is shown
  };

  void show_step(Side& side, const std::optional<reports::DecisionStep>& step);
  void scroll_to_rules();
  void follow(std::size_t run, const QUrl& link);

  std::array<Side, 2> sides_;
  QSplitter* parts_;
};

}  // namespace aftershock::gui
