#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gui/lod/cell.h"
#include "gui/trace/spans.h"

namespace aftershock::gui {

/// When any lane of a group has a kind: what says exactly, for a pixel that is finer than the
/// group's pyramid, whether a kind is there, without a look at a single lane.
struct KindTimes {
  /// [begin_us, end_us); an instant lasts a microsecond, as times are whole ones.
  struct Part {
    std::int64_t begin_us = 0;
    std::int64_t end_us = 0;

    friend bool operator==(const Part&, const Part&) = default;
  };
  /// Of each kind all parts, in the order of time; they neither overlap nor touch. At most as many
  /// as there are spans, and where lanes do the same at the same time one for all of them.
  std::array<std::vector<Part>, kKinds> of;

  [[nodiscard]] bool empty() const;
};

/// Takes time for the spans: those within what is known already cost a look at a table, the others
/// are sorted.
KindTimes make_kind_times(std::span<const LaneSpans> lanes);

/// Asks for one stretch of time after the other.
class KindTimesReader {
 public:
  explicit KindTimesReader(const KindTimes& times) : times_(times) {}

  /// How long `kind` is there within [from_us, to_us), up to its first pause; 0: it is not.
  /// `from_us` is no less than the one asked for before.
  std::int64_t lasts_us(Kind kind, std::int64_t from_us, std::int64_t to_us);

 private:
  const KindTimes& times_;
  std::array<std::size_t, kKinds> at_{};  ///< the first part that ends later than was asked for
};

}  // namespace aftershock::gui
