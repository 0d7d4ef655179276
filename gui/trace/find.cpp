#include "gui/trace/find.h"

#include <algorithm>
#include <functional>
#include <ranges>

#include "base/assert.h"

namespace aftershock::gui {

namespace {

/// Among things in the order that `place_of` gives.
template <typename Place, typename Range, typename PlaceOf>
std::optional<std::size_t> find_in(const Range& range, const Place& from, Direction direction,
                                   PlaceOf place_of) {
  const auto begin = std::ranges::begin(range);
  if (direction == Direction::kNext) {
    const auto found = std::ranges::upper_bound(range, from, {}, place_of);
    return found == std::ranges::end(range)
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - begin));
  }
  const auto found = std::ranges::lower_bound(range, from, {}, place_of);
  return found == begin ? std::nullopt : std::optional(static_cast<std::size_t>(found - begin) - 1);
}

/// The place of a fault or decision.
constexpr auto kMoment = [](const auto& of) { return Moment{of.t_us, of.line}; };

}  // namespace

std::optional<std::size_t> find_fault(const Trace& trace, Moment from, Direction direction) {
  return find_in(trace.faults, from, direction, kMoment);
}

std::optional<std::size_t> find_decision(const Trace& trace, Moment from, Direction direction) {
  return find_in(trace.decisions, from, direction, kMoment);
}

std::optional<std::size_t> find_span(const Lane& lane, Moment from, Direction direction) {
  const auto begins = lane.columns.spans().begin_us;
  const auto lines = lane.columns.lines();
  return find_in(std::views::iota(std::size_t{0}, begins.size()), from, direction,
                 [&](std::size_t i) { return Moment{begins[i], lines[i]}; });
}

std::optional<std::size_t> find_checkpoint(const Trace& trace, std::uint32_t entity,
                                           std::int64_t t_us, Direction direction) {
  const Counter* counter = find_counter(trace, entity, "committed_steps");
  return counter == nullptr ? std::nullopt
                            : find_in(counter->t_us, t_us, direction, std::identity());
}

const Counter* find_counter(const Trace& trace, std::uint32_t entity, std::string_view name) {
  const auto found = std::ranges::find_if(trace.counters, [&](const Counter& counter) {
    return counter.entity == entity && trace.texts[counter.name] == name;
  });
  return found == trace.counters.end() ? nullptr : &*found;
}

std::optional<std::int64_t> value_at(const Counter& counter, std::int64_t t_us) {
  AFTERSHOCK_ASSERT(counter.t_us.size() == counter.value.size());
  const auto after = std::ranges::upper_bound(counter.t_us, t_us);
  return after == counter.t_us.begin()
             ? std::nullopt
             : std::optional(
                   counter.value[static_cast<std::size_t>(after - counter.t_us.begin()) - 1]);
}

std::optional<std::uint32_t> fault_with_id(const Trace& trace, TextId id) {
  std::optional<std::uint32_t> found;
  for (std::uint32_t i = 0; i < trace.faults.size(); ++i) {
    const Fault& fault = trace.faults[i];
    if (fault.id == id && id != kNoText && (fault.fired || !found || !trace.faults[*found].fired)) {
      found = i;
    }
  }
  return found;
}

std::map<TextId, std::uint32_t> faults_by_id(const Trace& trace) {
  std::map<TextId, std::uint32_t> faults;
  for (std::uint32_t i = 0; i < trace.faults.size(); ++i) {
    const Fault& fault = trace.faults[i];
    const auto [known, is_new] = faults.try_emplace(fault.id, i);
    if (fault.fired || !trace.faults[known->second].fired) {
      known->second = i;
    }
  }
  faults.erase(kNoText);
  return faults;
}

std::pair<std::size_t, std::size_t> effects_of(const Trace& trace, std::uint32_t fault) {
  const auto range = std::ranges::equal_range(trace.effects, fault, {}, &Effect::fault);
  return {static_cast<std::size_t>(range.begin() - trace.effects.begin()),
          static_cast<std::size_t>(range.end() - trace.effects.begin())};
}

std::int64_t end_of_fault(const Trace& trace, std::uint32_t fault) {
  const Fault& of = trace.faults[fault];
  std::int64_t end_us = of.healed_us == kOpen ? of.t_us : std::max(of.t_us, of.healed_us);
  const auto [first, last] = effects_of(trace, fault);
  for (std::size_t i = first; i < last; ++i) {
    const Effect& effect = trace.effects[i];
    const Lane& lane = trace.lanes[effect.lane];
    const std::int64_t ended_us =
        effect.span < lane.columns.size() ? lane.columns.spans().end_us[effect.span] : kOpen;
    if (lane.sub == SubLane::kPhases && ended_us != kOpen) {
      end_us = std::max(end_us, ended_us);
    }
  }
  return end_us;
}

const reports::HeaderJob* header_job(const Trace& trace, std::uint32_t entity) {
  constexpr std::string_view kPrefix = "job:";
  const std::string_view name = trace.entities[entity];
  if (!name.starts_with(kPrefix)) {
    return nullptr;
  }
  const auto found =
      std::ranges::find(trace.header.jobs, name.substr(kPrefix.size()), &reports::HeaderJob::name);
  return found == trace.header.jobs.end() ? nullptr : &*found;
}

}  // namespace aftershock::gui
