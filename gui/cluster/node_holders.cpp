#include "gui/cluster/node_holders.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace aftershock::gui {

namespace {

/// A header may claim any number of nodes; beyond these their holders are not drawn.
constexpr std::int64_t kMostNodes = std::int64_t{1} << 22;

constexpr bool is_well(PlaceState state) {
  return state == PlaceState::kUp || state == PlaceState::kSpare;
}

}  // namespace

NodeHolders::NodeHolders(const Scene& scene) : scene_(&scene) {
  const Directory& directory = scene.directory();
  pools_.resize(directory.pools.size());
  const auto add = [&](Section section, std::size_t group, const std::string& pool) {
    LaneKey key;
    key.section = section;
    key.group = static_cast<std::int64_t>(group);
    owners_.push_back({.key = key});
    const auto found = directory.pool_index.find(pool);
    pool_of_.push_back(
        found != directory.pool_index.end() ? static_cast<std::uint32_t>(found->second) : kNone);
  };
  const reports::RecordingHeader& header = scene.trace().header;
  for (std::size_t job = 0; job < directory.jobs.size(); ++job) {
    add(Section::kJobs, job, job < header.jobs.size() ? header.jobs[job].pool : std::string());
  }
  for (std::size_t i = 0; i < directory.experiments.size(); ++i) {
    add(Section::kExperiments, i,
        i < header.experiments.size() ? header.experiments[i].pool : std::string());
  }
}

std::uint32_t NodeHolders::owner_index(const LaneKey& key) const {
  const auto jobs = scene_->directory().jobs.size();
  const auto group = static_cast<std::size_t>(key.group);
  if (key.section == Section::kJobs && group < jobs) {
    return static_cast<std::uint32_t>(group);
  }
  if (key.section == Section::kExperiments && jobs + group < owners_.size()) {
    return static_cast<std::uint32_t>(jobs + group);
  }
  return kNone;
}

void NodeHolders::take_new() {
  const Trace& trace = scene_->trace();
  while (changes_.size() < trace.holds.size()) {
    const Holds& holds = trace.holds[changes_.size()];
    Change change{.t_us = holds.t_us, .holds = static_cast<std::uint32_t>(changes_.size())};
    if (holds.entity < trace.entities.size()) {
      if (const auto key = key_of(scene_->directory(), trace.entities[holds.entity])) {
        change.owner = owner_index(*key);
      }
      last_.resize(std::max<std::size_t>(last_.size(), holds.entity + std::size_t{1}), kNone);
      change.before = std::exchange(last_[holds.entity], change.holds);
    }
    change.pool = change.owner != kNone ? pool_of_[change.owner] : kNone;
    if (change.pool != kNone) {
      pools_[change.pool].told = true;
    }
    changes_.push_back(change);
  }
}

void NodeHolders::apply(std::uint32_t index, bool holds) {
  const Change& change = changes_[index];
  if (change.pool == kNone) {
    return;
  }
  const Trace& trace = scene_->trace();
  const Holds& line = trace.holds[change.holds];
  Pool& pool = pools_[change.pool];
  const std::int64_t most = std::min(kMostNodes, scene_->directory().pools[change.pool].slots);
  for (std::uint32_t i = line.first; i < line.first + line.ranges; ++i) {
    const auto end = static_cast<std::size_t>(
        std::min<std::int64_t>(trace.held[i].last + std::int64_t{1}, most));
    if (end > pool.nodes.size()) {
      pool.nodes.resize(end);
    }
    for (std::size_t at = trace.held[i].first; at < end; ++at) {
      Node& node = pool.nodes[at];
      if (holds && node.times++ == 0) {
        node.owner = change.owner;
        ++owners_[node.owner].nodes;
      } else if (!holds && node.times > 0 && --node.times == 0) {
        --owners_[node.owner].nodes;
        node.owner = kNone;
      }
    }
  }
}

void NodeHolders::move_to(std::int64_t t_us) {
  while (applied_ < changes_.size() && changes_[applied_].t_us <= t_us) {
    const auto index = static_cast<std::uint32_t>(applied_++);
    if (changes_[index].before != kNone) {
      apply(changes_[index].before, false);
    }
    apply(index, true);
  }
  while (applied_ > 0 && changes_[applied_ - 1].t_us > t_us) {
    const auto index = static_cast<std::uint32_t>(--applied_);
    apply(index, false);
    if (changes_[index].before != kNone) {
      apply(changes_[index].before, true);
    }
  }
}

