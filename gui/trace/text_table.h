#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aftershock::gui {

/// The number of a text in its table, by first appearance.
using TextId = std::uint32_t;
/// No text.
inline constexpr TextId kNoText = std::numeric_limits<TextId>::max();

/// Every text once, as the bytes that it came with.
class TextTable {
 public:
  /// The hash that a text is found by; it can be made ahead, in another thread.
  static std::uint64_t hash_of(std::string_view text);

  /// The number of a text, which is new if it was not there.
  TextId add(std::string_view text) { return add(text, hash_of(text)); }
  TextId add(std::string_view text, std::uint64_t hash);
  /// Has the processor fetch what `add` will look at first: with 100,000 texts that is in no cache.
  void prefetch(std::uint64_t hash) const;
  /// The number that a text with this hash has in all likelihood; its bytes are fetched as well.
  TextId guess(std::uint64_t hash) const;
  [[nodiscard]] std::optional<TextId> find(std::string_view text) const;
  /// Good until the next `add`; empty for kNoText and other numbers that none has.
  [[nodiscard]] std::string_view operator[](TextId id) const;
  [[nodiscard]] std::size_t size() const { return begins_.size(); }

 private:
  struct Slot {
    std::uint32_t tag = 0;  ///< of the hash, so that most others are told apart at once
    TextId id = kNoText;
  };

  /// The slot of a text, or the free one that it would get.
  [[nodiscard]] std::size_t slot_of(std::string_view text, std::uint64_t hash) const;
  void grow();

  std::string bytes_;
  std::vector<std::size_t> begins_;
  std::vector<Slot> slots_;
};

}  // namespace aftershock::gui
