#include "sim/engine/calendar.h"

#include <algorithm>

#include "base/assert.h"

namespace aftershock::sim::engine {

namespace {

constexpr unsigned kSequenceBits = 56;

// One comparison of (time, order) without a branch between the two: times are not negative.
__extension__ using WideKey = unsigned __int128;

WideKey place_of(const Entry& entry) {
  constexpr unsigned kWordBits = 64;
  return WideKey{static_cast<std::uint64_t>(entry.t_us)} << kWordBits | entry.order;
}

constexpr auto kLater = [](const Entry& a, const Entry& b) { return place_of(a) > place_of(b); };

}  // namespace

void Calendar::push_reserved(std::uint64_t place, std::int64_t t_us, EntryClass entry_class,
                             std::uint16_t kind, std::uint32_t entity, std::uint32_t epoch,
                             std::int64_t arg) {
  AFTERSHOCK_ASSERT(t_us >= 0 && place < next_sequence_);
  const std::uint64_t order = (static_cast<std::uint64_t>(entry_class) << kSequenceBits) | place;
  const Entry entry{t_us, order, arg, entity, epoch, kind};
  if (root_taken_) {
    root_taken_ = false;
    put_at_root(entry);
    return;
  }
  heap_.push_back(entry);
  std::push_heap(heap_.begin(), heap_.end(), kLater);
}

const Entry& Calendar::top() const {
  AFTERSHOCK_ASSERT(!empty());
  if (!root_taken_) {
    return heap_.front();
  }
  return heap_.size() > 2 && kLater(heap_[1], heap_[2]) ? heap_[2] : heap_[1];
}

Entry Calendar::pop() {
  AFTERSHOCK_ASSERT(!empty());
  settle();
  root_taken_ = true;
  return heap_.front();
}

void Calendar::drop(std::uint16_t kind) {
  settle();
  std::erase_if(heap_, [kind](const Entry& entry) { return entry.kind == kind; });
  std::make_heap(heap_.begin(), heap_.end(), kLater);
}

// Fills the place of a root that was taken.
void Calendar::settle() {
  if (!root_taken_) {
    return;
  }
  root_taken_ = false;
  const Entry last = heap_.back();
  heap_.pop_back();
  if (!heap_.empty()) {
    put_at_root(last);
  }
}

// Sinks from the free root until it comes before both of its children.
void Calendar::put_at_root(const Entry& entry) {
  const std::size_t count = heap_.size();
  std::size_t at = 0;
  for (std::size_t child = 1; child < count; child = 2 * at + 1) {
    if (child + 1 < count && kLater(heap_[child], heap_[child + 1])) {
      ++child;
    }
    if (!kLater(entry, heap_[child])) {
      break;
    }
    heap_[at] = heap_[child];
    at = child;
  }
  heap_[at] = entry;
}

}  // namespace aftershock::sim::engine
