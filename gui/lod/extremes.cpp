#include "gui/lod/extremes.h"

#include "base/assert.h"

namespace aftershock::gui {
namespace {

constexpr std::size_t kFan = 16;

template <class Parts>
Extremes met(const Parts& parts, std::size_t first, std::size_t last) {
  Extremes found;
  for (; first < last; ++first) {
    found.meet(parts[first]);
  }
  return found;
}

}  // namespace

void ExtremeLevels::extend(std::span<const std::int64_t> values) {
  AFTERSHOCK_ASSERT(values.size() >= count_);
  count_ = values.size();
  std::size_t below = values.size();
  for (std::size_t level = 0; below >= kFan; ++level) {
    if (level == levels_.size()) {
      levels_.emplace_back();
    }
    std::vector<Extremes>& runs = levels_[level];
    for (std::size_t run = runs.size(); run < below / kFan; ++run) {
      const std::size_t first = run * kFan;
      runs.push_back(level == 0 ? met(values, first, first + kFan)
                                : met(levels_[level - 1], first, first + kFan));
    }
    below = runs.size();
  }
}

Extremes ExtremeLevels::of(std::span<const std::int64_t> values, std::size_t first,
                           std::size_t last) const {
  AFTERSHOCK_ASSERT(last <= count_ && last <= values.size());
  Extremes found;
  // Up the levels as long as both ends leave whole runs between them.
  for (std::size_t level = 0; first < last; ++level) {
    const auto meet = [&](std::size_t from, std::size_t to) {
      found.meet(level == 0 ? met(values, from, to) : met(levels_[level - 1], from, to));
    };
    const std::size_t first_run = (first + kFan - 1) / kFan;
    const std::size_t last_run = last / kFan;
    if (first_run >= last_run || level == levels_.size()) {
      meet(first, last);
      break;
    }
    meet(first, first_run * kFan);
    meet(last_run * kFan, last);
    first = first_run;
    last = last_run;
  }
  return found;
}

}  // namespace aftershock::gui
