#include "policies/job/config.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include "policies/job/controller.h"
#include "policies/parts/config_values.h"

namespace aftershock::policies::job {

using nlohmann::json;

const json& spec_of(const json& config, std::string_view kind, std::string& pointer,
                    std::vector<ConfigIssue>& errors) {
  static const json kNone = json::object();
  if (config.is_null()) {
    return kNone;
  }
  if (!config.is_object() || !config.contains("spec")) {
    return config;
  }
  constexpr std::array<std::string_view, 5> kMembers{"apiVersion", "kind", "metadata", "spec",
                                                     "status"};
  for (const auto& item : config.items()) {
    if (std::ranges::find(kMembers, item.key()) == kMembers.end()) {
      errors.push_back({pointer_to(pointer, item.key()), "no such member of a manifest",
                        "apiVersion, kind, metadata and spec",
                        std::string(nearest_name(item.key(), kMembers))});
    }
  }
  if (config.contains("kind") && config["kind"] != kind) {
    errors.push_back(
        {pointer_to(pointer, "kind"), shown(config["kind"]), '"' + std::string(kind) + '"', {}});
  }
  pointer = pointer_to(pointer, "spec");
  return config["spec"];
}

std::vector<ConfigIssue> check_profile(const PolicyRequest& request,
                                       std::span<const std::string_view> profiles) {
  if (request.profile.empty() ||
      std::ranges::find(profiles, std::string_view(request.profile)) != profiles.end()) {
    return {};
  }
  return {{"/profile", request.name + " has no profile \"" + request.profile + '"',
           std::string(profiles.front()), std::string(nearest_name(request.profile, profiles))}};
}

MakeResult make(const PolicyRequest& request) {
  std::vector<ConfigIssue> errors = check_profile(request, kProfiles);
  std::string pointer = "/config";
  const json& value = spec_of(*request.config, "Job", pointer, errors);
  Spec spec = read_spec(pointer, value, errors);
  if (!errors.empty()) {
    return errors;
  }
  return ConfiguredPolicy{std::make_unique<Job>(std::move(spec))};
}

}  // namespace aftershock::policies::job
