#include "gui/trace/lane.h"

#include <algorithm>
#include <cstring>

#include "base/assert.h"

namespace aftershock::gui {

namespace {

constexpr std::size_t kTimes = 2 * sizeof(std::int64_t);

std::size_t bytes_a_span(bool numbered) {
  return kTimes + (numbered ? 2 : 1) * sizeof(std::uint32_t) + sizeof(Kind);
}

}  // namespace

// In the order of their alignment: begins, ends, lines, numbers, kinds.

std::int64_t* LaneColumns::begins() const { return reinterpret_cast<std::int64_t*>(block_.get()); }

std::int64_t* LaneColumns::ends() const { return begins() + capacity_; }

std::uint32_t* LaneColumns::line_column() const {
  return reinterpret_cast<std::uint32_t*>(block_.get() + kTimes * capacity_);
}

std::uint32_t* LaneColumns::number_column() const { return line_column() + capacity_; }

Kind* LaneColumns::kinds() const {
  return reinterpret_cast<Kind*>(line_column() + (numbered_ ? 2U : 1U) * std::size_t{capacity_});
}

void LaneColumns::grow() {
  // By a half: doubling would leave a third of the memory unused.
  const std::uint32_t capacity = capacity_ == 0 ? 1 : (capacity_ + capacity_ / 2 + 3) / 4 * 4;
  LaneColumns larger(numbered_);
  // Every byte that is read is written before: zeroing would touch all memory twice.
  larger.block_.reset(new std::byte[bytes_a_span(numbered_) * capacity]);
  larger.capacity_ = capacity;
  if (size_ > 0) {
    std::memcpy(larger.begins(), begins(), size_ * sizeof(std::int64_t));
    std::memcpy(larger.ends(), ends(), size_ * sizeof(std::int64_t));
    std::memcpy(larger.line_column(), line_column(), size_ * sizeof(std::uint32_t));
    if (numbered_) {
      std::memcpy(larger.number_column(), number_column(), size_ * sizeof(std::uint32_t));
    }
    std::memcpy(larger.kinds(), kinds(), size_ * sizeof(Kind));
  }
  block_ = std::move(larger.block_);
  capacity_ = capacity;
}

std::uint32_t LaneColumns::add(const NewSpan& span) {
  AFTERSHOCK_ASSERT(size_ == 0 || span.begin_us >= begins()[size_ - 1]);
  if (size_ == capacity_) {
    grow();
  }
  const std::uint32_t index = size_++;
  begins()[index] = span.begin_us;
  ends()[index] = span.end_us;
  line_column()[index] = span.line;
  if (numbered_) {
    number_column()[index] = span.number;
  }
  kinds()[index] = span.kind;
  sealed_ = false;
  return index;
}

void LaneColumns::expect_add() const {
  if (size_ < capacity_) {
    __builtin_prefetch(begins() + size_, 1);
    __builtin_prefetch(ends() + size_, 1);
    __builtin_prefetch(line_column() + size_, 1);
    __builtin_prefetch(kinds() + size_, 1);
  }
}

void LaneColumns::end(std::uint32_t index, std::int64_t end_us) {
  AFTERSHOCK_ASSERT(index < size_);
  ends()[index] = end_us;
  sealed_ = false;
}

void LaneColumns::seal() {
  if (sealed_) {
    return;
  }
  sealed_ = true;
  latest_end_.clear();
  const std::span<const std::int64_t> all(ends(), size_);
  if (std::ranges::is_sorted(all)) {
    return;
  }
  latest_end_.assign(all.begin(), all.end());
  for (std::size_t i = 1; i < latest_end_.size(); ++i) {
    latest_end_[i] = std::max(latest_end_[i], latest_end_[i - 1]);
  }
}

LaneSpans LaneColumns::spans() const {
  return size_ == 0 ? LaneSpans{} : LaneSpans{{begins(), size_}, {ends(), size_}, {kinds(), size_}};
}

std::span<const std::uint32_t> LaneColumns::lines() const {
  return size_ == 0 ? std::span<const std::uint32_t>{} : std::span(line_column(), size_);
}

std::span<const std::uint32_t> LaneColumns::numbers() const {
  return size_ == 0 || !numbered_ ? std::span<const std::uint32_t>{}
                                  : std::span(number_column(), size_);
}

std::pair<std::size_t, std::size_t> LaneColumns::overlapping(std::int64_t from_us,
                                                             std::int64_t to_us) const {
  const LaneSpans all = spans();
  const auto last = static_cast<std::size_t>(std::ranges::lower_bound(all.begin_us, to_us) -
                                             all.begin_us.begin());
  const auto before = [&](std::size_t i, std::int64_t end_us) {
    return end_us <= from_us && all.begin_us[i] < from_us;
  };
  std::size_t first = 0;
  if (!sealed_) {
    while (first < last && before(first, all.end_us[first])) {
      ++first;
    }
  } else {
    const std::span<const std::int64_t> ends_us =
        latest_end_.empty() ? all.end_us : std::span<const std::int64_t>(latest_end_);
    std::size_t beyond = last;
    while (first < beyond) {
      const std::size_t middle = first + (beyond - first) / 2;
      if (before(middle, ends_us[middle])) {
        first = middle + 1;
      } else {
        beyond = middle;
      }
    }
  }
  return {first, last};
}

std::int64_t LaneColumns::latest_end_us(std::size_t count) const {
  AFTERSHOCK_ASSERT(count > 0 && count <= size_);
  const std::span<const std::int64_t> ends_us(ends(), count);
  if (!sealed_) {
    return *std::ranges::max_element(ends_us);
  }
  return latest_end_.empty() ? ends_us.back() : latest_end_[count - 1];
}

}  // namespace aftershock::gui
