#include "reports/ledger/ledger_record.h"

#include <algorithm>

#include <fmt/format.h>

#include "reports/ledger/bucket_json.h"

namespace aftershock::reports {

namespace {

bool all_zero(const BucketTotals& totals) {
  return std::ranges::all_of(totals, [](std::int64_t us) { return us == 0; });
}

std::string fault_name(std::uint32_t number, std::span<const std::string> fault_ids) {
  return number < fault_ids.size() ? fault_ids[number] : fmt::format("#{}", number);
}

}  // namespace

std::string ledger_record_members(const Ledger& ledger, std::span<const std::string> fault_ids) {
  nlohmann::ordered_json causes = nlohmann::ordered_json::object();
  for (std::int32_t value = Cause::kFirstStartValue; value >= Cause::kPolicyValue; --value) {
    const BucketTotals& totals = ledger.common_totals_us(Cause{value});
    if (!all_zero(totals)) {
      causes[std::string(name_of_common_cause(Cause{value}))] = to_json(totals, false);
    }
  }
  // A list, not members: two faults of a scenario's source may share an id.
  nlohmann::ordered_json faults = nlohmann::ordered_json::array();
  for (const Ledger::FaultTotals& fault : ledger.faults_us()) {
    if (!all_zero(fault.us)) {
      faults.push_back(
          {{"fault", fault_name(fault.number, fault_ids)}, {"us", to_json(fault.us, false)}});
    }
  }
  const std::string object = to_line({{"wall_us", ledger.wall_us()},
                                      {"us", to_json(ledger.totals_us())},
                                      {"accelerator_us", to_json(ledger.accelerator_totals_us())},
                                      {"causes", std::move(causes)},
                                      {"faults", std::move(faults)}});
  return object.substr(1, object.size() - 2);
}

}  // namespace aftershock::reports
