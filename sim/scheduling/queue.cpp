#include "sim/scheduling/queue.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <tuple>
#include <utility>

#include "base/assert.h"

namespace aftershock::sim::scheduling {

namespace {

// In a line without experiments nothing else decides.
bool is_before(const Waiter& a, const Waiter& b) {
  return std::tuple(!a.first, -std::int64_t{a.priority}, a.number) <
         std::tuple(!b.first, -std::int64_t{b.priority}, b.number);
}

// Trials take what is free piece by piece: an experiment goes by priority alone.
bool stands_behind(const Waiter& other, const Waiter& newcomer) {
  const bool alike = !newcomer.is_job || other.first == newcomer.first;
  return alike ? other.priority < newcomer.priority : !other.first;
}

// Where it stands, or would. Those that wait with a limit come and go in turn, so that most stand
// at one of the ends.
std::deque<Waiter>::iterator place_in(std::deque<Waiter>& waiters, const Waiter& waiter) {
  if (waiters.empty() || is_before(waiters.back(), waiter)) {
    return waiters.end();
  }
  return is_before(waiters.front(), waiter) ? std::ranges::lower_bound(waiters, waiter, is_before)
                                            : waiters.begin();
}

}  // namespace

void Queue::join(Waiter waiter) {
  AFTERSHOCK_ASSERT(!serving_ && place_of(waiter.holder) == nullptr);
  Line& line = lines_[waiter.pool];
  waiter.number = ++came_;
  // Experiments stand where jobs alone would be in one order, and are few.
  const bool scan = line.experiments > 0 || !waiter.is_job;
  const auto after =
      scan ? std::ranges::find_if(line.waiters,
                                  [&](const Waiter& other) { return stands_behind(other, waiter); })
           : place_in(line.waiters, waiter);
  line.waiters.insert(after, waiter);
  line.untold.push_back(waiter);
  ++line.by_need[waiter.needed];
  line.firsts += waiter.first ? 1 : 0;
  line.experiments += waiter.is_job ? 0 : 1;
  places_.resize(std::max<std::size_t>(places_.size(), waiter.holder + 1));
  places_[waiter.holder] = {.waiter = waiter, .told = false};
}

bool Queue::leave(std::uint32_t holder) {
  AFTERSHOCK_ASSERT(!serving_);
  const Place* place = place_of(holder);
  if (place == nullptr) {
    return false;
  }
  Line& line = lines_[place->waiter.pool];
  const auto at = line.experiments > 0 ? std::ranges::find(line.waiters, holder, &Waiter::holder)
                                       : place_in(line.waiters, place->waiter);
  AFTERSHOCK_ASSERT(at != line.waiters.end() && at->holder == holder);
  uncount(line, *at);
  take_out(line, static_cast<std::size_t>(at - line.waiters.begin()));
  return true;
}

const Queue::Place* Queue::place_of(std::uint32_t holder) const {
  return holder < places_.size() && places_[holder].waiter.number != 0 ? &places_[holder] : nullptr;
}

void Queue::uncount(Line& line, const Waiter& waiter) {
  const auto same = line.by_need.find(waiter.needed);
  if (--same->second == 0) {
    line.by_need.erase(same);
  }
  line.firsts -= waiter.first ? 1 : 0;
  line.experiments -= waiter.is_job ? 0 : 1;
}

void Queue::take_out(Line& line, std::size_t at) {
  Place& place = places_[line.waiters[at].holder];
  line.told -= place.told ? 1 : 0;
  place = {};
  line.waiters.erase(line.waiters.begin() + static_cast<std::ptrdiff_t>(at));
}

void Queue::tell(std::uint32_t holder) {
  AFTERSHOCK_ASSERT(place_of(holder) != nullptr);
  Place& place = places_[holder];
  lines_[place.waiter.pool].told += place.told ? 0 : 1;
  place.told = true;
}

bool Queue::other_waits(std::uint32_t pool, std::uint32_t holder) const {
  const Place* place = place_of(holder);
  const bool itself = place != nullptr && place->told && place->waiter.pool == pool;
  return lines_[pool].told > (itself ? 1U : 0U);
}

std::vector<std::uint32_t> Queue::untold(std::uint32_t pool) {
  Line& line = lines_[pool];
  const auto is_over = [&](const Waiter& waiter) {
    const Place& place = places_[waiter.holder];
    return place.waiter.number != waiter.number || (place.told && waiter.is_job);
  };
  std::erase_if(line.untold, is_over);
  std::vector<std::uint32_t> holders;
  if (line.experiments > 0) {
    for (const Waiter& waiter : line.waiters) {
      if (!is_over(waiter)) {
        holders.push_back(waiter.holder);
      }
    }
    return holders;
  }
  std::ranges::sort(line.untold, is_before);
  std::ranges::transform(line.untold, std::back_inserter(holders), &Waiter::holder);
  return holders;
}

bool Queue::plan_serving(std::uint32_t pool) {
  AFTERSHOCK_ASSERT(pool < lines_.size());
  // One entry serves all who ask in a microsecond, so that priority decides among them and not the
  // order of asking.
  return !std::exchange(lines_[pool].serving_planned, true);
}

}  // namespace aftershock::sim::scheduling
