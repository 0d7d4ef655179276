#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>

namespace aftershock::sim {

/// Raw numbers of a generator that the standard fixes to the bit; its distributions it does not.
class Dice {
 public:
  explicit Dice(std::uint64_t key) : engine_(key) {}

  /// One of 0 .. count-1.
  std::uint64_t below(std::uint64_t count) { return engine_() % count; }
  /// One of low .. high.
  std::uint64_t between(std::uint64_t low, std::uint64_t high) {
    return low + below(high - low + 1);
  }
  bool chance(std::uint64_t percent) { return below(100) < percent; }
  template <class T>
  T any(std::initializer_list<T> items) {
    return items.begin()[below(items.size())];
  }
  std::string text(std::initializer_list<const char*> items) { return any(items); }

 private:
  std::mt19937_64 engine_;
};

}  // namespace aftershock::sim
