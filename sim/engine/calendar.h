#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace aftershock::sim::engine {

/// The order among entries of one microsecond.
enum class EntryClass : std::uint8_t {
  kCompletion,     ///< work that ends at t has ended when a fault strikes at t: it is not lost
  kFault,          ///< the world changes before anybody looks at it
  kObservation,    ///< detection's look at the world at t
  kCommandResult,  ///< results of commands, told before the controller thinks again
  kTimer,          ///< timers guard against what has not happened: it may just have
  kPoll,           ///< a question at t sees all that has happened by t
  kScheduling,     ///< resources change hands after everybody has said what they want
  kHorizon,        ///< the run's end comes after all that happens at it
};

/// One thing to happen, as a plain value: a world full of them can be copied.
struct Entry {
  std::int64_t t_us = 0;
  std::uint64_t order = 0;  ///< class, then sequence
  std::int64_t arg = 0;
  std::uint32_t entity = 0;
  std::uint32_t epoch = 0;  ///< stale when the entity has moved on; whoever plays it checks
  std::uint16_t kind = 0;   ///< the model's word
};

/// The future, totally ordered by (time, class, sequence of insertion).
class Calendar {
 public:
  /// Adds an entry behind all others of its time and class. `t_us` must not be negative.
  void push(std::int64_t t_us, EntryClass entry_class, std::uint16_t kind, std::uint32_t entity,
            std::uint32_t epoch = 0, std::int64_t arg = 0) {
    push_reserved(reserve(), t_us, entry_class, kind, entity, epoch, arg);
  }

  /// A place in the sequence for an entry whose time is not known yet.
  std::uint64_t reserve() { return next_sequence_++; }
  /// Pushes an entry at its reserved place.
  void push_reserved(std::uint64_t place, std::int64_t t_us, EntryClass entry_class,
                     std::uint16_t kind, std::uint32_t entity, std::uint32_t epoch = 0,
                     std::int64_t arg = 0);

  [[nodiscard]] bool empty() const { return entries().empty(); }
  [[nodiscard]] std::size_t size() const { return entries().size(); }
  /// All of them, in no order; good until the calendar changes.
  [[nodiscard]] std::span<const Entry> entries() const {
    return std::span(heap_).subspan(root_taken_ ? 1 : 0);
  }
  /// The next entry. Must not be empty.
  [[nodiscard]] const Entry& top() const;
  /// Takes the next entry out. Must not be empty.
  Entry pop();
  /// Takes all entries of the kind out; the others keep their order.
  void drop(std::uint16_t kind);

 private:
  void settle();
  void put_at_root(const Entry& entry);

  std::vector<Entry> heap_;  ///< the earliest entry first, every entry before its two children
  /// The root was popped and its place is not filled yet: what is pushed next often comes next,
  /// and goes there at once.
  bool root_taken_ = false;
  std::uint64_t next_sequence_ = 0;
};

}  // namespace aftershock::sim::engine
