#pragma once

#include <QTimer>
#include <QWidget>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gui/compare/answers.h"
#include "gui/panels/place.h"
#include "gui/theme/theme.h"
#include "reports/compare/divergence.h"

class QLabel;
class QSplitter;
class QTableView;
class QTabWidget;

namespace aftershock::gui {

class CompareBanner;
class CompareCards;
class CostModel;
class DivergenceModel;

/// Two runs held against each other: whether they met the same faults, what each cost, and where
/// their policies part.
class ComparePanel : public QWidget {
  Q_OBJECT

 public:
  explicit ComparePanel(QWidget* parent = nullptr);
  ~ComparePanel() override;

  /// Which runs; the traces stay as they are until the next call. Null: none. Where the policies
  /// part is found bit by bit while the window lives on, and told by divergences_found.
  void set_runs(const Trace* a, const std::string& path_a, const QString& name_a, const Trace* b,
                const std::string& path_b, const QString& name_b);
  void set_theme(Theme theme);

  /// Whether all is known; true for no runs.
  [[nodiscard]] bool is_ready() const { return !reading_; }
  /// By the time in A; empty until they are all known.
  [[nodiscard]] const std::vector<reports::Divergence>& divergences() const;
  /// Selects one and shows its cards, without going there; any other number: none.
  void show_divergence(int index);
  /// The one selected; -1 for none.
  [[nodiscard]] int current() const;
  /// Brings them to the front.
  void show_divergences();

  [[nodiscard]] CompareBanner& banner() { return *banner_; }
  [[nodiscard]] CompareCards& cards() { return *cards_; }
  [[nodiscard]] CostModel& costs() { return *costs_; }
  [[nodiscard]] DivergenceModel& model() { return *model_; }

 Q_SIGNALS:
  /// The user chose one by click or Enter.
  void go_to(const aftershock::reports::Divergence& divergence);
  /// The user follows a link of a card of A (0) or B (1).
  void go_to_place(int run, const aftershock::gui::Place& place);
  /// All are known.
  void divergences_found();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Reading;

  QWidget* make_cost_page();
  QWidget* make_divergence_page();
  void read_on();
  void take(std::vector<reports::Divergence> found);
  void choose(int index);
  void fit_columns();

  CompareBanner* banner_;
  CompareCards* cards_;
  CostModel* costs_;
  DivergenceModel* model_;
  QTabWidget* tabs_;
  QTableView* cost_table_ = nullptr;
  QTableView* table_ = nullptr;
  QLabel* count_ = nullptr;
  QSplitter* parts_ = nullptr;
  std::array<const Trace*, 2> traces_{};
  std::unique_ptr<Reading> reading_;
  QTimer timer_;
};

}  // namespace aftershock::gui
