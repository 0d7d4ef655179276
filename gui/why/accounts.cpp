#include "gui/why/accounts.h"

#include <algorithm>
#include <map>

#include "gui/why/range_times.h"
#include "gui/why/summary_line.h"
#include "reports/json/json_value.h"

namespace aftershock::gui {

namespace {

BucketTimes times_of(const reports::JsonValue& object) {
  BucketTimes times;
  constexpr auto kBuckets = static_cast<std::size_t>(Kind::kAttempt);
  for (std::size_t i = 0; i < kBuckets; ++i) {
    const std::string name(kKindNames.at(i));
    if (const auto us = reports::integer_in(object, name.c_str()); us && *us != 0) {
      times.emplace_back(name, *us);
    }
  }
  if (!object.is_object()) {
    return times;
  }
  // Buckets of tomorrow.
  for (const auto& [name, value] : object.items()) {
    const auto end = kKindNames.begin() + kBuckets;
    const auto us = reports::integer_in(object, name.c_str());
    if (us && *us != 0 && std::find(kKindNames.begin(), end, name) == end) {
      times.emplace_back(name, *us);
    }
  }
  return times;
}

Account account_from(std::uint32_t entity, const reports::JsonValue& ledger) {
  Account account;
  account.entity = entity;
  account.wall_us = reports::integer_in(ledger, "wall_us").value_or(0);
  account.us = times_of(reports::part(ledger, "us"));
  for (const reports::JsonValue& paid : reports::part(ledger, "faults")) {
    account.fault_costs.push_back(
        {reports::text_in(paid, "fault"), times_of(reports::part(paid, "us"))});
  }
  return account;
}

Recovered recovered_from(const reports::JsonValue& told) {
  Recovered recovered{.fault = reports::text_in(told, "fault"),
                      .rules = {},
                      .detected_us = reports::integer_in(told, "detected_us"),
                      .running_us = reports::integer_in(told, "running_us"),
                      .caught_up_us = reports::integer_in(told, "caught_up_us"),
                      .lost_us = reports::integer_in(told, "lost_us").value_or(0)};
  for (const reports::JsonValue& rule : reports::part(told, "rules")) {
    if (rule.is_string()) {
      recovered.rules.push_back(rule.get<std::string>());
    }
  }
  return recovered;
}

/// Of each entity its first account.
using AccountNumbers = std::map<std::uint32_t, std::size_t>;

void add_summary(std::vector<Account>& accounts, const AccountNumbers& numbers, const Trace& trace,
                 const reports::JsonValue& list, const std::string& prefix) {
  for (const reports::JsonValue& told : list) {
    const auto entity = trace.entities.find(prefix + reports::text_in(told, "name"));
    const auto number = entity ? numbers.find(*entity) : numbers.end();
    if (number == numbers.end()) {
      continue;
    }
    Account& found = accounts[number->second];
    found.outcome = reports::text_in(told, "outcome");
    found.reason = reports::text_in(told, "reason");
    for (const reports::JsonValue& recovery : reports::part(told, "recoveries")) {
      found.recoveries.push_back(recovered_from(recovery));
    }
  }
}

}  // namespace

std::int64_t sum_us(const BucketTimes& times) {
  std::int64_t sum = 0;
  for (const auto& [kind, us] : times) {
    if (__builtin_add_overflow(sum, us, &sum)) {
      return kOpen;
    }
  }
  return sum;
}

std::vector<Account> accounts_of(const Trace& trace) {
  std::vector<Account> accounts;
  AccountNumbers numbers;
  for (const LedgerText& ledger : trace.ledgers) {
    numbers.emplace(ledger.entity, accounts.size());
    accounts.push_back(account_from(ledger.entity, reports::parsed(ledger.json)));
    accounts.back().unsaved_from_us = unsaved_from_us(trace, accounts.back());
  }
  const reports::JsonValue line = reports::parsed(trace.summary_json);
  const reports::JsonValue& summary = summary_in(line);
  add_summary(accounts, numbers, trace, reports::part(summary, "jobs"), "job:");
  add_summary(accounts, numbers, trace, reports::part(summary, "experiments"), "experiment:");
  return accounts;
}

Account open_account(const Trace& trace, std::uint32_t entity) {
  Account open;
  open.entity = entity;
  open.is_closed = false;
  open.us = range_times(trace, open, 0, kOpen);
  return open;
}

std::vector<Account> accounts_so_far(const Trace& trace) {
  std::vector<Account> accounts = accounts_of(trace);
  for (const Lane& lane : trace.lanes) {
    if (lane.sub == SubLane::kPhases && trace.entities[lane.entity].starts_with("job:") &&
        account_of(accounts, lane.entity) == nullptr) {
      accounts.push_back(open_account(trace, lane.entity));
    }
  }
  for (const reports::HeaderExperiment& experiment : trace.header.experiments) {
    const auto entity = trace.entities.find("experiment:" + experiment.name);
    if (entity && account_of(accounts, *entity) == nullptr) {
      accounts.push_back(open_account(trace, *entity));
    }
  }
  return accounts;
}

const Account* account_of(const std::vector<Account>& accounts, std::uint32_t entity) {
  const auto found = std::ranges::find(accounts, entity, &Account::entity);
  return found == accounts.end() ? nullptr : &*found;
}

const FaultCost* fault_cost_of(const Account& account, std::string_view fault) {
  const auto found = std::ranges::find(account.fault_costs, fault, &FaultCost::fault);
  return found == account.fault_costs.end() ? nullptr : &*found;
}

const Recovered* recovery_of(const Account& account, std::string_view fault) {
  const auto found = std::ranges::find(account.recoveries, fault, &Recovered::fault);
  return found == account.recoveries.end() ? nullptr : &*found;
}

}  // namespace aftershock::gui
