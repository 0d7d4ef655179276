#include "policies/modelarts/chips.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "policies/device_codes/catalogue.h"
#include "policies/parts/strike_window.h"

namespace aftershock::policies::modelarts {
namespace {

constexpr std::size_t kStrikes = 3;
constexpr DurationUs kDayUs = 24 * 3600 * kSecondUs;
constexpr DurationUs kSpreadUs = 30 * kSecondUs;   // ClusterD's filter of software faults (6.2)
constexpr std::string_view kNetworkPort = "8107";  // the module of its codes (6.1)

std::string_view bare(std::string_view code) {
  const auto colon = code.find(':');
  return colon == std::string_view::npos ? code : code.substr(colon + 1);
}

// A bare code is an Ascend event id.
bool is_gpu(std::string_view code) { return code.starts_with("xid:"); }

struct Known {
  std::optional<Severity> severity{};
  bool listed = true;
};

// The user's word on the code wins over the device's, and that over the catalogue's.
Known severity_of(const Config& config, const DeviceFault& fault) {
  for (const std::string_view name : {std::string_view(fault.code), bare(fault.code)}) {
    if (const auto found = config.severities.find(std::string(name));
        found != config.severities.end()) {
      return {found->second, true};
    }
  }
  const DeviceCode* code = find_device_code(fault.code);
  if (code == nullptr) {
    return {fault.severity, false};
  }
  return {fault.severity.value_or(code->severity), true};
}

auto key_of(const ChipHistory& chip) {
  return std::tuple(chip.node, chip.accelerator, std::string_view(chip.code));
}

ChipHistory& history_of(Memory& memory, const DeviceFault& fault) {
  const auto key = std::tuple(fault.node, fault.accelerator, std::string_view(fault.code));
  auto at = std::ranges::lower_bound(memory.chips, key, {}, key_of);
  if (at == memory.chips.end() || key_of(*at) != key) {
    at = memory.chips.insert(
        at, ChipHistory{.node = fault.node, .accelerator = fault.accelerator, .code = fault.code});
  }
  return *at;
}

bool third_time(const Config& config, Memory& memory, const DeviceFault& fault, TimeUs at_us) {
  if (config.readings.strict_run) {
    std::erase_if(memory.chips, [&](const ChipHistory& chip) {
      return chip.node == fault.node && chip.accelerator == fault.accelerator &&
             chip.code != fault.code;
    });
  }
  ChipHistory& chip = history_of(memory, fault);
  StrikeWindow window{std::move(chip.times)};
  const bool fires = window.strike(at_us, kStrikes, kDayUs);
  chip.times = std::move(window.times);
  if (fires && !config.readings.count_kept) {
    chip.times.clear();
  }
  return fires && !config.readings.heal_third_fault;
}

}  // namespace

bool caused_by_user(const Config& config, const Memory& memory, const DeviceFault& fault,
                    TimeUs at_us) {
  const std::string_view code = bare(fault.code);
  if (code == "80C98002" || code == "80CB8002") {
    return true;
  }
  if (!config.readings.user_faults_extended) {
    return false;
  }
  return code == "80C98003" || std::ranges::any_of(memory.chips, [&](const ChipHistory& chip) {
           const bool other = chip.node != fault.node || chip.accelerator != fault.accelerator;
           return other && chip.code == fault.code && !chip.times.empty() &&
                  at_us - chip.times.back() <= kSpreadUs;
         });
}

ChipVerdict judge(const Config& config, Memory& memory, const DeviceFault& fault, TimeUs at_us) {
  const auto [severity, listed] = severity_of(config, fault);
  if (severity == Severity::kHint) {
    return ChipVerdict::kNothing;
  }
  if (is_gpu(fault.code)) {
    return severity == Severity::kMinor ? ChipVerdict::kGpuApplication : ChipVerdict::kGpu;
  }
  if (!listed) {
    const bool port = bare(fault.code).starts_with(kNetworkPort);
    return port || severity == Severity::kMinor ? ChipVerdict::kUnlistedMinor
                                                : ChipVerdict::kUnlistedCritical;
  }
  if (severity == Severity::kCritical) {
    return ChipVerdict::kCritical;
  }
  if (!third_time(config, memory, fault, at_us)) {
    return ChipVerdict::kHeal;
  }
  return caused_by_user(config, memory, fault, at_us) ? ChipVerdict::kThirdUser
                                                      : ChipVerdict::kThird;
}

}  // namespace aftershock::policies::modelarts