// A process that hangs goes on, with all others, or ends when its attempt is torn down.
std::int64_t NodeHolders::over_us(const Hang& hang) const {
  const Lane* lane = lane_of(scene_->trace(), hang.entity, SubLane::kPhases);
  if (lane == nullptr) {
    return kOpen;
  }
  const LaneSpans spans = lane->columns.spans();
  for (std::size_t i = lane->columns.overlapping(hang.begin_us, hang.begin_us + 1).first;
       i < spans.size(); ++i) {
    if (spans.kind[i] == Kind::kTearingDown && spans.end_us[i] > hang.begin_us) {
      return spans.end_us[i];
    }
    if (spans.begin_us[i] > hang.begin_us &&
        (spans.kind[i] == Kind::kProductive || spans.kind[i] == Kind::kLaunching)) {
      return spans.begin_us[i];
    }
  }
  return spans.empty() || scene_->trace().reading ? kOpen : spans.end_us.back();
}

// A recording of real processes says which rank hangs, and not where.
std::optional<LaneKey> NodeHolders::place_of(const Fault& fault) const {
  const Trace& trace = scene_->trace();
  const auto key = key_of(scene_->directory(), trace.entities[fault.entity]);
  if (!key) {
    return std::nullopt;
  }
  if (key->section == Section::kPools) {
    return key->node >= 0 ? key : std::nullopt;
  }
  constexpr std::string_view kRank = "/rank:";
  const std::string_view target =
      fault.target != kNoText ? trace.texts[fault.target] : std::string_view();
  const std::size_t at = target.rfind(kRank);
  std::int64_t rank = 0;
  if (at == std::string_view::npos ||
      std::from_chars(target.data() + at + kRank.size(), target.data() + target.size(), rank).ec !=
          std::errc()) {
    return std::nullopt;
  }
  return place_of_rank(owner_index(*key), rank);
}

std::optional<LaneKey> NodeHolders::place_of_rank(std::uint32_t owner, std::int64_t rank) const {
  const Trace& trace = scene_->trace();
  for (std::size_t i = applied_; i > 0; --i) {
    const Change& change = changes_[i - 1];
    const Holds& holds = trace.holds[change.holds];
    if (change.owner != owner || change.pool == kNone || holds.ranges == 0) {
      continue;
    }
    const PoolNames& pool = scene_->directory().pools[change.pool];
    std::int64_t slot = rank / std::max<std::int64_t>(1, pool.accelerators);
    for (std::uint32_t k = holds.first; k < holds.first + holds.ranges; ++k) {
      const NodeRange& range = trace.held[k];
      const std::int64_t count = std::int64_t{range.last} - range.first + 1;
      if (slot >= 0 && slot < count) {
        LaneKey key;
        key.section = Section::kPools;
        key.group = change.pool;
        key.node = range.first + slot;
        return key;
      }
      slot -= count;
    }
    return std::nullopt;
  }
  return std::nullopt;
}

void NodeHolders::take_new_hangs() {
  const Trace& trace = scene_->trace();
  const auto word = trace.texts.find("hang");
  for (; word && known_faults_ < trace.faults.size(); ++known_faults_) {
    const Fault& fault = trace.faults[known_faults_];
    if (!fault.fired || fault.kind != *word || fault.entity >= trace.entities.size()) {
      continue;
    }
    move_to(fault.t_us);
    const auto key = place_of(fault);
    if (!key) {
      continue;
    }
    const std::uint32_t owner = owner_of(key->group, key->node);
    const auto jobs = scene_->directory().jobs.size();
    const auto entity =
        owner < jobs ? trace.entities.find("job:" + scene_->directory().jobs[owner]) : std::nullopt;
    if (entity) {
      hangs_.push_back({.begin_us = fault.t_us,
                        .pool = static_cast<std::uint32_t>(key->group),
                        .node = key->node,
                        .entity = *entity});
    }
  }
  for (Hang& hang : hangs_) {
    hang.until_us = hang.until_us == kOpen ? over_us(hang) : hang.until_us;
  }
}

