#include "gui/why/fault_bills.h"

#include <algorithm>
#include <map>
#include <utility>

#include "gui/trace/find.h"

namespace aftershock::gui {

namespace {

class Bills {
 public:
  explicit Bills(const Trace& trace) : trace_(trace), by_id_(faults_by_id(trace)) {
    all_.bills.resize(trace.faults.size());
    for (std::size_t i = 0; i < all_.bills.size(); ++i) {
      all_.bills[i].fault = static_cast<std::uint32_t>(i);
    }
  }

  void take(const Account& account) {
    for (const FaultCost& cost : account.fault_costs) {
      if (FaultBill* bill = bill_of(trace_.texts.find(cost.fault)); bill != nullptr) {
        take_cost(*bill, cost.us);
      }
    }
    for (const Recovered& told : account.recoveries) {
      if (FaultBill* bill = bill_of(trace_.texts.find(told.fault)); bill != nullptr) {
        take_recovery(*bill, told);
      }
    }
  }

  void take_decisions() {
    for (const Decision& decision : trace_.decisions) {
      if (FaultBill* bill = bill_of(decision.fault); bill != nullptr) {
        ++bill->decisions;
      }
    }
  }

  [[nodiscard]] FaultBills all() && {
    std::vector<std::int64_t> most_us(all_.bills.size(), 0);
    for (const auto& [of, us] : by_bucket_) {
      const auto& [fault, bucket] = of;
      if (us > most_us[fault]) {
        most_us[fault] = us;
        all_.bills[fault].mostly = bucket;
      }
    }
    return std::move(all_);
  }

 private:
  /// Null: the trace has no fault with that id.
  FaultBill* bill_of(std::optional<TextId> id) {
    const auto found = id ? by_id_.find(*id) : by_id_.end();
    return found == by_id_.end() ? nullptr : &all_.bills[found->second];
  }

  void take_cost(FaultBill& bill, const BucketTimes& times) {
    if (__builtin_add_overflow(bill.cost_us, sum_us(times), &bill.cost_us)) {
      bill.cost_us = kOpen;
    }
    for (const auto& [bucket, us] : times) {
      std::int64_t& sum = by_bucket_[{bill.fault, all_.buckets.add(bucket)}];
      if (__builtin_add_overflow(sum, us, &sum)) {
        sum = kOpen;
      }
    }
  }

  static void take_recovery(FaultBill& bill, const Recovered& told) {
    if (__builtin_add_overflow(bill.lost_us, told.lost_us, &bill.lost_us)) {
      bill.lost_us = kOpen;
    }
    if (told.detected_us) {
      bill.detected_us = std::min(bill.detected_us.value_or(kOpen), *told.detected_us);
    }
    if (told.running_us) {
      bill.running_us = std::max(bill.running_us.value_or(0), *told.running_us);
    }
  }

  const Trace& trace_;
  std::map<TextId, std::uint32_t> by_id_;
  std::map<std::pair<std::uint32_t, TextId>, std::int64_t> by_bucket_;  ///< costs of each fault
  FaultBills all_;
};

}  // namespace

FaultBills fault_bills(const Trace& trace, const std::vector<Account>& accounts) {
  Bills bills(trace);
  for (const Account& account : accounts) {
    bills.take(account);
  }
  bills.take_decisions();
  return std::move(bills).all();
}

}  // namespace aftershock::gui
