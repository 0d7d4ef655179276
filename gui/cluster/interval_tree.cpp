#include "gui/cluster/interval_tree.h"

#include <algorithm>
#include <limits>

#include "base/assert.h"

namespace aftershock::gui {

namespace {

constexpr std::int64_t kFirst = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();

}  // namespace

IntervalTree::IntervalTree(std::size_t count) : count_(count) {
  while (leaves_ < count_) {
    leaves_ *= 2;
  }
  stays_.assign(2 * leaves_, {kFirst, kLast});
  forget();
}

void IntervalTree::set(std::size_t i, std::int64_t since_us, std::int64_t until_us) {
  AFTERSHOCK_ASSERT(i < count_);
  std::size_t at = leaves_ + i;
  stays_[at] = {since_us, until_us};
  for (at /= 2; at > 0; at /= 2) {
    const Stay& left = stays_[2 * at];
    const Stay& right = stays_[2 * at + 1];
    stays_[at] = {std::max(left.since_us, right.since_us), std::min(left.until_us, right.until_us)};
  }
}

void IntervalTree::forget() {
  // Those that fill the lowest row up always stay.
  for (std::size_t i = 0; i < count_; ++i) {
    stays_[leaves_ + i] = {kLast, kFirst};
  }
  for (std::size_t at = leaves_ - 1; at > 0; --at) {
    const Stay& left = stays_[2 * at];
    const Stay& right = stays_[2 * at + 1];
    stays_[at] = {std::max(left.since_us, right.since_us), std::min(left.until_us, right.until_us)};
  }
}

void IntervalTree::changed_at(std::int64_t t_us, std::vector<std::uint32_t>& changed) const {
  if (count_ == 0) {
    return;
  }
  const auto stays = [&](std::size_t at) {
    return stays_[at].since_us <= t_us && (t_us < stays_[at].until_us || t_us == kLast);
  };
  // Down and to the right, without a stack: a part that stays is passed over as a whole.
  std::size_t at = 1;
  while (true) {
    if (!stays(at)) {
      if (at < leaves_) {
        at *= 2;
        continue;
      }
      changed.push_back(static_cast<std::uint32_t>(at - leaves_));
    }
    while (at % 2 == 1) {
      at /= 2;
      if (at == 0) {
        return;
      }
    }
    ++at;
  }
}

}  // namespace aftershock::gui
