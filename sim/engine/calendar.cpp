#include "sim/engine/calendar.h"

#include <algorithm>

#include "policies/api/assert.h"

namespace aftershock::sim {

namespace {

constexpr unsigned kSequenceBits = 56;

bool later(const Entry& a, const Entry& b) {
  return a.t_us != b.t_us ? a.t_us > b.t_us : a.order > b.order;
}

}  // namespace

void Calendar::push(std::int64_t t_us, EntryClass entry_class, std::uint16_t kind,
                    std::uint32_t entity, std::uint32_t epoch, std::int64_t arg) {
  push_reserved(reserve(), t_us, entry_class, kind, entity, epoch, arg);
}

void Calendar::push_reserved(std::uint64_t place, std::int64_t t_us, EntryClass entry_class,
                             std::uint16_t kind, std::uint32_t entity, std::uint32_t epoch,
                             std::int64_t arg) {
  AFTERSHOCK_ASSERT(t_us >= 0 && place < next_sequence_);
  const std::uint64_t order = (static_cast<std::uint64_t>(entry_class) << kSequenceBits) | place;
  heap_.push_back({t_us, order, arg, entity, epoch, kind});
  std::push_heap(heap_.begin(), heap_.end(), later);
}

Entry Calendar::pop() {
  AFTERSHOCK_ASSERT(!heap_.empty());
  std::pop_heap(heap_.begin(), heap_.end(), later);
  const Entry entry = heap_.back();
  heap_.pop_back();
  return entry;
}

void Calendar::drop(std::uint16_t kind) {
  std::erase_if(heap_, [kind](const Entry& entry) { return entry.kind == kind; });
  std::make_heap(heap_.begin(), heap_.end(), later);
}

}  // namespace aftershock::sim
