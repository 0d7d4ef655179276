#include "gui/cluster/cluster_states.h"

#include <algorithm>

#include "base/assert.h"

namespace aftershock::gui {

namespace {

/// The bits of Watch::kinds about a machine.
constexpr KindMask kGone = 1;
constexpr KindMask kThere = 2;

LaneKey place_of(LaneKey key) {
  key.accelerator = -1;
  return key;
}

bool is_place(const LaneKey& key) {
  return key.section == Section::kPools ||
         (key.node >= 0 && (key.section == Section::kHeads || key.section == Section::kStorages));
}

void move_to_cut(Census& census, const Census& from) {
  for (const PlaceState state : {PlaceState::kUp, PlaceState::kSpare}) {
    count_of(census, state) -= count_of(from, state);
    count_of(census, PlaceState::kCut) += count_of(from, state);
  }
}

}  // namespace

ClusterStates::ClusterStates(const Scene& scene)
    : scene_(&scene), bases_(scene.trace().header, scene.directory()) {
  look_at_lanes();
  stays_ = IntervalTree(watches_.size());
  is_changed_.assign(places_.size(), false);
  refresh();
}

void ClusterStates::look_at_lanes() {
  for (const LaneContent& each : scene_->tree().content) {
    const Content content = content_from(each.id);
    if (content.is_counter || !is_place(each.key)) {
      continue;
    }
    Watch watch;
    watch.lane = content.index;
    const SubLane sub = scene_->trace().lanes[content.index].sub;
    watch.of_part = each.key.accelerator >= 0;
    watch.of_machine = sub == SubLane::kMarks && each.key.section == Section::kPools &&
                       each.key.node >= 0 && !watch.of_part;
    if (sub != SubLane::kStates && !watch.of_machine) {
      continue;
    }
    const LaneKey key = place_of(each.key);
    if (places_.empty() || places_.back().key != key) {
      const PlaceState base = key.node >= 0 ? bases_.of(key) : PlaceState::kUp;
      places_.push_back({.key = key, .base = base, .state = base});
      places_.back().absent = base == PlaceState::kAbsent;
      places_.back().first_watch = static_cast<std::uint32_t>(watches_.size());
    }
    watch.place = static_cast<std::uint32_t>(places_.size() - 1);
    ++places_.back().watches;
    watches_.push_back(std::move(watch));
  }
}

void ClusterStates::refresh() {
  const TextTable& texts = scene_->trace().texts;
  came_ = texts.find("new_machine").value_or(kNoText);
  went_ = texts.find("retired").value_or(kNoText);
  for (Watch& watch : watches_) {
    if (watch.of_machine) {
      look_for_machines(watch);
    }
  }
  stays_.forget();
}

void ClusterStates::look_for_machines(Watch& watch) {
  const LaneColumns& lane = scene_->trace().lanes[watch.lane].columns;
  const auto words = lane.numbers();
  for (; watch.known < words.size(); ++watch.known) {
    const TextId word = words[watch.known];
    if (word != kNoText && (word == came_ || word == went_)) {
      watch.machines.emplace_back(lane.spans().begin_us[watch.known], word == came_);
    }
  }
}

Holding ClusterStates::look(const Watch& watch, std::int64_t t_us) const {
  if (!watch.of_machine) {
    return holding_at(scene_->trace().lanes[watch.lane].columns, t_us);
  }
  Holding holding;
  const auto after =
      std::ranges::upper_bound(watch.machines, t_us, {}, &std::pair<std::int64_t, bool>::first);
  if (after != watch.machines.end()) {
    holding.until_us = after->first;
  }
  if (after != watch.machines.begin()) {
    const auto& last = *std::prev(after);
    holding.since_us = last.first;
    holding.kinds = last.second ? kThere : kGone;
  }
  return holding;
}

std::span<const std::uint32_t> ClusterStates::go_to(std::int64_t t_us) {
  expired_.clear();
  touched_.clear();
  for (const std::uint32_t place : changed_) {
    is_changed_[place] = false;
  }
  changed_.clear();
  stays_.changed_at(t_us, expired_);
  for (const std::uint32_t index : expired_) {
    Watch& watch = watches_[index];
    const Holding holding = look(watch, t_us);
    stays_.set(index, holding.since_us, holding.until_us);
    if (holding.kinds != watch.kinds) {
      watch.kinds = holding.kinds;
      if (touched_.empty() || touched_.back() != watch.place) {
        touched_.push_back(watch.place);
      }
    }
  }
  for (const std::uint32_t index : touched_) {
    ClusterPlace& place = places_[index];
    const KindMask before = place.kinds;
    place.kinds = 0;
    KindMask machine = 0;
    for (std::uint32_t i = place.first_watch; i < place.first_watch + place.watches; ++i) {
      const Watch& watch = watches_[i];
      if (watch.of_machine) {
        machine = watch.kinds;
      } else if (!watch.of_part) {
        place.kinds |= watch.kinds;
      } else if (watch.kinds != 0) {
        place.kinds |= mask_of(Kind::kSlow);
      }
    }
    if (((before ^ place.kinds) & mask_of(Kind::kCut)) != 0) {
      ++cuts_version_;
    }
    place.absent = machine == kGone || (machine != kThere && place.base == PlaceState::kAbsent);
  }
  for (const std::uint32_t index : touched_) {
    const ClusterPlace& place = places_[index];
    const bool cut = (place.kinds & mask_of(Kind::kCut)) != 0;
    if (!place.is_node() && cut != (place.state == PlaceState::kCut)) {
      cut_or_join(index, cut);
    }
  }
  for (const std::uint32_t index : touched_) {
    settle(index);
  }
  std::ranges::sort(changed_);
  return changed_;
}

void ClusterStates::settle(std::uint32_t index) {
  ClusterPlace& place = places_[index];
  PlaceState state = PlaceState::kAbsent;
  if (!place.is_node()) {
    state = (place.kinds & mask_of(Kind::kCut)) != 0 ? PlaceState::kCut : PlaceState::kUp;
  } else if (!place.absent || (place.kinds != 0 && place.base == PlaceState::kAbsent)) {
    // Of a machine that nobody recorded to have come, but which is down, it is known that it came.
    const PlaceState well = place.base == PlaceState::kAbsent ? PlaceState::kUp : place.base;
    const KindMask cut = place.cut_above > 0 ? mask_of(Kind::kCut) : 0;
    state = state_of(place.kinds | cut, well);
  }
  if (state != place.state) {
    place.state = state;
    if (!is_changed_[index]) {
      is_changed_[index] = true;
      changed_.push_back(index);
    }
  }
}

void ClusterStates::cut_or_join(std::uint32_t index, bool cut) {
  settle(index);
  const auto at = std::ranges::lower_bound(cut_groups_, index);
  if (cut) {
    cut_groups_.insert(at, index);
  } else {
    cut_groups_.erase(at);
  }
  for (std::uint32_t i = index + 1;
       i < places_.size() && is_above(places_[index].key, places_[i].key); ++i) {
    if (places_[i].is_node()) {
      places_[i].cut_above = static_cast<std::uint8_t>(places_[i].cut_above + (cut ? 1 : -1));
      settle(i);
    }
  }
}

const ClusterPlace* ClusterStates::find(const LaneKey& key) const {
  const auto at = std::ranges::lower_bound(places_, key, {}, &ClusterPlace::key);
  return at != places_.end() && at->key == key ? &*at : nullptr;
}

PlaceState ClusterStates::state_of_place(const LaneKey& key) const {
  const Census one = count(key.section, key.group, key.node, 1);
  return static_cast<PlaceState>(std::ranges::find(one, 1) - one.begin());
}

std::int64_t ClusterStates::rack_at(Section section, std::int64_t pool, std::int64_t slot) const {
  return section == Section::kPools
             ? rack_of(scene_->directory().pools[static_cast<std::size_t>(pool)], slot)
             : -1;
}

std::pair<std::size_t, std::size_t> ClusterStates::places_among(Section section, std::int64_t pool,
                                                                std::int64_t first,
                                                                std::int64_t count) const {
  AFTERSHOCK_ASSERT(first >= 0 && count >= 0);
  LaneKey from{.section = section, .group = pool, .rack = rack_at(section, pool, first)};
  from.node = first;
  LaneKey to = from;
  to.node = first + std::max<std::int64_t>(count, 1) - 1;
  to.rack = rack_at(section, pool, to.node);
  const auto begin = std::ranges::lower_bound(places_, from, {}, &ClusterPlace::key);
  const auto end = std::ranges::upper_bound(places_, to, {}, &ClusterPlace::key);
  return {static_cast<std::size_t>(begin - places_.begin()),
          static_cast<std::size_t>(std::max(begin, end) - places_.begin())};
}

PlaceState ClusterStates::unrecorded(const ClusterPlace& place) const {
  return place.cut_above > 0 && place.base != PlaceState::kAbsent ? PlaceState::kCut : place.base;
}

void ClusterStates::take_away_cut(Census& census, std::int64_t pool, std::int64_t first,
                                  std::int64_t count) const {
  const auto key_at = [this](std::uint32_t index) { return places_[index].key; };
  const LaneKey whole{.section = Section::kPools, .group = pool};
  const auto in_pool = std::ranges::lower_bound(cut_groups_, whole, {}, key_at);
  if (in_pool == cut_groups_.end() || key_at(*in_pool).group != pool) {
    return;
  }
  if (key_at(*in_pool).rack < 0) {
    move_to_cut(census, Census(census));
    return;
  }
  const PoolNames& names = scene_->directory().pools[static_cast<std::size_t>(pool)];
  LaneKey rack = whole;
  rack.rack = rack_of(names, first);
  for (auto at = std::ranges::lower_bound(cut_groups_, rack, {}, key_at); at != cut_groups_.end();
       ++at) {
    const auto [begin, end] = slots_of_rack(names, key_at(*at).rack);
    if (key_at(*at).group != pool || begin >= first + count) {
      break;
    }
    Census part{};
    const std::int64_t from = std::max(first, begin);
    bases_.add_to(part, pool, from, std::min(first + count, end) - from);
    move_to_cut(census, part);
  }
}

Census ClusterStates::count(Section section, std::int64_t pool, std::int64_t first,
                            std::int64_t count) const {
  Census census{};
  if (section == Section::kPools) {
    bases_.add_to(census, pool, first, count);
    take_away_cut(census, pool, first, count);
  } else {
    count_of(census, PlaceState::kUp) = count;
  }
  const auto [begin, end] = places_among(section, pool, first, count);
  for (std::size_t i = begin; i < end; ++i) {
    if (places_[i].is_node()) {
      --count_of(census, unrecorded(places_[i]));
      ++count_of(census, places_[i].state);
    }
  }
  return census;
}

}  // namespace aftershock::gui
