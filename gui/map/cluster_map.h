#pragma once

#include <QImage>
#include <QPointer>
#include <QWidget>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "gui/cluster/cluster_states.h"
#include "gui/cluster/map_layout.h"
#include "gui/cluster/node_holders.h"
#include "gui/session/run_session.h"
#include "gui/theme/look.h"
#include "gui/theme/theme.h"

namespace aftershock::gui {

class PlacePainter;

/// The cluster as it is at a time: a square for each node, head and storage, several for one where
/// there are more than there is room for; lines around what is cut off. Nodes of several jobs are
/// in the colours of these. Above it the time, below what there is of each state, and of each job.
/// It looks at nothing while it is hidden.
class ClusterMap : public QWidget {
  Q_OBJECT

 public:
  explicit ClusterMap(QWidget* parent = nullptr);
  ~ClusterMap() override;

  /// Shows another run; null: none.
  void set_session(RunSession* session);
  /// The time that it shows.
  void set_cursor(qint64 t_us);
  void set_theme(Theme theme);
  /// The lane that is looked at elsewhere: its square is marked.
  void mark_lane(const std::optional<LaneKey>& lane);

  /// "503 up, 8 down, 1 cut off".
  [[nodiscard]] QString counts() const;
  /// Where things are, in the widget's logical pixels.
  [[nodiscard]] const MapLayout& cells() const { return layout_; }
  [[nodiscard]] QRect box_of(std::size_t cell) const;
  /// How many places of a cell are in which state.
  [[nodiscard]] const Census& census_of(std::size_t cell) const { return censuses_.at(cell); }
  /// The square that the keyboard is on.
  [[nodiscard]] std::size_t focused() const { return focused_; }
  /// How often the picture was painted, as a whole and in parts.
  [[nodiscard]] int paints() const { return paints_; }

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 Q_SIGNALS:
  /// A click on a place, or Enter: its lane. Of several that share a square the worst.
  void node_chosen(const aftershock::gui::LaneKey& lane);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  [[nodiscard]] Scene* scene() const;
  /// Makes what is shown that of the cursor's time.
  void catch_up();
  void forget();
  void lay_out_cells();
  void take_changes(std::span<const std::uint32_t> changed);
  void count_cell(std::size_t cell);
  void count_all();
  void find_struck();
  [[nodiscard]] QRect map_area() const;
  [[nodiscard]] QString time_text() const;

  // Painting.
  void paint_all();
  void paint_cell(QPainter& painter, std::size_t cell) const;
  void paint_cuts(QPainter& painter) const;
  void paint_legend(QPainter& painter) const;
  struct Shown {
    std::optional<Look> look;
    QString text;
  };
  [[nodiscard]] std::vector<Shown> shown_owners() const;
  [[nodiscard]] std::optional<Look> look_of_owner(std::uint32_t owner) const;
  void paint_marks(QPainter& painter) const;
  [[nodiscard]] std::vector<QRect> cut_boxes() const;

  // Input.
  [[nodiscard]] QString text_of_cell(std::size_t cell) const;
  [[nodiscard]] std::size_t cell_under(const QPoint& at) const;
  void focus_cell(std::size_t cell);
  void choose(std::size_t cell);
  void describe();

  QPointer<RunSession> session_;
  Theme theme_ = Theme::kDark;
  std::int64_t cursor_us_ = 0;
  std::optional<LaneKey> marked_;
  std::unique_ptr<ClusterStates> states_;
  std::unique_ptr<NodeHolders> holders_;  ///< made and gone with the states
  const Scene* states_of_ = nullptr;      ///< the scene that they are of
  MapLayout layout_;
  bool is_laid_out_ = false;
  std::uint32_t cuts_shown_ = 0;     ///< see ClusterStates::cuts_version
  std::vector<Census> censuses_;     ///< of each cell
  Census total_{};                   ///< of all nodes
  Census others_{};                  ///< of heads and storages
  std::vector<std::size_t> struck_;  ///< cells where a fault strikes at this very time
  std::size_t focused_ = 0;
  std::unique_ptr<PlacePainter> place_painter_;  ///< for the theme and the screen
  QImage picture_;
  bool is_stale_ = true;
  std::vector<std::size_t> stale_cells_;
  int paints_ = 0;
};

}  // namespace aftershock::gui
