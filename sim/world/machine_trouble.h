#pragma once

#include <cstdint>
#include <optional>

#include "sim/world/world.h"

namespace aftershock::sim {

/// What faults do to machines, and to pools that give them out, beside ending them: stragglers,
/// lemons, bad replacements, denied capacity, false alarms, and the end of everything at once. A
/// view of the world for the length of a call. `number` is that of the fault; what strikes returns
/// whether it found something to strike.
class MachineTrouble {
 public:
  explicit MachineTrouble(World& world) : world_(world) {}

  // straggling.cpp: workers that are slow.
  bool slow_down(std::uint32_t number);
  void slowness_over(std::uint32_t number);
  /// Brings the job's pace in line with its slowest worker. Its segment is closed, or has yet to be
  /// opened.
  void set_pace(Job& job);
  /// Takes out of the productive time of a segment that has just been closed what that made it
  /// longer by.
  void account(Job& job, std::int64_t elapsed_us);

  // outages.cpp: nodes that go together.
  bool black_out(std::uint32_t number);

  // defects.cpp: machines that fail again, or as soon as they are used.
  bool spoil_replacements(std::uint32_t number);
  bool make_lemon(std::uint32_t number);
  /// Another machine is in the node's place: it may be bad, and what ailed the one before is gone.
  void new_machine(std::uint32_t pool, std::uint32_t node);
  /// The same machine is back from its repair, or may be used again.
  void machine_back(std::uint32_t pool, std::uint32_t node);
  /// The job has got nodes, where it had `before`; and it launches on those that it has.
  void placed(const Job& job, const std::vector<std::uint32_t>& before);
  void launched(const Job& job);
  void defect_shows(const Entry& entry);

  // denials.cpp: pools that give out no machines.
  bool deny(std::uint32_t number);
  void denial_over(std::uint32_t number);

  // alarms.cpp: healthy nodes that are said to be bad.
  bool raise_alarm(std::uint32_t number);
  void accuse(std::uint32_t pool, std::uint32_t node, std::uint32_t number);
  /// The policy has answered: of an alarm that it let pass nothing more comes.
  void alarm_answered(Job& job) const;
  /// A policy isolates the node.
  void isolated(const Job& job, std::uint32_t node);

 private:
  void pace_changed(std::uint32_t pool, std::uint32_t node);
  void forget_slowness(std::uint32_t pool, std::uint32_t node);
  [[nodiscard]] std::uint32_t fails_again(std::uint32_t number, const Defect& defect);

  World& world_;
};

}  // namespace aftershock::sim
