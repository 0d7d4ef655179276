#pragma once

#include <QAbstractScrollArea>
#include <QElapsedTimer>
#include <QImage>
#include <QPointer>
#include <cstdint>
#include <optional>
#include <vector>

#include "gui/actions/action_handlers.h"
#include "gui/session/run_session.h"
#include "gui/theme/theme.h"
#include "gui/timeline/describe.h"
#include "gui/timeline/frame.h"
#include "gui/timeline/notes.h"
#include "gui/trace/find.h"
#include "gui/view/brush.h"
#include "gui/view/view_state.h"

namespace aftershock::gui {

class Picker;

/// The part of a timeline that a menu is asked for.
enum class TimelinePart : std::uint8_t { kLabels, kLanes, kRuler };

/// Whether a change takes the place of the one before in the history of views.
enum class Joining : std::uint8_t { kNew, kJoined };

/// A run over time: lanes below each other, drawn as one picture, with a ruler and the whole run
/// above. The scrollbar counts rows.
class Timeline : public QAbstractScrollArea {
  Q_OBJECT

 public:
  explicit Timeline(QWidget* parent = nullptr);

  /// Shows another run from its start; null: none.
  void set_session(RunSession* session);
  [[nodiscard]] RunSession* session() const { return session_; }
  void set_theme(Theme theme);
  [[nodiscard]] Theme theme() const { return theme_; }
  /// Labels with dates, where the run says when it starts.
  void set_wall_clock(bool on);
  /// All actions of the table that are its own; one that is shown has their keys, too (see
  /// ActionSet::add_timeline).
  [[nodiscard]] ActionHandlers handlers();

  [[nodiscard]] const ViewState& state() const { return state_; }
  /// Goes to a view; what cannot be shown of it is left out.
  void change(ViewState next, Joining joined = Joining::kNew);
  /// All of the run, from 0 to the last record, or to where set_least_end puts it.
  [[nodiscard]] TimeRange run() const;
  /// Shows the run as if it went on until then, where it ends before: one beside it does.
  void set_least_end(std::int64_t t_us);
  /// The first lane that is seen of those that scroll; none without lanes.
  [[nodiscard]] std::optional<LaneKey> top_lane() const;
  /// Scrolls until it is the first, as far as there are lanes.
  void show_at_top(const LaneKey& lane);
  /// Goes to a time, and a lane, and selects a span of it (see Selection), so that it is seen.
  void go_to(std::int64_t t_us, const std::optional<LaneKey>& lane,
             std::uint32_t content = kNowhere, std::uint32_t span = kNowhere);
  /// Selects what a lane shows at a time, or within a few pixels of it; nothing where there is
  /// none.
  void select_near(const LaneKey& lane, std::int64_t t_us);
  /// Moves the cursor alone, keeping it in view; the history of changes does not have it.
  void play_to(std::int64_t t_us);
  /// The times of jobs' events, and faults: in order, for stepping and replay.
  [[nodiscard]] const std::vector<std::int64_t>& event_times();
  [[nodiscard]] const std::vector<std::int64_t>& fault_times() const { return fault_times_; }

  /// Notes in the order of time, and which of them is selected.
  void set_notes(std::vector<NoteMark> notes, std::optional<std::size_t> selected);
  /// Height of a row as the user chose it; 0: as there is room.
  [[nodiscard]] int chosen_row_px() const { return row_px_; }
  void set_row_px(int px);

  // Where things are, in the viewport's logical pixels.
  [[nodiscard]] std::int64_t time_at(int x) const;
  [[nodiscard]] double x_at(std::int64_t t_us) const;
  /// The node of the tree whose row is there.
  [[nodiscard]] std::optional<std::uint32_t> node_at(int y) const;
  [[nodiscard]] Layout layout_now() const;
  /// Microseconds a logical pixel.
  [[nodiscard]] double us_a_pixel() const;
  /// Draws what is seen as vectors, a logical pixel a unit, from the painter's origin on.
  void draw_vectors(QPainter& painter);
  /// The entries of the legend that are seen.
  [[nodiscard]] const std::vector<LegendEntry>& legend() const { return cache_.legend; }
  /// The marks of faults that are seen.
  [[nodiscard]] const std::vector<FaultMark>& fault_marks() const { return cache_.marks; }
  /// The kinds that are not shown.
  [[nodiscard]] KindMask hidden_kinds() const { return hidden_kinds_; }
  /// Draws what is seen, but for the cursor and the selection, in another size and theme; a picture
  /// has `scale` device pixels a logical one, a drawing of vectors one. Nothing without a run.
  void draw_at(Canvas& canvas, const QSize& size, double scale, Theme theme, bool has_legend);
  /// The length of the selected range, as exact as a pixel, as it stands over the range; empty
  /// without one.
  [[nodiscard]] QString range_length() const;
  /// Told last to a screen reader: "fault 3 of 41, ...".
  [[nodiscard]] const QString& announced() const { return announced_; }
  /// How long the last picture took to draw.
  [[nodiscard]] double drawn_ms() const { return drawn_ms_; }

