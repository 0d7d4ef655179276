#pragma once

#include <QWidget>
#include <optional>
#include <string>
#include <vector>

#include "gui/theme/theme.h"
#include "gui/why/charges.h"

namespace aftershock::gui {

/// One budget of one job or experiment over time.
struct BudgetLine {
  std::uint32_t entity = kNone;
  std::string budget;
  std::optional<std::int64_t> limit;
  std::vector<std::size_t> moves;  ///< among all moves, in the order of time
};

/// The budgets that moves are of, in the order in which they first moved.
std::vector<BudgetLine> budget_lines(const std::vector<Charge>& moves);

/// Budgets as steps, one below the other: how much of each was used, and its limit.
class BudgetPlot : public QWidget {
  Q_OBJECT

 public:
  explicit BudgetPlot(QWidget* parent = nullptr);

  /// The moves to draw, until `end_us`; both must stay as they are until the next call.
  void set_moves(const Trace* trace, const std::vector<Charge>* moves, std::int64_t end_us);
  void set_theme(Theme theme);

 Q_SIGNALS:
  /// A click at the time of a move, by its index.
  void move_clicked(int move);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  void paint_line(QPainter& painter, const BudgetLine& line, const QRectF& room) const;
  [[nodiscard]] QRectF room_of(std::size_t line) const;
  [[nodiscard]] double x_of(std::int64_t t_us, const QRectF& room) const;

  const Trace* trace_ = nullptr;
  const std::vector<Charge>* moves_ = nullptr;
  std::vector<BudgetLine> lines_;
  std::int64_t end_us_ = 1;
  Theme theme_ = Theme::kDark;
};

}  // namespace aftershock::gui
