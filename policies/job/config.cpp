#include "policies/job/config.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include "policies/job/controller.h"
#include "policies/parts/manifest.h"

namespace aftershock::policies::job {

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
  Findings findings{.errors = check_profile(request, kProfiles)};
  const ManifestSpec manifest = manifest_spec(*request.config, kManifests, {}, findings);
  Spec spec = read_spec(manifest.pointer, *manifest.spec, false, findings);
  if (!findings.errors.empty()) {
    return std::move(findings.errors);
  }
  ConfiguredPolicy configured{.policy = nullptr, .warnings = std::move(findings.warnings)};
  if (findings.pasted && spec.completions) {
    const char* said = manifest.spec->contains("completions") ? "completions" : "parallelism";
    configured.pods =
        SaidPods{.pods = *spec.completions, .pointer = pointer_to(manifest.pointer, said)};
  }
  configured.policy = std::make_unique<Job>(std::move(spec));
  return configured;
}

}  // namespace aftershock::policies::job
