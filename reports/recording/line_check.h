#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace aftershock::reports {

/// Vouches for the lines of a recording. The hash of a run is made of what the simulator knew, not
/// of what was written, so a file cannot be held against it; this is made of the bytes of the
/// lines, by whoever writes and again by whoever reads. Not cryptographic; part of the format.
class LineCheck {
 public:
  /// Takes one line, without its newline.
  void add(std::string_view line) {
    mix(line.size(), 0);
    for (; line.size() >= 16; line.remove_prefix(16)) {
      mix(word_of(line.substr(0, 8)), word_of(line.substr(8, 8)));
    }
    const std::string_view first = line.substr(0, 8);
    mix(word_of(first), word_of(line.substr(first.size())));
  }

  /// 16 hex digits for all lines so far.
  [[nodiscard]] std::string text() const { return fmt::format("{:016x}", state_); }

 private:
  void mix(std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = Wide{state_ ^ a ^ 0x9e3779b97f4a7c15U} * (b ^ 0xbf58476d1ce4e5b9U);
    state_ = static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
  }

  /// Up to eight characters, the first in the lowest byte on every machine.
  static std::uint64_t word_of(std::string_view text) {
    std::uint64_t word = 0;
    if (std::endian::native == std::endian::little && text.size() == sizeof(word)) {
      std::memcpy(&word, text.data(), sizeof(word));
      return word;
    }
    for (std::size_t i = text.size(); i-- > 0;) {
      word = word << 8U | static_cast<unsigned char>(text[i]);
    }
    return word;
  }

  std::uint64_t state_ = 0;
};

/// Snapshots and the end of a run are objects whose last member is their check: of all lines before
/// (those with a check: without it), and of the line itself up to here.
inline constexpr std::string_view kCheckKey = "check";

/// A line that ends with its check, in two.
struct CheckedLine {
  std::string_view open;   ///< the text before the check
  std::string_view check;  ///< 16 hex digits
};

/// The parts of a line that ends with its check; none if it does not.
inline std::optional<CheckedLine> split_check(std::string_view line) {
  constexpr std::size_t kDigits = 16;
  constexpr std::string_view kMember = R"(,"check":")";
  constexpr std::string_view kEnd = R"("})";
  constexpr std::size_t kTail = kMember.size() + kDigits + kEnd.size();
  if (line.size() < kTail || !line.ends_with(kEnd)) {
    return std::nullopt;
  }
  const std::size_t at = line.size() - kTail;
  if (line.substr(at, kMember.size()) != kMember) {
    return std::nullopt;
  }
  return CheckedLine{line.substr(0, at), line.substr(at + kMember.size(), kDigits)};
}

}  // namespace aftershock::reports
