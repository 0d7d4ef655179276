#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace aftershock::gui::testing {

/// A message of Protocol Buffers, read without knowing its fields: numbers and texts by field.
struct Decoded {
  std::multimap<std::uint64_t, std::uint64_t> numbers;
  std::multimap<std::uint64_t, std::string> texts;

  [[nodiscard]] std::optional<std::uint64_t> number(std::uint64_t field) const {
    const auto found = numbers.find(field);
    return found == numbers.end() ? std::nullopt : std::optional(found->second);
  }
  [[nodiscard]] std::string text(std::uint64_t field) const {
    const auto found = texts.find(field);
    return found == texts.end() ? std::string() : found->second;
  }
};

/// Throws for bytes that are not a message.
inline Decoded decode(std::string_view bytes) {
  const auto varint = [&bytes] {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      if (bytes.empty() || shift > 63) {
        throw std::runtime_error("not a varint");
      }
      const auto byte = static_cast<unsigned char>(bytes.front());
      bytes.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) {
        return value;
      }
    }
  };
  Decoded message;
  while (!bytes.empty()) {
    const std::uint64_t key = varint();
    const std::uint64_t type = key & 7U;
    const std::uint64_t size = type == 2 ? varint() : type == 1 ? 8 : 0;
    if (size > bytes.size() || type > 2 || key >> 3U == 0) {
      throw std::runtime_error("not a field");
    }
    if (type == 0) {
      message.numbers.emplace(key >> 3U, varint());
      continue;
    }
    if (type == 2) {
      message.texts.emplace(key >> 3U, bytes.substr(0, size));
    } else {
      std::uint64_t value = 0;
      std::memcpy(&value, bytes.data(), 8);
      message.numbers.emplace(key >> 3U, value);
    }
    bytes.remove_prefix(size);
  }
  return message;
}

}  // namespace aftershock::gui::testing
