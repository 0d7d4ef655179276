#include "policies/device_codes/catalogue.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "policies/api/config.h"
#include "policies/device_codes/ascend.h"
#include "policies/device_codes/ascend_anatomy.h"
#include "policies/device_codes/xid.h"

namespace aftershock::policies {
namespace {

constexpr std::string_view kAscend = "ascend:";
constexpr std::string_view kXid = "xid:";

constexpr std::array<DeviceFamily, 2> kFamilies{DeviceFamily::kAscend, DeviceFamily::kXid};

/// The meanings of texts, beside the codes themselves.
struct Words {
  std::map<std::string_view, const DeviceCode*> by_name;
  std::vector<std::string> canonical;
};

const Words& words() {
  static const Words kWords = [] {
    Words made;
    for (const DeviceFamily family : kFamilies) {
      for (const DeviceCode& code : device_codes(family)) {
        if (!code.name.empty()) made.by_name.emplace(code.name, &code);
        made.canonical.push_back(canonical(code));
      }
    }
    return made;
  }();
  return kWords;
}

std::optional<std::string> event_id(std::string_view text) {
  constexpr std::ptrdiff_t kCommas = 3;  // alarm, subtype, peer type, peer id
  if (text.starts_with('[') && text.ends_with(']') &&
      std::count(text.begin(), text.end(), ',') == kCommas) {
    return std::string(text);
  }
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  constexpr std::size_t kShortest = 8;
  constexpr std::size_t kLongest = 9;
  if (text.size() < kShortest || text.size() > kLongest) return std::nullopt;
  std::string code;
  for (const char letter : text) {
    const bool lower = letter >= 'a' && letter <= 'f';
    const bool digit = (letter >= '0' && letter <= '9') || (letter >= 'A' && letter <= 'F');
    if (!lower && !digit) return std::nullopt;
    code += lower ? static_cast<char>(letter - 'a' + 'A') : letter;
  }
  return code;
}

std::optional<std::string> xid_number(std::string_view text) {
  constexpr std::size_t kLongest = 5;
  const bool digits = std::all_of(text.begin(), text.end(),
                                  [](char letter) { return letter >= '0' && letter <= '9'; });
  if (!digits || text.empty() || text.size() > kLongest || text.front() == '0') return std::nullopt;
  return std::string(text);
}

/// Where a code stands, or would stand, in the order of its family.
bool before(const DeviceCode& code, const CodeText& wanted) {
  if (wanted.family == DeviceFamily::kAscend) return code.code < wanted.code;
  return std::pair(code.code.size(), std::string_view(code.code)) <
         std::pair(wanted.code.size(), std::string_view(wanted.code));
}

/// The family that a text names in front, and what is behind it.
std::pair<std::optional<DeviceFamily>, std::string_view> split(std::string_view text) {
  if (text.starts_with(kAscend)) return {DeviceFamily::kAscend, text.substr(kAscend.size())};
  if (text.starts_with(kXid)) return {DeviceFamily::kXid, text.substr(kXid.size())};
  return {std::nullopt, text};
}

}  // namespace

std::span<const DeviceCode> device_codes(DeviceFamily family) {
  return family == DeviceFamily::kAscend ? ascend_codes() : xid_codes();
}

std::optional<CodeText> parse_device_code(std::string_view text) {
  const auto [family, rest] = split(text);
  const bool xid = family == DeviceFamily::kXid;
  auto code = xid ? xid_number(rest) : event_id(rest);
  if (!code) return std::nullopt;
  return CodeText{xid ? DeviceFamily::kXid : DeviceFamily::kAscend, *std::move(code)};
}

const DeviceCode* find_device_code(std::string_view text) {
  if (const auto wanted = parse_device_code(text)) {
    const auto codes = device_codes(wanted->family);
    const auto found = std::lower_bound(codes.begin(), codes.end(), *wanted, before);
    return found != codes.end() && found->code == wanted->code ? &*found : nullptr;
  }
  const auto [family, name] = split(text);
  const auto found = words().by_name.find(name);
  if (found == words().by_name.end()) return nullptr;
  return !family || found->second->family == *family ? found->second : nullptr;
}

std::string_view nearest_device_code(std::string_view text) {
  std::vector<std::string_view> known;
  if (const auto wanted = parse_device_code(text)) {
    const auto codes = device_codes(wanted->family);
    for (const DeviceCode& code : codes) known.push_back(code.code);
    const std::string_view nearest = nearest_name(wanted->code, known);
    for (const std::string& each : words().canonical) {
      if (!nearest.empty() && split(each) == std::pair(std::optional(wanted->family), nearest)) {
        return each;
      }
    }
    return {};
  }
  for (const auto& [name, code] : words().by_name) known.push_back(name);
  const std::string_view nearest = nearest_name(split(text).second, known);
  if (!nearest.empty()) return nearest;
  known.assign(words().canonical.begin(), words().canonical.end());
  return nearest_name(text, known);
}

std::string_view rule_for_unlisted(const CodeText& code, std::optional<Severity> severity) {
  if (code.family == DeviceFamily::kXid) {
    return "NVIDIA's catalogue names no action, and ModelArts isolates the node for any fault of a "
           "GPU";
  }
  if (ascend_subject(code.code) == DeviceSubject::kNetworkPort) {
    return "MindCluster handles a network code that it does not list as PreSeparateNPU";
  }
  if (!severity) {
    return "MindCluster handles a code that it does not list, and whose severity nobody knows, as "
           "SeparateNPU";
  }
  return judge_unknown(DeviceSubject::kChip, severity) == HandlingLevel::kNotHandleFault
             ? "MindCluster handles a code that it does not list, and that is minor, as "
               "NotHandleFault"
             : "MindCluster handles a code that it does not list, and that is more than minor, as "
               "SeparateNPU";
}

}  // namespace aftershock::policies
