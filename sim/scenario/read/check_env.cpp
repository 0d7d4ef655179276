#include "sim/scenario/read/check_env.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "policies/api/entry.h"
#include "policies/api/policy.h"
#include "policies/registry.h"
#include "sim/scenario/text/error.h"

namespace aftershock::sim::scenario {
namespace {

constexpr std::string_view kCollective =
    "the job's collective_timeout says after how long workers fail that wait for another one";
/// Those of transports.
constexpr std::array<policies::VariableFamily, 3> kTransports{{
    {"NCCL_", "", kCollective},
    {"TORCH_NCCL_", "", kCollective},
    {"HCCL_", "", "of NPUs HCCL_EXEC_TIMEOUT is read, or the job's collective_timeout"},
}};

/// The family of a variable, by its name in capitals; null: it is none of a vendor's.
const policies::VariableFamily* family_of(std::string_view capitals) {
  const auto begins = [&](const policies::VariableFamily& each) {
    return capitals.starts_with(each.prefix);
  };
  if (const auto* own = std::ranges::find_if(kTransports, begins); own != kTransports.end()) {
    return own;
  }
  for (const policies::PolicyEntry& entry : policies::shipped_policies()) {
    if (const auto own = std::ranges::find_if(entry.variables, begins);
        own != entry.variables.end()) {
      return &*own;
    }
  }
  return nullptr;
}

std::string in_capitals(std::string_view name) {
  std::string capitals(name);
  std::ranges::transform(capitals, capitals.begin(), [](unsigned char letter) {
    return static_cast<char>(std::toupper(letter));
  });
  return capitals;
}

/// Variables that the policy of a request reads by its own account: beside a setting, or as one.
std::vector<std::string_view> variables_of(const policies::PolicyRequest& request) {
  std::vector<std::string_view> names;
  const auto made = policies::make_policy(request);
  if (const auto* configured = std::get_if<policies::ConfiguredPolicy>(&made)) {
    for (const policies::Parameter& parameter : configured->policy->info().parameters) {
      const std::string_view name = parameter.env.empty() ? parameter.name : parameter.env;
      if (name == in_capitals(name)) {
        names.push_back(name);
      }
    }
  }
  return names;
}

/// One that an argument names and no vendor has.
void refuse_unless_read(const LocatedMember& member, const policies::PolicyRequest& request,
                        ErrorList& errors) {
  const std::vector<std::string_view> names = variables_of(request);
  if (std::ranges::find(names, member.key) != names.end()) {
    return;
  }
  const std::string see =
      fmt::format("`aftershock policies show {}` has its settings", request.name);
  errors.add(member.value,
             {fmt::format("nothing reads {} here", in_quotes(member.key)),
              names.empty() ? fmt::format("no variable: {} reads none; {}", request.name, see)
                            : fmt::format("one that {} reads, such as {}; {}", request.name,
                                          names.front(), see),
              std::string(policies::nearest_name(member.key, names))});
}

}  // namespace

void check_env(const LocatedValue& env, const policies::PolicyRequest& request, ErrorList& errors) {
  for (const LocatedMember& member : std::get<LocatedValue::Members>(env.data)) {
    const bool asked = errors.is_named_by_argument(member);
    const auto tell = [&](std::string message, std::string nearest) {
      if (asked) {
        errors.add(member.value, {std::move(message), {}, std::move(nearest)});
      } else {
        errors.warn(member.value, nearest.empty()
                                      ? message
                                      : fmt::format("{}; did you mean {}?", message, nearest));
      }
    };
    const std::string capitals = in_capitals(member.key);
    const policies::VariableFamily* const vendor = family_of(capitals);
    if (member.key == "HCCL_EXEC_TIMEOUT") {
      continue;
    }
    if (vendor == nullptr) {
      if (asked) {
        refuse_unless_read(member, request, errors);
      }
      continue;
    }
    const bool own = !vendor->read_by.empty() && request.name.starts_with(vendor->read_by);
    if (member.key != capitals && (own || capitals == "HCCL_EXEC_TIMEOUT")) {
      tell(fmt::format("nothing reads {}", member.key), capitals);
    } else if (!own) {
      tell(fmt::format("nothing reads {} here: {}", member.key, vendor->instead), {});
    }
  }
}

}  // namespace aftershock::sim::scenario
