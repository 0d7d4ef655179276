#include "reports/ledger/ledger_record.h"

#include <algorithm>

#include <fmt/format.h>

#include "reports/json/json_writer.h"
#include "reports/ledger/bucket_json.h"

namespace aftershock::reports {

namespace {

bool all_zero(const BucketTotals& totals) {
  return std::ranges::all_of(totals, [](std::int64_t us) { return us == 0; });
}

std::string fault_name(std::uint32_t number, std::span<const std::string> fault_ids) {
  return number < fault_ids.size() ? fault_ids[number] : fmt::format("#{}", number);
}

template <class Account>
std::string members(const Account& ledger, std::int64_t wall_us,
                    std::span<const std::string> fault_ids) {
  JsonWriter json;
  json.member("wall_us", wall_us);
  write_totals(json, "us", ledger.totals_us());
  if constexpr (requires { ledger.reduced_accelerator_us(); }) {
    write_accelerator_totals(json, "accelerator_us", ledger.accelerator_totals_us(),
                             ledger.reduced_accelerator_us());
  } else {
    write_totals(json, "accelerator_us", ledger.accelerator_totals_us());
  }
  json.key("causes");
  json.open_object();
  for (std::int32_t value = Cause::kFirstStartValue; value >= Cause::kPolicyValue; --value) {
    const BucketTotals& totals = ledger.common_totals_us(Cause{value});
    if (!all_zero(totals)) {
      write_totals(json, name_of_common_cause(Cause{value}), totals, false);
    }
  }
  json.close_object();
  // A list, not members: two faults of a scenario's source may share an id.
  json.key("faults");
  json.open_array();
  for (const Ledger::FaultTotals& fault : ledger.faults_us()) {
    if (!all_zero(fault.us)) {
      json.open_object();
      json.member("fault", fault_name(fault.number, fault_ids));
      write_totals(json, "us", fault.us, false);
      json.close_object();
    }
  }
  json.close_array();
  return std::string(json.text());
}

}  // namespace

std::string ledger_record_members(const Ledger& ledger, std::span<const std::string> fault_ids) {
  return members(ledger, ledger.wall_us(), fault_ids);
}

std::string ledger_record_members(const TrialLedger& ledger, std::int64_t wall_us,
                                  std::span<const std::string> fault_ids) {
  return members(ledger, wall_us, fault_ids);
}

}  // namespace aftershock::reports
