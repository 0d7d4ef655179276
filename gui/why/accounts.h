#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gui/trace/trace.h"

namespace aftershock::gui {

/// Microseconds by bucket, those without time left out, in the order of the ledger's buckets.
using BucketTimes = std::vector<std::pair<std::string, std::int64_t>>;

/// All of it together, at most kOpen.
std::int64_t sum_us(const BucketTimes& times);

/// The costs of a fault for a job or experiment.
struct FaultCost {
  std::string fault;  ///< its id
  BucketTimes us;
};

/// How a job came back after a fault, as the run's summary tells it.
struct Recovered {
  std::string fault;  ///< its id
  std::vector<std::string> rules;
  std::optional<std::int64_t> detected_us;
  std::optional<std::int64_t> running_us;    ///< trained again
  std::optional<std::int64_t> caught_up_us;  ///< was as far as before
  std::int64_t lost_us = 0;                  ///< work rolled back
};

/// The account of one job or experiment in a recording, when it is closed, and at the end.
struct Account {
  std::uint32_t entity = kNone;
  bool is_closed = true;  ///< else it is only what phases tell so far
  std::int64_t wall_us = 0;
  BucketTimes us;
  std::vector<FaultCost> fault_costs;
  std::vector<Recovered> recoveries;
  std::string outcome;  ///< "failed", ...; empty where the recording does not end
  std::string reason;
  /// The work from here on was never saved, and is lost with the job; kOpen: there is none.
  std::int64_t unsaved_from_us = kOpen;
};

/// All accounts, in the order of the recording's ledgers. Costs a look at all of them: to be kept.
std::vector<Account> accounts_of(const Trace& trace);
/// The account of a job or experiment that is not closed yet, from its phases.
Account open_account(const Trace& trace, std::uint32_t entity);
/// All accounts, with those of jobs and experiments that are not closed yet.
std::vector<Account> accounts_so_far(const Trace& trace);
/// The account of an entity; null if it has none.
const Account* account_of(const std::vector<Account>& accounts, std::uint32_t entity);
/// The costs of a fault; null if nothing was put down to it.
const FaultCost* fault_cost_of(const Account& account, std::string_view fault);
/// How the job came back after it; null where it is not told.
const Recovered* recovery_of(const Account& account, std::string_view fault);

}  // namespace aftershock::gui
