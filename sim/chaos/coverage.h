#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/world/world.h"

// What a search has to have been through before its silence means something (reference chaos.md
// 5.5).
namespace aftershock::sim {

/// Everything that runs of one job can cover, by number: points C01 and on, each kind of fault in
/// each phase, each rule of the policy.
class Coverage {
 public:
  Coverage(const Scenario& scenario, std::uint32_t job);

  /// "C04 fault on rank 0", "node_crash in restoring", "rule ray_train.restart".
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  /// What the run covered: bit n of byte n / 8 is for name n.
  [[nodiscard]] std::string marks_of(const World& world) const;
  /// Whether it is among the marks.
  static bool has(std::string_view marks, std::size_t number);

 private:
  std::uint32_t job_;
  std::size_t first_pair_ = 0;
  std::size_t first_rule_ = 0;
  std::vector<std::string> names_;
};

}  // namespace aftershock::sim
