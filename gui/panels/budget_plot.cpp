#include "gui/panels/budget_plot.h"

#include <QMouseEvent>
#include <QPainter>
#include <QPolygonF>
#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "gui/panels/event_words.h"

namespace aftershock::gui {

namespace {

constexpr int kLineHeight = 64;
constexpr double kPlotMargin = 6;
/// Of many trials, each with its own: beyond so many the table tells.
constexpr std::size_t kLinesMax = 40;

}  // namespace

std::vector<BudgetLine> budget_lines(const std::vector<Charge>& moves) {
  std::vector<BudgetLine> lines;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const Charge& move = moves[i];
    auto found = std::ranges::find_if(lines, [&move](const BudgetLine& line) {
      return line.entity == move.entity && line.budget == move.move.budget;
    });
    if (found == lines.end()) {
      if (lines.size() == kLinesMax) {
        continue;
      }
      lines.push_back(
          {.entity = move.entity, .budget = move.move.budget, .limit = {}, .moves = {}});
      found = std::prev(lines.end());
    }
    found->limit = move.move.limit;
    found->moves.push_back(i);
  }
  return lines;
}

BudgetPlot::BudgetPlot(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Budgets over time"));
  setAccessibleDescription(tr("The table below says the same"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void BudgetPlot::set_moves(const Trace* trace, const std::vector<Charge>* moves,
                           std::int64_t end_us) {
  AFTERSHOCK_ASSERT((trace == nullptr) == (moves == nullptr));
  trace_ = trace;
  moves_ = trace == nullptr ? nullptr : moves;
  lines_ = moves_ == nullptr ? std::vector<BudgetLine>() : budget_lines(*moves_);
  end_us_ = std::max<std::int64_t>(end_us, 1);
  setFixedHeight(kLineHeight * static_cast<int>(lines_.size()));
  update();
}

void BudgetPlot::set_theme(Theme theme) {
  theme_ = theme;
  update();
}

QRectF BudgetPlot::room_of(std::size_t line) const {
  const double top = static_cast<double>(line) * kLineHeight + fontMetrics().height() + kPlotMargin;
  return {kPlotMargin, top, std::max(1.0, width() - 2 * kPlotMargin),
          (static_cast<double>(line) + 1) * kLineHeight - kPlotMargin - top};
}

double BudgetPlot::x_of(std::int64_t t_us, const QRectF& room) const {
  const double part = static_cast<double>(t_us) / static_cast<double>(end_us_);
  return room.left() + std::clamp(part, 0.0, 1.0) * room.width();
}

void BudgetPlot::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Inks& ink = inks(theme_);
  painter.fillRect(rect(), QColor(ink.window));
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const BudgetLine& line = lines_[i];
    const QRectF room = room_of(i);
    const reports::BudgetMove& last = (*moves_)[line.moves.back()].move;
    const QString limit = line.limit ? QString::number(*line.limit) : tr("unlimited");
    const QString title =
        tr("%1, %2: %3 of %4 used")
            .arg(shown_text(line.budget), shown_text(trace_->entities[line.entity]),
                 QString::number(last.used), limit);
    painter.setPen(QColor(last.exhausted ? ink.warning : ink.text));
    painter.drawText(QPointF(room.left(), room.top() - kPlotMargin + 2),
                     fontMetrics().elidedText(title, Qt::ElideRight, qRound(room.width())));
    painter.fillRect(room, QColor(ink.lane));
    paint_line(painter, line, room);
  }
}

void BudgetPlot::paint_line(QPainter& painter, const BudgetLine& line, const QRectF& room) const {
  std::int64_t most = std::max<std::int64_t>(line.limit.value_or(1), 1);
  for (const std::size_t i : line.moves) {
    most = std::max(most, (*moves_)[i].move.used);
  }
  const auto y_of = [&](std::int64_t used) {
    return room.bottom() - 1 -
           std::max(0.0, static_cast<double>(used)) / static_cast<double>(most) *
               (room.height() - 3);
  };
  const Inks& ink = inks(theme_);
  if (line.limit) {
    painter.setPen(QPen(QColor(ink.warning), 1, Qt::DashLine));
    painter.drawLine(QPointF(room.left(), y_of(*line.limit)),
                     QPointF(room.right(), y_of(*line.limit)));
  }
  QPolygonF steps;
  std::int64_t used = 0;
  steps << QPointF(room.left(), y_of(0));
  for (const std::size_t i : line.moves) {
    const Charge& move = (*moves_)[i];
    const double x = x_of(move.t_us, room);
    // Where less was used than before, it had been forgiven in between.
    steps << QPointF(x, y_of(used)) << QPointF(x, y_of(move.move.before))
          << QPointF(x, y_of(move.move.used));
    used = move.move.used;
  }
  steps << QPointF(room.right(), y_of(used));
  painter.setPen(QPen(QColor(ink.accent), 2));
  painter.drawPolyline(steps);
  // Hollow where the cause did not count; left out where they would run into each other.
  constexpr double kApart = 8;
  if (static_cast<double>(line.moves.size()) * kApart > room.width()) {
    return;
  }
  for (const std::size_t i : line.moves) {
    const Charge& move = (*moves_)[i];
    const QPointF at(x_of(move.t_us, room), y_of(move.move.used));
    painter.setBrush(QColor(move.move.charged ? ink.accent : ink.lane));
    painter.setPen(QPen(QColor(ink.accent), 1));
    painter.drawEllipse(at, 3, 3);
  }
}

void BudgetPlot::mousePressEvent(QMouseEvent* event) {
  const auto line = static_cast<std::size_t>(std::max(0.0, event->position().y()) / kLineHeight);
  if (event->button() != Qt::LeftButton || line >= lines_.size()) {
    QWidget::mousePressEvent(event);
    return;
  }
  constexpr double kNear = 8;
  const QRectF room = room_of(line);
  double best = kNear;
  int found = -1;
  for (const std::size_t i : lines_[line].moves) {
    const double away = std::abs(x_of((*moves_)[i].t_us, room) - event->position().x());
    if (away <= best) {
      best = away;
      found = static_cast<int>(i);
    }
  }
  if (found >= 0) {
    Q_EMIT move_clicked(found);
  }
}

}  // namespace aftershock::gui
