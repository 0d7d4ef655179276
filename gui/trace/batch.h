#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/recording/reader.h"

namespace aftershock::gui {

/// Records on their way from the thread that reads to the one that keeps them.
class Batch {
 public:
  /// Keeps a copy of what the trace needs of it.
  void add(const reports::Record& record);
  /// Empties it; its memory stays for the next.
  void clear();

  /// Good as long as the batch does not change.
  [[nodiscard]] reports::Record record(std::size_t i) const;
  /// Of a record's `on`, see TextTable::hash_of; 0 for one that is about nothing.
  [[nodiscard]] std::uint64_t on_hash(std::size_t i) const { return items_[i].on_hash; }
  [[nodiscard]] std::size_t size() const { return items_.size(); }
  [[nodiscard]] std::size_t bytes() const { return text_.size() + items_.size() * sizeof(Item); }

  std::vector<std::int64_t> line_marks;    ///< to be appended to the trace's
  std::optional<reports::ReadResult> end;  ///< nothing follows
  bool compressed = false;
  std::vector<reports::FrameStart> frames;  ///< to be appended to the trace's

 private:
  struct Piece {
    std::uint32_t at = 0;
    std::uint32_t size = 0;
  };
  struct Item {
    reports::LineKind kind = reports::LineKind::kOther;
    std::int64_t line = 0;
    std::int64_t t_us = 0;
    std::optional<std::uint64_t> id;
    std::optional<std::int64_t> cause;
    std::uint64_t on_hash = 0;
    Piece on;
    Piece what;
    Piece text;
  };

  Piece keep(std::string_view text);

  std::string text_;
  std::vector<Item> items_;
};

}  // namespace aftershock::gui
