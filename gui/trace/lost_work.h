#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace aftershock::gui {

struct Trace;

/// A stretch of time, from `begin_us` up to `end_us`.
struct Stretch {
  std::int64_t begin_us = 0;
  std::int64_t end_us = 0;

  friend bool operator==(const Stretch&, const Stretch&) = default;
};

/// When each entity did work that it lost later on, so that the answer for a span is found fast.
class LostWork {
 public:
  /// An entity lost what it did in this time; stretches may overlap.
  void add(std::uint32_t entity, const Stretch& lost);
  /// All stretches of an entity, without overlaps, in the order of time; good until the next add.
  [[nodiscard]] std::span<const Stretch> of(std::uint32_t entity) const;
  /// Those that meet [from_us, to_us).
  [[nodiscard]] std::span<const Stretch> between(std::uint32_t entity, std::int64_t from_us,
                                                 std::int64_t to_us) const;
  /// How much of [from_us, to_us) they cover.
  [[nodiscard]] std::int64_t lost_us(std::uint32_t entity, std::int64_t from_us,
                                     std::int64_t to_us) const;

 private:
  std::vector<std::vector<Stretch>> by_entity_;
};

/// How much of the work of a span was lost later on, in microseconds; 0 for a span of anything else
/// than work. One that is open lasts until the last record.
std::int64_t lost_of_span(const Trace& trace, std::uint32_t lane, std::uint32_t span);
/// Whether all of a span of work was lost.
bool is_lost(const Trace& trace, std::uint32_t lane, std::uint32_t span);

}  // namespace aftershock::gui
