#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/scenario.h"

namespace aftershock::sim::world {
struct World;
}  // namespace aftershock::sim::world

// Coverage floors: a search that found nothing means something only above them
// (chaos.md 5.5).
namespace aftershock::sim::chaos {

/// Marks by number, none of them set: number n is bit n % 8 of byte n / 8.
std::string no_marks(std::size_t count);
/// Sets one.
void set_mark(std::string& marks, std::size_t number);
/// The numbers of those that are set, ascending.
std::vector<std::size_t> marked_in(std::string_view marks);

/// A point of chaos.md 5.5 that no run can come to, whatever breaks.
struct UnreachablePoint {
  std::string_view name;
  std::string_view why;
  std::string_view source;  ///< where the systems' own code or pages show it
};

/// All of them.
std::span<const UnreachablePoint> unreachable_points();

/// Everything that runs of one job can cover, by number: points C01 and on but for
/// unreachable_points(), each kind of fault in each phase, each rule of the policy.
class Coverage {
 public:
  Coverage(const scenario::Scenario& scenario, std::uint32_t job);

  /// "C04 fault on rank 0", "node_crash in restoring", "rule ray_train.restart".
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  /// By the same numbers, of the points C01 and on: what it takes to come to one that not every
  /// scenario and policy can; empty: nothing beside luck.
  [[nodiscard]] const std::vector<std::string>& needs() const { return needs_; }

  /// Marks of coverage of the run, by name.
  [[nodiscard]] std::string marks_of(const world::World& world) const;

 private:
  std::uint32_t job_;
  std::size_t first_pair_ = 0;
  std::size_t first_rule_ = 0;
  std::vector<std::string> names_;
  std::vector<std::string> needs_;
};

}  // namespace aftershock::sim::chaos
