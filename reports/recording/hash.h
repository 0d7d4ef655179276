#pragma once

#include <cstdint>
#include <string_view>

namespace aftershock::reports {

/// A 64-bit rolling hash over words, the same on every machine. Not cryptographic.
class RollingHash {
 public:
  /// Folds one word in.
  constexpr void add(std::uint64_t word) {
    // One round of splitmix64's finaliser over state xor word: every input bit reaches every
    // output bit before the next word comes.
    std::uint64_t z = state_ + 0x9e3779b97f4a7c15U + word;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    state_ = z ^ (z >> 31U);
  }

  /// Folds a text in, its length first, so that "ab", "c" is not "a", "bc".
  constexpr void add(std::string_view text) {
    add(text.size());
    for (; text.size() >= 8; text.remove_prefix(8)) {
      add(word_of(text.substr(0, 8)));
    }
    if (!text.empty()) {
      add(word_of(text));
    }
  }

  /// Of all that has been added.
  [[nodiscard]] constexpr std::uint64_t value() const { return state_; }

 private:
  /// Up to eight characters, the first in the lowest byte on every machine.
  static constexpr std::uint64_t word_of(std::string_view text) {
    std::uint64_t word = 0;
    unsigned shift = 0;
    for (const char c : text) {
      word |= static_cast<std::uint64_t>(static_cast<unsigned char>(c)) << shift;
      shift += 8;
    }
    return word;
  }

  std::uint64_t state_ = 0;
};

/// The words of one record, folded by themselves: a record then takes one round of the rolling
/// hash, and the processor need not wait for the record before it. A change of one word always
/// changes the value.
class RecordHash {
 public:
  /// Folds one word in.
  constexpr void add(std::uint64_t word) {
    state_ = (state_ ^ word) * 0xd6e8feb86659fd93U;  // odd, so this can be undone
    state_ ^= state_ >> 32U;
  }

  /// Of all that has been added.
  [[nodiscard]] constexpr std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0x9e3779b97f4a7c15U;
};

}  // namespace aftershock::reports