bool NodeHolders::go_to(std::int64_t t_us) {
  const std::size_t before = applied_;
  take_new();
  take_new_hangs();
  move_to(t_us);
  std::vector<Hang> hung;
  std::ranges::copy_if(hangs_, std::back_inserter(hung), [t_us](const Hang& hang) {
    return hang.begin_us <= t_us && t_us < hang.until_us;
  });
  const bool others = hung != hung_;
  hung_ = std::move(hung);
  return others || applied_ != before;
}

std::uint32_t NodeHolders::owner_of(std::int64_t pool, std::int64_t node) const {
  if (pool < 0 || static_cast<std::size_t>(pool) >= pools_.size() || node < 0) {
    return kNone;
  }
  const auto& nodes = pools_[static_cast<std::size_t>(pool)].nodes;
  return static_cast<std::size_t>(node) < nodes.size() ? nodes[static_cast<std::size_t>(node)].owner
                                                       : kNone;
}

std::pair<std::size_t, std::size_t> NodeHolders::nodes_of(const LaneKey& cell) const {
  if (cell.section != Section::kPools || cell.group < 0 || cell.node < 0 ||
      static_cast<std::size_t>(cell.group) >= pools_.size()) {
    return {0, 0};
  }
  const std::size_t all = pools_[static_cast<std::size_t>(cell.group)].nodes.size();
  const auto first = std::min(all, static_cast<std::size_t>(cell.node));
  return {first, first + std::min(all - first, static_cast<std::size_t>(cell.run))};
}

std::uint32_t NodeHolders::main_owner(const LaneKey& cell) const {
  const auto [first, end] = nodes_of(cell);
  std::vector<std::uint32_t> seen;
  for (std::size_t node = first; node < end; ++node) {
    const std::uint32_t owner = pools_[static_cast<std::size_t>(cell.group)].nodes[node].owner;
    if (owner != kNone) {
      seen.push_back(owner);
    }
  }
  std::ranges::sort(seen);
  std::uint32_t most = kNone;
  std::size_t times = 0;
  for (std::size_t i = 0; i < seen.size();) {
    const auto next = static_cast<std::size_t>(
        std::ranges::upper_bound(seen.begin() + static_cast<std::ptrdiff_t>(i), seen.end(),
                                 seen[i]) -
        seen.begin());
    if (next - i > times) {
      times = next - i;
      most = seen[i];
    }
    i = next;
  }
  return most;
}

Census NodeHolders::census(const ClusterStates& states, const LaneKey& cell) const {
  Census census = states.count(cell.section, cell.group, cell.node, cell.run);
  if (cell.section != Section::kPools || cell.group < 0 ||
      static_cast<std::size_t>(cell.group) >= pools_.size() ||
      !pools_[static_cast<std::size_t>(cell.group)].told) {
    return census;
  }
  const auto state_of_node = [&](std::int64_t node) {
    LaneKey key = cell;
    key.node = node;
    key.run = 1;
    return states.state_of_place(key);
  };
  std::int64_t used = 0;
  const auto [first, end] = nodes_of(cell);
  for (std::size_t node = first; node < end; ++node) {
    const auto number = static_cast<std::int64_t>(node);
    if (owner_of(cell.group, number) == kNone) {
      continue;
    }
    const PlaceState state = state_of_node(number);
    used += is_well(state) ? 1 : 0;
    count_of(census, PlaceState::kSpare) -= state == PlaceState::kSpare ? 1 : 0;
    count_of(census, PlaceState::kUp) += state == PlaceState::kSpare ? 1 : 0;
  }
  count_of(census, PlaceState::kFree) = count_of(census, PlaceState::kUp) - used;
  count_of(census, PlaceState::kUp) = used;
  for (const Hang& hang : hung_) {
    if (hang.pool != static_cast<std::uint32_t>(cell.group) || hang.node < cell.node ||
        hang.node >= cell.node + cell.run) {
      continue;
    }
    PlaceState state = state_of_node(hang.node);
    if (is_well(state)) {
      state = owner_of(cell.group, hang.node) != kNone ? PlaceState::kUp
              : state == PlaceState::kSpare            ? state
                                                       : PlaceState::kFree;
    }
    if ((is_well(state) || state == PlaceState::kFree || state == PlaceState::kSlow) &&
        count_of(census, state) > 0) {
      --count_of(census, state);
      ++count_of(census, PlaceState::kHung);
    }
  }
  return census;
}

}  // namespace aftershock::gui
