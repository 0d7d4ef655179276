#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace aftershock::reports {

/// A message of Protocol Buffers as it is written, field by field.
class Proto {
 public:
  /// A whole number, also an enumerator or a truth.
  void number(std::uint32_t field, std::uint64_t value) {
    varint(std::uint64_t{field} << 3U);
    varint(value);
  }
  /// One of eight bytes, whatever its value.
  void fixed64(std::uint32_t field, std::uint64_t value) {
    varint(std::uint64_t{field} << 3U | 1U);
    for (unsigned shift = 0; shift < 64; shift += 8) {
      bytes_.push_back(static_cast<char>(value >> shift & 0xffU));
    }
  }
  void real(std::uint32_t field, double value) {
    fixed64(field, std::bit_cast<std::uint64_t>(value));
  }
  /// A text, which is valid UTF-8, or the bytes of a message.
  void text(std::uint32_t field, std::string_view value) {
    varint(std::uint64_t{field} << 3U | 2U);
    varint(value.size());
    bytes_ += value;
  }
  void message(std::uint32_t field, const Proto& value) { text(field, value.bytes_); }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  /// Empties it; its memory stays for the next.
  void clear() { bytes_.clear(); }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) {
      bytes_.push_back(static_cast<char>(value | 0x80U));
    }
    bytes_.push_back(static_cast<char>(value));
  }

  std::string bytes_;
};

}  // namespace aftershock::reports
