#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policies/api/decision.h"
#include "policies/api/events.h"
#include "sim/control/policy_host.h"
#include "sim/workload/torn_file.h"

namespace aftershock::sim::workload {

/// A budget move as it was decided, with the fault that it answers.
struct ChargeRecord {
  std::int64_t t_us = 0;
  std::int32_t fault = -1;
  bool false_alarm = false;  ///< it answers a hang that was none
  std::uint16_t rule = 0;
  std::uint16_t to_state = 0;
  std::string_view decision;  ///< the vendor's word for it, empty: it has none
  policies::BudgetMove move;
};

/// The controller of a job or an experiment: its policy, the process that runs it, and what that is
/// about to be told.
struct Controller {
  control::PolicyHost host;
  control::PolicyHost initial_host;  ///< as it was before its first batch, for a new process
  bool driver_up = false;
  std::uint32_t drivers = 0;
  std::size_t driver_run = 0;  ///< of the newest driver, in the world's list
  std::string run_key;         ///< of the world's stored runs; empty: no other driver finds it
  TornFile torn;               ///< of what it left in storage
  bool deliver_pending = false;
  std::vector<policies::Event> pending;
  std::optional<std::int64_t> wake_us;
  std::vector<ChargeRecord> charges;
  std::vector<bool> rules_applied;  ///< by the rule's place in the policy's table
};

/// Notes a budget move of the step; `fault`: that it answers, -1 for none.
ChargeRecord& add_charge(Controller& control, std::int64_t t_us, const policies::Step& step,
                         const policies::BudgetMove& move, std::int32_t fault);

}  // namespace aftershock::sim::workload
