#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace aftershock::gui {

/// From 64-bit keys to values, in one array: what a recording of millions of lines needs to find a
/// span by its number. It has no order of its own, so nobody can come to depend on one.
template <typename Value>
class FlatMap {
 public:
  /// The value of a key, good until the next change; null if there is none.
  Value* find(std::uint64_t key) {
    if (slots_.empty()) {
      return nullptr;
    }
    for (std::size_t at = home(key);; at = next(at)) {
      if (!slots_[at].used) {
        return nullptr;
      }
      if (slots_[at].key == key) {
        return &slots_[at].value;
      }
    }
  }

  /// Puts a value in place of the one that the key had; true if there was one.
  bool set(std::uint64_t key, Value value) {
    if (Value* found = find(key)) {
      *found = std::move(value);
      return true;
    }
    if (2 * (size_ + 1) > slots_.size()) {
      grow();
    }
    insert(key, std::move(value));
    return false;
  }

  /// Takes a key away, if it is there.
  void erase(std::uint64_t key) {
    Value* found = find(key);
    if (found == nullptr) {
      return;
    }
    std::size_t hole = home(key);
    while (&slots_[hole].value != found) {
      hole = next(hole);
    }
    // An entry that was pushed on over the hole moves back, so that no search ends at it too early.
    for (std::size_t at = next(hole); slots_[at].used; at = next(at)) {
      const std::size_t from_home = (at - home(slots_[at].key)) & mask();
      if (from_home >= ((at - hole) & mask())) {
        slots_[hole] = std::move(slots_[at]);
        hole = at;
      }
    }
    slots_[hole] = {};
    --size_;
  }

  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct Slot {
    std::uint64_t key = 0;
    Value value{};
    bool used = false;
  };

  [[nodiscard]] std::size_t mask() const { return slots_.size() - 1; }
  [[nodiscard]] std::size_t next(std::size_t at) const { return (at + 1) & mask(); }
  [[nodiscard]] std::size_t home(std::uint64_t key) const {
    // Consecutive numbers and multiples of powers of two alike spread over the top bits.
    const auto shift = 64 - std::countr_zero(slots_.size());
    return static_cast<std::size_t>((key ^ (key >> 32U)) * 0x9e3779b97f4a7c15U >> shift);
  }

  void insert(std::uint64_t key, Value value) {
    std::size_t at = home(key);
    while (slots_[at].used) {
      at = next(at);
    }
    // One by one: as a whole it goes over the stack, and waits there for all stores before it.
    slots_[at].key = key;
    slots_[at].value = std::move(value);
    slots_[at].used = true;
    ++size_;
  }

  void grow() {
    constexpr std::size_t kFirst = 16;
    std::vector<Slot> old =
        std::exchange(slots_, std::vector<Slot>(slots_.empty() ? kFirst : 2 * slots_.size()));
    size_ = 0;
    for (Slot& slot : old) {
      if (slot.used) {
        insert(slot.key, std::move(slot.value));
      }
    }
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace aftershock::gui
