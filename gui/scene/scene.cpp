#include "gui/scene/scene.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/assert.h"

namespace aftershock::gui {

namespace {

constexpr std::uint32_t kCounterBit = std::uint32_t{1} << 31U;
/// Of counters: it is a curve.
constexpr std::uint32_t kCurveBit = std::uint32_t{1} << 30U;

/// The facet under which the tree has a sub-lane of a job, an experiment or a trial; kNone: it
/// belongs to the whole of it.
Facet facet_of(SubLane sub) {
  switch (sub) {
    case SubLane::kPhases:
      return Facet::kPhases;
    case SubLane::kAttempts:
      return Facet::kAttempts;
    case SubLane::kCheckpoints:
      return Facet::kCheckpoints;
    case SubLane::kDecisions:
      return Facet::kDecisions;
    case SubLane::kStates:
    case SubLane::kOthers:
    case SubLane::kFaults:
    case SubLane::kMarks:
    case SubLane::kCount:
      break;
  }
  return Facet::kWhole;
}

bool has_facets(const LaneKey& key) {
  return key.section == Section::kJobs || key.section == Section::kExperiments;
}

bool has_counters(const LaneKey& key) {
  return has_facets(key) || (key.section == Section::kPools && key.rack < 0 && key.node < 0);
}

std::vector<std::string> counter_names(const Trace& trace) {
  std::set<std::string> names;
  for (const Counter& counter : trace.counters) {
    names.emplace(trace.texts[counter.name]);
  }
  return {names.begin(), names.end()};
}

/// Names of curves stand behind, so that a key means the same with them and without.
std::vector<std::string> with_curves(std::vector<std::string> names) {
  for (const std::string& name : curve_names()) {
    if (std::ranges::find(names, name) == names.end()) {
      names.push_back(name);
    }
  }
  return names;
}

}  // namespace

Content content_from(std::uint32_t id) { return {id & ~kCounterBit, (id & kCounterBit) != 0}; }

std::uint32_t id_of(Content content) {
  return content.index | (content.is_counter ? kCounterBit : 0);
}

Scene::Scene(const Trace& trace, TreeOptions options)
    : trace_(trace), options_(std::move(options)) {
  make_ready();
  list_lanes(false);
}

bool Scene::refresh() {
  is_settled_ = false;
  const std::size_t lanes = lods_.size();
  const std::size_t counters = recorded_counters_;
  const std::int64_t changed_from_us = known_us_;
  make_ready();
  if (lods_.size() != lanes || counter_names(trace_).size() != counters) {
    list_lanes(false);
    return true;
  }
  find_cuts();
  lost_.update(trace_, directory_);
  // New records are not earlier than the last record that was known.
  const auto note = [changed_from_us](const std::unique_ptr<Group>& group) {
    if (group) {
      group->spans = -1;
      group->changed_from_us = group->changed_from_us.value_or(changed_from_us);
    }
  };
  std::ranges::for_each(groups_, note);
  note(whole_);
  return false;
}

void Scene::settle() {
  is_settled_ = true;
  for (std::uint32_t lane = 0; lane < lods_.size(); ++lane) {
    const LaneSpans spans = trace_.lanes[lane].columns.spans();
    if (spans.size() >= kPyramidFrom) {
      lods_[lane] = make_lane_lod(spans);
    }
  }
  groups_.clear();
  groups_.resize(tree_.nodes.size());
  whole_.reset();
}

void Scene::set_options(TreeOptions options) {
  options_ = std::move(options);
  list_lanes(true);
}

void Scene::make_ready() {
  for (std::uint32_t lane = 0; lane < trace_.lanes.size(); ++lane) {
    const LaneSpans spans = trace_.lanes[lane].columns.spans();
    if (lane == lods_.size()) {
      lods_.push_back(make_lane_lod(spans));
      first_open_.push_back(0);
    } else if (first_open_[lane] < spans.size()) {
      extend(lods_[lane], spans, first_open_[lane], known_us_);
    }
    std::uint32_t& open = first_open_[lane];
    while (open < spans.size() && spans.end_us[open] != kOpen) {
      ++open;
    }
  }
  known_us_ = trace_.last_us;
}

void Scene::list_lanes(bool same_lanes) {
  // A group holds the same lanes wherever it stands.
  std::vector<std::pair<LaneKey, std::unique_ptr<Group>>> known;
  for (std::uint32_t node = 0; same_lanes && node < groups_.size(); ++node) {
    if (groups_[node]) {
      known.emplace_back(tree_.nodes[node].key, std::move(groups_[node]));
    }
  }
  std::vector<std::string> names = counter_names(trace_);
  recorded_counters_ = names.size();
  directory_ = make_directory(trace_.header, with_curves(std::move(names)));
  std::vector<LaneContent> content;
  // Those that came after the last refresh are not ready to be drawn.
  for (std::uint32_t lane = 0; lane < lods_.size(); ++lane) {
    if (const auto key = key_of_lane(lane)) {
      content.push_back({*key, id_of({lane, false})});
    }
  }
  for (std::uint32_t i = 0; i < trace_.counters.size(); ++i) {
    const Counter& counter = trace_.counters[i];
    auto key = key_of(directory_, trace_.entities[counter.entity]);
    const auto number = directory_.counter_index.find(trace_.texts[counter.name]);
    if (is_in_progress(counter)) {
      continue;
    }
    if (key && has_counters(*key) && number != directory_.counter_index.end()) {
      key->facet = Facet::kCounters;
      key->item = number->second;
    }
    if (key) {
      content.push_back({*key, id_of({i, true})});
    }
  }
  for (std::uint32_t i = 0; i < curves_.size(); ++i) {
    if (const auto key = key_of_curve(curves_[i])) {
      content.push_back({*key, id_of({i | kCurveBit, true})});
    }
  }
  tree_ = make_tree(directory_, std::move(content), options_);
  outs_.clear();
  groups_.clear();
  groups_.resize(tree_.nodes.size());
  for (auto& [key, group] : known) {
    if (const auto node = find(tree_, key)) {
      groups_[*node] = std::move(group);
    }
  }
  if (!same_lanes) {
    whole_.reset();
  }
  cuts_.clear();
  find_cuts();
  lost_.update(trace_, directory_);
}

/// One lane shows how far a job is: what was recorded of its steps, and of those committed, lies in
/// that of its progress.
bool Scene::is_in_progress(const Counter& counter) const {
  const std::string_view name = trace_.texts[counter.name];
  return (name == "steps" || name == "committed_steps") &&
         std::ranges::any_of(curves_, [&](const Curve& curve) {
           return curve.name == "progress" && curve.samples.entity == counter.entity;
         });
}

void Scene::find_cuts() {
  for (std::uint32_t lane = 0; lane < lods_.size(); ++lane) {
    if ((lods_[lane].kinds & mask_of(Kind::kCut)) != 0) {
      if (const auto key = key_of_lane(lane)) {
        cuts_.update(trace_, lane, *key);
      }
    }
  }
  cuts_.join();
}

bool Scene::set_curves(std::vector<Curve> curves) {
  const bool same = std::ranges::equal(curves, curves_, [](const Curve& a, const Curve& b) {
    return a.facet == b.facet && a.name == b.name && a.samples.entity == b.samples.entity;
  });
  curves_ = std::move(curves);
  extremes_.clear();
  if (!same) {
    list_lanes(true);
  }
  return !same;
}

const ExtremeLevels& Scene::extremes(std::uint32_t index) {
  ExtremeLevels& levels = extremes_[index];
  if (const auto& values = counter(index).value; values.size() != levels.count()) {
    levels.extend(values);
  }
  return levels;
}

const Counter& Scene::counter(std::uint32_t index) const {
  const Curve* of = curve(index);
  AFTERSHOCK_ASSERT(of != nullptr || index < trace_.counters.size());
  return of != nullptr ? of->samples : trace_.counters[index];
}

const Curve* Scene::curve(std::uint32_t index) const {
  AFTERSHOCK_ASSERT((index & kCurveBit) == 0 || (index & ~kCurveBit) < curves_.size());
  return (index & kCurveBit) != 0 ? &curves_[index & ~kCurveBit] : nullptr;
}

std::optional<LaneKey> Scene::key_of_curve(const Curve& curve) const {
  const std::string word = curve.facet == Facet::kBudgets ? "/budget:" : "/counter:";
  return key_of(directory_, std::string(trace_.entities[curve.samples.entity]) + word + curve.name);
}

std::optional<LaneKey> Scene::key_of_lane(std::uint32_t lane) const {
  const Lane& of = trace_.lanes[lane];
  auto key = key_of(directory_, trace_.entities[of.entity]);
  if (key && has_facets(*key)) {
    key->facet = facet_of(of.sub);
  }
  return key;
}

LaneView Scene::view_of(std::uint32_t lane) const {
  AFTERSHOCK_ASSERT(lane < lods_.size());
  const LaneSpans spans = trace_.lanes[lane].columns.spans();
  // Spans after the last refresh are not ready yet.
  const std::size_t ready = lods_[lane].count;
  return {{spans.begin_us.first(ready), spans.end_us.first(ready), spans.kind.first(ready)},
          &lods_[lane]};
}

std::vector<LaneView> Scene::views_of(std::span<const LaneContent> content) const {
  std::vector<LaneView> views;
  for (const LaneContent& each : content) {
    if (const Content of = content_from(each.id); !of.is_counter) {
      views.push_back(view_of(of.index));
    }
  }
  return views;
}

const OutCount* Scene::out_count(std::uint32_t node) {
  AFTERSHOCK_ASSERT(node < tree_.nodes.size());
  // To count them is quick beside the reading of a run, and of one that grows beside a frame.
  const std::size_t most_spans = is_settled_ ? 1'000'000 : 20'000;
  const auto of = nodes_of(directory_, tree_.nodes[node].key);
  if (!of || *of <= 0) {
    return nullptr;
  }
  const auto [found, is_new] = outs_.try_emplace(node);
  auto& [known_us, count] = found->second;
  if (is_new || known_us != known_us_) {
    std::vector<LaneSpans> nodes;
    for (const LaneContent& each : content_of(tree_, node)) {
      const Content content = content_from(each.id);
      if (!content.is_counter && each.key.node >= 0 && each.key.accelerator < 0 &&
          trace_.lanes[content.index].sub == SubLane::kStates) {
        nodes.push_back(view_of(content.index).spans);
      }
    }
    known_us = known_us_;
    count = count_out(nodes, *of, most_spans);
  }
  return count ? &*count : nullptr;
}

KindMask Scene::kinds() const {
  KindMask kinds = 0;
  for (const LaneLod& lod : lods_) {
    kinds |= lod.kinds;
  }
  return trace_.rolled_back.empty() ? kinds : kinds | mask_of(Kind::kRolledBack);
}

void Scene::draw(std::uint32_t node, const Columns& columns, std::span<Cell> cells) {
  AFTERSHOCK_ASSERT(node < groups_.size());
  draw_group(groups_[node], content_of(tree_, node), columns, cells);
}

void Scene::draw_all(const Columns& columns, std::span<Cell> cells) {
  draw_group(whole_, tree_.content, columns, cells);
}

void Scene::draw_group(std::unique_ptr<Group>& group, std::span<const LaneContent> content,
                       const Columns& columns, std::span<Cell> cells) {
  if (content.size() == 1 && !content_from(content.front().id).is_counter) {
    rasterise(view_of(content_from(content.front().id).index), columns, scratch_, cells);
    return;
  }
  if (!group) {
    group = std::make_unique<Group>();
  }
  // They are good until a span is added, which may move those of its lane.
  if (group->spans != trace_.spans) {
    group->views = views_of(content);
    group->spans = trace_.spans;
  }
  const std::vector<LaneView>& views = group->views;
  if (views.empty()) {
    std::ranges::fill(cells, Cell{});
  } else if (views.size() == 1) {
    rasterise(views.front(), columns, scratch_, cells);
  } else {
    const auto changed_from_us = std::exchange(group->changed_from_us, std::nullopt);
    if (!group->lod) {
      group->lod = make_group_lod(views, !is_settled_);
    } else if (changed_from_us) {
      extend(*group->lod, views, *changed_from_us);
    }
    rasterise(*group->lod, views, columns, scratch_, cells);
  }
}

}  // namespace aftershock::gui
