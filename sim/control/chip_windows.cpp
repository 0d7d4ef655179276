#include "sim/control/chip_windows.h"

#include <algorithm>
#include <array>
#include <optional>

#include "policies/device_codes/catalogue.h"

namespace aftershock::sim::control {

namespace {

using policies::Severity;

constexpr std::size_t kStrikes = 3;
constexpr policies::DurationUs kDayUs = 24 * 3600 * policies::kSecondUs;

std::string bare(std::string_view code) {
  const auto colon = code.find(':');
  return std::string(colon == std::string_view::npos ? code : code.substr(colon + 1));
}

std::optional<Severity> configured(const policies::PodTerms& terms, const std::string& code) {
  // Configurations may leave the vendor's prefix out.
  for (const std::string& name : {code, bare(code)}) {
    if (const auto found = terms.severities.find(name); found != terms.severities.end()) {
      return found->second;
    }
  }
  return std::nullopt;
}

}  // namespace

ChipMeaning meaning_of(const policies::PodTerms& terms, const policies::DeviceFault& fault) {
  const auto by_config = configured(terms, fault.code);
  const policies::DeviceCode* code = policies::find_device_code(fault.code);
  const bool listed = by_config || code != nullptr;
  auto severity = by_config ? by_config : fault.severity;
  if (!severity && code != nullptr) {
    severity = code->severity;
  }
  if (severity == Severity::kHint) {
    return ChipMeaning::kNothing;
  }
  // GPUs are not recovered in place: a fault of one is a fault of its node (modelarts.md A28).
  if (fault.code.starts_with("xid:")) {
    return severity == Severity::kMinor ? ChipMeaning::kNothing : ChipMeaning::kIsolates;
  }
  if (!listed) {
    // A code outside every list is ignored where it is minor, or of a network port
    // (modelarts.md 6.1).
    const bool port = bare(fault.code).starts_with("8107");
    return port || severity == Severity::kMinor ? ChipMeaning::kNothing : ChipMeaning::kIsolates;
  }
  return severity == Severity::kCritical ? ChipMeaning::kIsolates : ChipMeaning::kHeals;
}

bool is_user_code(std::string_view code) {
  constexpr std::array<std::string_view, 2> kOfUsers{"80C98002", "80CB8002"};
  return std::ranges::find(kOfUsers, bare(code)) != kOfUsers.end();
}

bool count_report(ChipWindows& windows, const policies::PodTerms& terms,
                  const policies::DeviceFault& fault, policies::TimeUs t_us, std::uint16_t at) {
  const ChipKey key{fault.node, fault.accelerator, fault.code};
  // Whether another code on the chip begins the count anew can be read both ways (modelarts.md A1).
  if (terms.other_codes_reset) {
    std::erase_if(windows.times, [&](const auto& entry) {
      const auto& [node, accelerator, code] = entry.first;
      return node == fault.node && accelerator == fault.accelerator && code != fault.code;
    });
  }
  auto& times = windows.times[key];
  times.push_back(t_us);
  if (times.size() > kStrikes) {
    times.erase(times.begin());
  }
  // Strictly below 24 h from first to last report (modelarts.md A1); whether the third may still be
  // healed is the terms' to say (A2).
  if (times.size() < kStrikes || t_us - times.front() >= kDayUs || terms.third_fault_heals) {
    return false;
  }
  windows.third.push_back({at, key});
  if (times.front() < windows.remembered_since_us) {
    return false;  // it may know of fewer
  }
  windows.over.insert(key);
  if (!terms.count_kept) {
    // The count begins anew once it has had its effect (modelarts.md A4).
    times.clear();
  }
  return true;
}

bool took_as_third(ChipWindows& windows, const policies::PodTerms& terms, std::uint16_t at) {
  const auto found = std::ranges::find(windows.third, at, &ThirdFault::at);
  if (found == windows.third.end()) {
    return false;
  }
  if (!terms.count_kept) {
    windows.times[found->key].clear();
  }
  return true;
}

void forget_what_passed(ChipWindows& windows, const policies::PodTerms& terms) {
  windows.over.clear();
  // By our reading history lasts for the job's life (modelarts.md A3).
  if (terms.history_per_schedule) {
    windows.times.clear();
  }
}

}  // namespace aftershock::sim::control
