#include "policies/device_codes/facts.h"

#include <string_view>

#include "policies/device_codes/ascend_facts.h"
#include "policies/device_codes/device_need.h"

namespace aftershock::policies {
namespace {

constexpr std::string_view kMindCluster = "MindCluster 22bb3d9";
constexpr std::string_view kXids = "NVIDIA's catalogue of Xids, 2025-10-29, as gpud carries it";

std::string of_cluster(std::string_view what) {
  return std::string(kMindCluster).append(", ").append(what);
}

std::string length(std::int64_t seconds) {
  constexpr std::int64_t kHourS = 3600;
  if (seconds % kHourS == 0) return std::to_string(seconds / kHourS) + " h";
  return std::to_string(seconds) + " s";
}

std::string list_of(DeviceSubject subject) {
  switch (subject) {
    case DeviceSubject::kSwitch:
      return of_cluster("the default list of switch codes");
    case DeviceSubject::kNode:
      return of_cluster("the default list of NodeD");
    case DeviceSubject::kPublic:
      return of_cluster("the default list of public faults");
    case DeviceSubject::kDpu:
      return of_cluster("the default list of RDMA and DPU codes");
    case DeviceSubject::kChip:
    case DeviceSubject::kNetworkPort:
    case DeviceSubject::kGpu:
      break;
  }
  return of_cluster("faultCode.json");
}

void add_ascend(const DeviceCode& code, std::vector<DeviceFact>& facts) {
  const auto add = [&](std::string_view what, std::string value, std::string source) {
    facts.push_back({std::string(what), std::move(value), std::move(source)});
  };
  const std::string digits = of_cluster("how event ids are made of module and kind");
  if (!code.module.empty()) add("module", std::string(code.module), digits);
  if (!code.kind.empty()) add("kind", std::string(code.kind), digits);
  if (code.level) {
    const auto word = std::string(listed_as(code.subject, *code.level));
    add("level", word + ": " + std::string(meaning_of(*code.level)), list_of(code.subject));
  }
  add("severity", std::string(name_of(code.severity)),
      "assumed from the level: which severity a code has stands in Huawei's health-management "
      "books, which are not public");
  const bool blamed = code.root_cause != RootCause::kUnknown;
  add("class", std::string(name_of(code.root_cause)),
      blamed ? "the table of Ascend's fault diagnosis (ascend-faultdiag)"
             : "not in the part that we have of the table of Ascend's fault diagnosis");
  if (code.level) {
    add("needs", std::string(name_of(need_of(*code.level))),
        "assumed from the level: what makes it well again when its node was isolated");
  }
  if (code.frequency) {
    add("frequency", describe(*code.frequency), of_cluster("FaultFrequency of the device plugin"));
  }
  if (code.duration) {
    add("duration", describe(*code.duration), of_cluster("FaultDuration of the device plugin"));
  }
}

void add_xid(const DeviceCode& code, const XidFacts& xid, std::vector<DeviceFact>& facts) {
  const auto add = [&](std::string_view what, std::string_view value, std::string source) {
    facts.push_back({std::string(what), std::string(value), std::move(source)});
  };
  const std::string catalogue(kXids);
  if (!code.kind.empty()) add("meaning", code.kind, catalogue);
  add("immediate action", xid.immediate.empty() ? "none named" : xid.immediate, catalogue);
  add("investigatory action", xid.investigatory.empty() ? "none named" : xid.investigatory,
      catalogue);
  add("class", name_of(xid.action), "read from " + std::string(xid.action_source));
  add("severity", name_of(code.severity), "assumed from the class");
  add("needs", name_of(need_of(xid.action)),
      "assumed from the class: what makes it well again when its node was isolated");
}

}  // namespace

bool is_told_of(const DeviceCode& code) {
  if (code.xid) {
    return !code.xid->immediate.empty();
  }
  return code.root_cause != RootCause::kUnknown || code.frequency || code.duration ||
         ascend_gloss(code.code) != nullptr;
}

std::string describe(const FrequencyRule& rule) {
  std::string text = std::to_string(rule.times) + " in " + length(rule.window_s) + " -> " +
                     std::string(name_of(rule.level));
  if (rule.release_s > 0) text += ", until " + length(rule.release_s) + " without it";
  return text;
}

std::string describe(const DurationRule& rule) {
  return "longer than " + length(rule.longer_than_s) + " -> " + std::string(name_of(rule.level)) +
         ", until healthy for " + length(rule.recovered_after_s);
}

std::vector<DeviceFact> facts_of(const DeviceCode& code) {
  std::vector<DeviceFact> facts;
  const bool xid = code.xid.has_value();
  facts.push_back({"subject", std::string(name_of(code.subject)),
                   xid ? std::string(kXids) : list_of(code.subject)});
  if (xid) {
    add_xid(code, *code.xid, facts);
  } else {
    add_ascend(code, facts);
  }
  facts.push_back({"product", code.product.empty() ? "not stated" : std::string(code.product),
                   code.product.empty() ? "our sources name no product for it"
                                        : "NVIDIA's notes on the containment of memory errors"});
  if (!code.note.empty()) {
    facts.push_back(
        {"note", std::string(code.note),
         xid ? "NVIDIA's catalogue and gpud" : of_cluster("and the ModelArts documentation")});
  }
  if (!code.name.empty()) facts.push_back({"name", code.name, "ours"});
  return facts;
}

}  // namespace aftershock::policies
