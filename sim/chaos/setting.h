#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sim/scenario/scenario.h"

namespace aftershock::sim::chaos {

/// The target of a fault of the matrix (chaos.md 5.6).
enum class MatrixTarget : std::uint8_t {
  kVictim,    ///< the rank, or the node, that the first fault struck
  kOther,     ///< a rank that it did not, on another node
  kRankZero,  ///< rank 0, where the others meet
  kHead,
  kReplacement,  ///< the spare that took the victim's place
  kStorage,
};
/// How many there are.
inline constexpr std::size_t kMatrixTargets = 6;

/// "victim", "other", ...
std::string_view name_of(MatrixTarget target);

/// The job of a scenario that a matrix strikes, and the places it is struck at.
struct Setting {
  std::uint32_t job = 0;  ///< index into Scenario::jobs
  std::string job_name;
  std::string family;  ///< of its policy, as that calls itself: "ray_train" in any form
  bool npu = false;
  std::uint32_t victim = 0;  ///< ranks
  std::optional<std::uint32_t> other;
  std::string victim_node;  ///< targets of the scenario language: "node:ring-5"
  std::string other_node;
  std::string rank_zero_node;
  std::optional<std::string> spare_node;
  std::string pool;             ///< "pool:ring"
  bool gives_machines = false;  ///< it has spares, or gets new ones in place of those it loses
  std::string victim_rack;      ///< "rack:ring/0", of the three nodes
  std::string other_rack;
  std::string rank_zero_rack;
  std::optional<std::string> spare_rack;
  bool lone_rack = false;      ///< the victim's has no node but it and the spare
  bool watches_nodes = false;  ///< the policy hears what devices report
  bool leaves_peers = false;   ///< ranks that wait for one that is gone have to give up themselves
  std::string head;            ///< "head:head-0"
  std::optional<std::string> storage;
  std::shared_ptr<policies::PolicySource> policies{};  ///< see Scenario
};

/// The setting of one job: its victim is a third of the way around the ring, the other rank two
/// thirds. Nodes are those that the job gets when it starts alone.
Setting setting_of(const scenario::Scenario& scenario, std::uint32_t job);

/// The target of a fault at a process: "job:ring/rank:5".
std::string rank_target(const Setting& setting, std::uint32_t rank);

}  // namespace aftershock::sim::chaos
