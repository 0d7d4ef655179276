#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "reports/recording/hash.h"

namespace aftershock::reports {

/// A word of the recording's own vocabulary, e.g. "attempt", with its hash. The compiler makes
/// both, so a record costs no walk over its keys; and it sees to it that none needs escaping.
class Word {
 public:
  template <std::size_t kSize>
  consteval Word(const char (&text)[kSize])  // implicit: a literal is a word
      : Word(std::string_view(text, kSize - 1)) {}

  consteval explicit Word(std::string_view text) : text_(text) {
    RollingHash hash;
    hash.add(text);
    hash_ = hash.value();
    for (const char c : text) {
      if ((c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_') {
        throw "a word is made of lower-case letters, digits and underscores";
      }
    }
  }

  [[nodiscard]] constexpr std::string_view text() const { return text_; }
  [[nodiscard]] constexpr std::uint64_t hash() const { return hash_; }

 private:
  std::string_view text_;
  std::uint64_t hash_ = 0;
};

}  // namespace aftershock::reports
