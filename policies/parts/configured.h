#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "policies/api/config.h"
#include "policies/parts/profile_issue.h"

namespace aftershock::policies {

/// The result of reading a configuration.
template <class Config>
struct Reading {
  Config config{};
  std::vector<ConfigIssue> errors{};  ///< `config` means nothing when there are any
  std::vector<ConfigIssue> warnings{};
  std::optional<SaidPods> pods{};
};

/// Builds a family's policy: a controller of what `read` makes of the request, which names one of
/// the profiles or none.
template <class Controller, class Config>
MakeResult make_configured(std::string_view family, std::span<const std::string_view> profiles,
                           Reading<Config> (*read)(const PolicyRequest&),
                           const PolicyRequest& request) {
  if (auto issue = profile_issue(family, request.profile, profiles)) {
    return std::vector<ConfigIssue>{*std::move(issue)};
  }
  Reading<Config> reading = read(request);
  if (!reading.errors.empty()) {
    return std::move(reading.errors);
  }
  return ConfiguredPolicy{.policy = std::make_unique<Controller>(std::move(reading.config)),
                          .warnings = std::move(reading.warnings),
                          .pods = std::move(reading.pods)};
}

}  // namespace aftershock::policies
