#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "gui/lanes/directory.h"
#include "gui/lanes/lane_tree.h"
#include "gui/lod/extremes.h"
#include "gui/lod/rasterise.h"
#include "gui/scene/curve.h"
#include "gui/scene/cut_index.h"
#include "gui/scene/lost_index.h"
#include "gui/scene/out_count.h"
#include "gui/trace/trace.h"

namespace aftershock::gui {

/// The content of a lane, by LaneContent::id: a lane of the trace, one of its counters, or a curve.
struct Content {
  std::uint32_t index = 0;  ///< among Trace::lanes, or a number for Scene::counter
  bool is_counter = false;
};
/// The content with a LaneContent::id.
Content content_from(std::uint32_t id);
/// Its LaneContent::id.
std::uint32_t id_of(Content content);

/// A recording ready to be drawn: its lanes as a tree, and what makes each of them, and each group,
/// quick to draw. Groups are made ready when they are drawn: first, and after they have grown.
class Scene {
 public:
  /// `trace` outlives it, and has its header if it will ever have one.
  Scene(const Trace& trace, TreeOptions options);

  /// The trace has grown. Takes time for what is new; true if there are other lanes, and so another
  /// tree.
  bool refresh();
  /// Nothing more will come: makes long lanes, and groups when they are next drawn, ready as if all
  /// had been there at once. A lane that has grown has the right kinds, but paler.
  void settle();
  /// Lists other lanes: all of them, or another run of those without content opened.
  void set_options(TreeOptions options);
  /// Lists these beside what was recorded, in place of those before; true if there are other lanes,
  /// and so another tree.
  bool set_curves(std::vector<Curve> curves);

  [[nodiscard]] const Trace& trace() const { return trace_; }
  [[nodiscard]] const Directory& directory() const { return directory_; }
  [[nodiscard]] const LaneTree& tree() const { return tree_; }
  [[nodiscard]] const TreeOptions& options() const { return options_; }

  /// When what was cut off from the rest of the network.
  [[nodiscard]] const CutIndex& cuts() const { return cuts_; }
  /// When who did work that was lost.
  [[nodiscard]] const LostIndex& lost() const { return lost_; }

  /// The content of each pixel of a lane or group (see `rasterise`); counters are not in it.
  void draw(std::uint32_t node, const Columns& columns, std::span<Cell> cells);
  /// The same of the whole run, as one row.
  void draw_all(const Columns& columns, std::span<Cell> cells);
  /// A lane of the trace with what makes it quick.
  [[nodiscard]] LaneView view_of(std::uint32_t lane) const;
  /// A counter of the trace, or the samples of a curve, by Content::index.
  [[nodiscard]] const Counter& counter(std::uint32_t index) const;
  /// The levels that make it quick to draw; up to date with all values of it.
  [[nodiscard]] const ExtremeLevels& extremes(std::uint32_t index);
  /// The curve of that number; null for a counter of the trace.
  [[nodiscard]] const Curve* curve(std::uint32_t index) const;
  /// How many nodes of a pool or rack are out of service; null for other lanes, and where there are
  /// too many spans to count them. Good until the trace grows.
  [[nodiscard]] const OutCount* out_count(std::uint32_t node);
  /// The kinds of all spans.
  [[nodiscard]] KindMask kinds() const;
  /// Where a lane of the trace is listed; none for what the header does not have.
  [[nodiscard]] std::optional<LaneKey> key_of_lane(std::uint32_t lane) const;

 private:
  /// Several lanes that were drawn as one row.
  struct Group {
    std::vector<LaneView> views;
    std::int64_t spans = -1;  ///< of the trace when `views` were taken; -1: take them again
    std::optional<GroupLod> lod;
    std::optional<std::int64_t> changed_from_us;  ///< since `lod` was ready; none: nothing has
  };

  /// Makes the tree. With `same_lanes` the recorded ones are those of the tree before.
  void list_lanes(bool same_lanes);
  [[nodiscard]] std::optional<LaneKey> key_of_curve(const Curve& curve) const;
  [[nodiscard]] bool is_in_progress(const Counter& counter) const;
  void make_ready();
  void find_cuts();
  [[nodiscard]] std::vector<LaneView> views_of(std::span<const LaneContent> content) const;
  void draw_group(std::unique_ptr<Group>& group, std::span<const LaneContent> content,
                  const Columns& columns, std::span<Cell> cells);

  const Trace& trace_;
  TreeOptions options_;
  Directory directory_;
  std::size_t recorded_counters_ = 0;  ///< names of them, which come first in the directory
  std::vector<Curve> curves_;
  LaneTree tree_;
  CutIndex cuts_;
  LostIndex lost_;
  std::vector<LaneLod> lods_;                   ///< of each lane of the trace
  std::vector<std::uint32_t> first_open_;       ///< its first span that may yet end
  std::vector<std::unique_ptr<Group>> groups_;  ///< of each node of the tree, when it was drawn
  std::unique_ptr<Group> whole_;
  std::map<std::uint32_t, ExtremeLevels> extremes_;  ///< of counters that were drawn
  /// Of groups that were drawn, and when the trace ended then.
  std::map<std::uint32_t, std::pair<std::int64_t, std::optional<OutCount>>> outs_;
  bool is_settled_ = false;
  std::int64_t known_us_ = 0;  ///< the time of the last record when all was made ready
  RasterScratch scratch_;
};

}  // namespace aftershock::gui
