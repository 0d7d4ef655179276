#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "gui/trace/kind.h"
#include "gui/trace/trace.h"
#include "reports/recording/reader.h"

namespace aftershock::gui {

/// The parts of a record that a trace is made from. The views are good as long as its batch does
/// not change.
struct KeptRecord {
  reports::LineKind kind = reports::LineKind::kOther;
  Kind span = Kind::kOther;  ///< of begin
  bool has_id = false;
  std::uint32_t name = kNone;  ///< of what it is about, see Batch::name; kNone: nothing
  std::uint32_t number = 0;    ///< of begin: the attempt's or the checkpoint's
  std::int64_t line = 0;       ///< counted from 1
  std::int64_t t_us = 0;
  std::uint64_t id = 0;
  std::int64_t cause = -1;  ///< negative: none
  std::string_view what;  ///< of instant, and of begin with a word that this program does not know
  std::string_view text;  ///< the whole line, where there is more to know; else empty
};

/// Records on their way from the thread that reads to the one that keeps them: filled by Packer.
/// Small, as most of the way is from one processor's cache to the other's.
class Batch {
 public:
  /// Empties it; its memory stays for the next.
  void clear();

  [[nodiscard]] std::size_t size() const { return items_.size(); }
  /// In the order of the lines.
  [[nodiscard]] KeptRecord record(std::size_t i) const {
    const Item& item = items_[i];
    KeptRecord kept{.kind = item.kind,
                    .span = item.span,
                    .has_id = item.has_id,
                    .name = item.name,
                    .number = item.number,
                    .line = first_line_ + static_cast<std::int64_t>(i),
                    .t_us = item.t_us,
                    .id = item.id,
                    .cause = item.cause,
                    .what = {},
                    .text = {}};
    if (item.said != kNone) {
      kept.what = view(said_[item.said].what);
      kept.text = view(said_[item.said].text);
    }
    return kept;
  }
  /// The names that no batch had before, in the order of their numbers, from this one on.
  [[nodiscard]] std::uint32_t first_name() const { return first_name_; }
  [[nodiscard]] std::size_t names() const { return names_.size(); }
  [[nodiscard]] std::string_view name(std::uint32_t number) const {
    AFTERSHOCK_ASSERT(number >= first_name_ && number - first_name_ < names_.size());
    return view(names_[number - first_name_]);
  }

  std::vector<std::int64_t> line_marks;    ///< to be appended to the trace's
  std::optional<reports::ReadResult> end;  ///< nothing follows
  bool compressed = false;
  std::vector<reports::FrameStart> frames;  ///< to be appended to the trace's

 private:
  friend class Packer;

  struct Piece {
    std::uint32_t at = 0;
    std::uint32_t size = 0;
  };
  struct Item {
    std::int64_t t_us = 0;
    std::uint64_t id = 0;
    std::int64_t cause = -1;
    std::uint32_t name = kNone;
    std::uint32_t number = 0;
    std::uint32_t said = kNone;  ///< index in `said_`
    reports::LineKind kind = reports::LineKind::kOther;
    Kind span = Kind::kOther;
    bool has_id = false;
  };
  static_assert(sizeof(Item) == 40, "there are millions of them");
  struct Said {
    Piece what;
    Piece text;
  };

  Piece keep(std::string_view text);
  [[nodiscard]] std::string_view view(Piece piece) const {
    return std::string_view(text_).substr(piece.at, piece.size);
  }

  std::string text_;
  std::vector<Item> items_;
  std::vector<Said> said_;
  std::vector<Piece> names_;
  std::int64_t first_line_ = 0;
  std::uint32_t first_name_ = 0;
};

}  // namespace aftershock::gui