 Q_SIGNALS:
  void cursor_moved(qint64 t_us);
  void selection_changed();
  /// Anything of `state`.
  void state_changed();
  /// A note was clicked; its number among those given.
  void note_clicked(int note);
  /// A menu was asked for, at a place of the screen; what is there is at the cursor, and selected.
  void menu_asked(TimelinePart part, const QPoint& at);
  /// Another run, or none, is about to take the place of this one.
  void leaving();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;
  bool viewportEvent(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void changeEvent(QEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  enum class Drag : std::uint8_t { kNothing, kMaybe, kPan, kMinimap, kRuler, kRange };

  [[nodiscard]] Scene* scene() const;
  void take_growth(bool other_lanes);
  void find_ends();
  void take_outcomes();
  /// The phases of the job stay in sight.
  [[nodiscard]] std::int64_t first_told(const Trace& trace) const;
  void pin_phases(const LaneKey& lane);
  /// How the list stands at first.
  [[nodiscard]] LaneState opening_state() const;
  /// Until the user opens or closes something the list stands as there is room for it now; whether
  /// it stands otherwise than before.
  bool open_first_lanes();
  /// Height of a row, as the user chose it, else as there is room.
  [[nodiscard]] int row_px() const;
  void list_rows();
  void place_scrollbar();
  void redraw();
  void redraw_times();
  void update_cursor(std::int64_t t_us);
  [[nodiscard]] TimeAxis axis_now() const;
  [[nodiscard]] Frame frame_now();
  void draw_overlay(QPainter& painter);

  // Input.
  /// Lines to be added about a fault, its target and cost, and about an attempt, the fault that
  /// ended it; empty for other spans.
  [[nodiscard]] QString more_text(SpanAt at) const;
  std::optional<SpanAt> span_near(const QPoint& at) const;
  void select_at(const QPoint& at);
  void go_to_lane_at(const QPoint& at);
  void select(SpanAt span, std::int64_t cursor_us);
  void zoom(double factor, std::int64_t about_us, Joining joined = Joining::kNew);
  void pan(double screens);

  // Notes, and ranges of time.
  bool press_note(const QPoint& at);
  [[nodiscard]] QString note_text_at(const QPoint& at);
  bool begin_range(const QMouseEvent& event);
  void drag_range(int x);
  void end_range();
  void select_range();
  void announce_range();
  void draw_range(QPainter& painter) const;
  void draw_length(QPainter& painter, const TimeRange& range) const;
  // The whole run above.
  [[nodiscard]] BrushPart brush_part_at(int x) const;
  [[nodiscard]] std::int64_t minimap_time(int x) const;
  void press_minimap(int x);
  void drag_minimap(int x);
  void release_minimap(int x);
  void show_brush_cursor(const QPoint& at);
  // Marks of faults above.
  [[nodiscard]] const FaultMark* mark_at(const QPoint& at) const;
  [[nodiscard]] QString mark_text(const FaultMark& mark) const;
  bool press_mark(const QPoint& at);
  void list_faults(const FaultMark& mark);
  void go_to_fault(std::size_t fault);
  // The legend below.
  [[nodiscard]] Kind legend_kind_at(const QPoint& at) const;
  void light_legend(const QPoint& at);
  bool press_legend(const QPoint& at);

  // Actions.
  void handle_view_actions(ActionHandlers& actions);
  void handle_lane_actions(ActionHandlers& actions);
  void handle_jump_actions(ActionHandlers& actions);
  void handle_range_actions(ActionHandlers& actions);
  void move_row(int by);
  void change_lanes(const std::function<void(LaneState&, const LaneKey&)>& change);
  void show_row(std::uint32_t row);
  void focus_selection();
  /// Among the trace's; none where something else is selected.
  [[nodiscard]] std::optional<std::uint32_t> selected_fault() const;
  /// In the order of the recording: at what is selected or was jumped to, else at the cursor.
  [[nodiscard]] Moment place_now(std::uint32_t line = 0) const;
  void jump_to_fault(Direction direction);
  void jump_to_decision(Direction direction);
  void jump_in_job(SubLane sub, Direction direction);
  void jump_to_checkpoint(Direction direction);
  void jump_in_lane(Direction direction);
  void step(Direction direction);
  void find_lane();
  void announce(const QString& text);
  /// The job that the keyboard is on, else the first; kNone without one.
  [[nodiscard]] std::uint32_t job_entity() const;

  QPointer<RunSession> session_;
  Theme theme_ = Theme::kDark;
  bool wall_clock_ = false;
  ViewState state_;
  History<ViewState> history_{ViewState{}};
  TimeRange known_run_;
  std::int64_t least_end_us_ = 0;
  LaneState first_lanes_;
  LaneRows rows_;
  Moment jumped_to_{.t_us = -1};
  std::vector<std::int64_t> fault_times_;
  std::vector<std::int64_t> event_times_;
  std::vector<JobEnd> ends_;
  std::vector<NoteMark> notes_;
  NoteIndex note_index_;
  std::optional<std::size_t> selected_note_;
  bool events_known_ = false;
  int row_px_ = 0;  ///< 0: as there is room
  QImage picture_;
  FrameCache cache_;  ///< of what is in `picture_`
  bool is_stale_ = true;
  double drawn_ms_ = 0;
  Drag drag_ = Drag::kNothing;
  QPoint pressed_;
  bool has_dragged_ = false;
  TimeRange pressed_range_;
  BrushDrag brush_;
  bool has_brushed_ = false;
  QElapsedTimer since_wheel_;
  std::vector<JobOutcome> outcomes_;
  std::size_t told_ledgers_ = 0;  ///< from which they are known
  KindMask hidden_kinds_ = 0;
  Kind lit_ = Kind::kCount;  ///< that the pointer is on in the legend
  QString announced_;
  Picker* picker_ = nullptr;
};

}  // namespace aftershock::gui
