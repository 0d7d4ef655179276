#pragma once

#include <QWidget>
#include <cstdint>
#include <optional>
#include <vector>

#include "gui/compare/phase_difference.h"
#include "gui/theme/theme.h"
#include "gui/view/time_range.h"
#include "reports/compare/divergence.h"

namespace aftershock::gui {

/// Between the timelines of two runs: when one gets on with its work and the other does not, and
/// where their policies part. The upper half is for A, the lower for B, as the timelines are.
class DeltaStrip : public QWidget {
  Q_OBJECT

 public:
  explicit DeltaStrip(QWidget* parent = nullptr);

  /// Which runs; null: none. The needed parts of them are copied. By time, until an alignment is
  /// set.
  void set_runs(const Trace* a, const Trace* b);
  /// How they are held against each other. Takes time for the phases of jobs.
  void set_alignment(const TimeMap& map);
  /// Where policies part, by the time in A.
  void set_divergences(std::vector<reports::Divergence> divergences);
  /// The times of A that its timeline shows, and how much of the width is before and behind them,
  /// in logical pixels: columns are those of the timeline.
  void set_range(const TimeRange& shown, int left_px, int right_px);
  /// A line at a time of A; none: no line.
  void set_cursor(std::optional<std::int64_t> a_us);
  void set_theme(Theme theme);

  [[nodiscard]] const PhaseDifferences& differences() const { return differences_; }
  /// The lines of the tooltip for a pixel of the widget; empty for nothing.
  [[nodiscard]] QString words_at(int x) const;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 Q_SIGNALS:
  /// The user wants to go to a time of A.
  void time_chosen(qint64 a_us);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  [[nodiscard]] TimeAxis axis() const;
  [[nodiscard]] QRectF band(Ahead ahead) const;
  void paint_labels(QPainter& painter) const;
  /// `masks`: what differs, by device pixel.
  void paint_band(QPainter& painter, Ahead ahead, const std::vector<AheadMask>& masks) const;
  void paint_divergences(QPainter& painter) const;
  void describe();

  RunStates a_;
  RunStates b_;
  PhaseDifferences differences_;
  std::vector<reports::Divergence> divergences_;
  TimeRange shown_;
  int left_px_ = 0;
  int right_px_ = 0;
  std::optional<std::int64_t> cursor_us_;
  std::int64_t chosen_us_ = -1;  ///< where the keyboard is
  Theme theme_ = Theme::kDark;
};

}  // namespace aftershock::gui
