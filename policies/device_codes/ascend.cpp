#include "policies/device_codes/ascend.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "policies/device_codes/ascend_anatomy.h"
#include "policies/device_codes/ascend_facts.h"
#include "policies/device_codes/ascend_lists.h"

namespace aftershock::policies {
namespace {

std::string hexadecimal(std::uint64_t number, std::uint32_t digits) {
  std::string text(digits, '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit, number /= 16) {
    *digit = "0123456789ABCDEF"[number % 16];
  }
  return text;
}

/// "HBM controller", "multi-bit ECC": "hbm_controller_multi_bit_ecc".
std::string name_from(std::string_view module, std::string_view kind) {
  if (kind == "time-out") kind = "timeout";
  std::string name;
  for (const char letter : std::string(module) + " " + std::string(kind)) {
    const bool upper = letter >= 'A' && letter <= 'Z';
    const bool gap = letter == ' ' || letter == '-';
    name += upper ? static_cast<char>(letter - 'A' + 'a') : gap ? '_' : letter;
  }
  return name == "port_port_fault" ? "port_fault" : name;
}

DeviceCode describe(std::string code, const AscendList& list) {
  DeviceCode made;
  made.subject = list.subject;
  made.level = list.level;
  made.severity = severity_of(list.level);
  if (list.subject == DeviceSubject::kChip) {
    made.subject = ascend_subject(code);
    made.module = ascend_module(code);
    made.kind = ascend_kind(code);
    made.root_cause = ascend_root_cause(code);
    made.frequency = ascend_frequency(code);
    made.duration = ascend_duration(code);
  }
  if (const AscendGloss* gloss = ascend_gloss(code)) {
    made.name = gloss->name;
    made.note = gloss->note;
    if (!gloss->kind.empty()) made.kind = gloss->kind;
  }
  made.code = std::move(code);
  return made;
}

void add(const AscendList& list, std::vector<DeviceCode>& codes) {
  for (const std::uint64_t number : list.numbers) {
    codes.push_back(describe(hexadecimal(number, list.digits), list));
  }
  for (const std::uint16_t half : list.halves) {
    codes.push_back(describe(hexadecimal(list.upper, 4) + hexadecimal(half, 4), list));
  }
  for (const std::string_view word : list.words) codes.push_back(describe(std::string(word), list));
}

/// Where module and kind say which code is meant, they are its name.
void name_by_anatomy(std::vector<DeviceCode>& codes) {
  std::map<std::string, std::vector<DeviceCode*>> named;
  for (DeviceCode& code : codes) {
    if (code.name.empty() && !code.module.empty() && !code.kind.empty()) {
      named[name_from(code.module, code.kind)].push_back(&code);
    }
  }
  for (const auto& [name, of] : named) {
    if (of.size() == 1) of.front()->name = name;
  }
}

std::vector<DeviceCode> make_ascend_codes() {
  std::vector<DeviceCode> codes;
  for (const AscendList& list : ascend_chip_lists()) add(list, codes);
  for (const AscendList& list : ascend_other_lists()) add(list, codes);
  // The most serious level comes first, and stays.
  std::sort(codes.begin(), codes.end(), [](const DeviceCode& left, const DeviceCode& right) {
    return std::pair(std::string_view(left.code), right.level) <
           std::pair(std::string_view(right.code), left.level);
  });
  const auto same = [](const DeviceCode& left, const DeviceCode& right) {
    return left.code == right.code;
  };
  codes.erase(std::unique(codes.begin(), codes.end(), same), codes.end());
  name_by_anatomy(codes);
  return codes;
}

}  // namespace

std::span<const DeviceCode> ascend_codes() {
  static const std::vector<DeviceCode> kCodes = make_ascend_codes();
  return kCodes;
}

HandlingLevel judge_unknown(DeviceSubject subject, std::optional<Severity> severity) {
  if (subject == DeviceSubject::kNetworkPort) return HandlingLevel::kPreSeparateNpu;
  const bool harmless = severity && *severity <= Severity::kMinor;
  return harmless ? HandlingLevel::kNotHandleFault : HandlingLevel::kSeparateNpu;
}

}  // namespace aftershock::policies
