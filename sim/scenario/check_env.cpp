#include "sim/scenario/check_env.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include <fmt/format.h>

namespace aftershock::sim {
namespace {

/// A vendor's variables, and what stands for them here.
struct Vendor {
  std::string_view prefix;
  std::string_view read_by;  ///< policies that say themselves what they read, by how they begin
  std::string_view instead;
};

constexpr std::string_view kCollective =
    "the job's collective_timeout says after how long workers fail that wait for another one";
constexpr std::string_view kLauncher = "settings of torchrun are in the policy's config";
constexpr std::array<Vendor, 11> kVendors{{
    {"NCCL_", "", kCollective},
    {"TORCH_NCCL_", "", kCollective},
    {"TORCHELASTIC_", "", kLauncher},
    {"TORCHRUN_", "", kLauncher},
    {"HCCL_", "", "of NPUs HCCL_EXEC_TIMEOUT is read, or the job's collective_timeout"},
    {"MINDX_", "", "settings of MindCluster are in the policy's config"},
    {"MINDIO_", "", "settings of MindCluster are in the policy's config"},
    {"NVRX_", "", "settings of NVRx are in the policy's config"},
    {"RAY_", "ray_", "policies of Ray read it"},
    {"TUNE_", "ray_", "policies of Ray read it"},
    {"MA_", "modelarts", "the policy modelarts reads it"},
}};

std::string in_capitals(std::string_view name) {
  std::string capitals(name);
  std::ranges::transform(capitals, capitals.begin(), [](unsigned char letter) {
    return static_cast<char>(std::toupper(letter));
  });
  return capitals;
}

}  // namespace

void check_env(const LocatedValue& env, std::string_view policy, ErrorList& errors) {
  for (const LocatedMember& member : std::get<LocatedValue::Members>(env.data)) {
    const std::string capitals = in_capitals(member.key);
    const auto vendor = std::ranges::find_if(
        kVendors, [&](const Vendor& each) { return capitals.starts_with(each.prefix); });
    if (vendor == kVendors.end() || member.key == "HCCL_EXEC_TIMEOUT") {
      continue;
    }
    const bool own = !vendor->read_by.empty() && policy.starts_with(vendor->read_by);
    if (member.key != capitals && (own || capitals == "HCCL_EXEC_TIMEOUT")) {
      errors.warn(member.value,
                  fmt::format("nothing reads {}; did you mean {}?", member.key, capitals));
    } else if (!own) {
      errors.warn(member.value,
                  fmt::format("nothing reads {} here: {}", member.key, vendor->instead));
    }
  }
}

}  // namespace aftershock::sim
