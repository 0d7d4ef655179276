#pragma once

#include <cstdint>

#include "sim/world/world.h"

namespace aftershock::sim {

/// What faults do to the network, and to what goes through it: cuts and their healing, storages
/// that are out of reach or slow, messages that come late or twice. A view of the world for the
/// length of a call. `number` is that of the fault; what strikes returns whether it found something
/// to strike.
class NetworkTrouble {
 public:
  explicit NetworkTrouble(World& world) : world_(world) {}

  // network.cpp: who can talk to whom.
  bool partition(std::uint32_t number);
  /// A link that flaps goes down or comes up again: turns are counted from 0.
  void link_turns(std::uint32_t number, std::uint32_t turn);
  /// The fault cuts nobody off any more.
  void heal(std::uint32_t fault);

  // storage_faults.cpp: storages that are out of reach, out of order, or slow.
  bool trouble_storage(std::uint32_t number);
  void storage_back(std::uint32_t number);
  /// What the job has to move waits for the end of the fault, or raises.
  void hold_transfer(Job& job, std::uint32_t fault);
  /// What the job had to move begins anew, where nothing is in its way any more.
  void take_up_transfers(Job& job);

  // messages.cpp: messages to a controller that come late, or twice.
  bool repeat_message(std::uint32_t number);
  /// The job's controller is about to hear what is pending.
  void pass_messages(Job& job);
  void late_message(Job& job, std::uint32_t fault);

 private:
  void apply_cuts(std::uint32_t fault);
  void cut_ranks_off(Job& job, std::uint32_t fault);
  void reach_again(std::uint32_t fault);

  World& world_;
};

}  // namespace aftershock::sim
