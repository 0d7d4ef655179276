#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "policies/api/boxed.h"
#include "policies/api/config.h"

// Configurations as kubectl prints them: the whole object, of which recovery takes a part.
namespace aftershock::policies {

/// The findings of reading a configuration.
struct Findings {
  std::vector<ConfigIssue> errors{};
  std::vector<ConfigIssue> warnings{};
  std::ptrdiff_t loud = 0;  ///< so many warnings at the front are of what is not modelled
  bool pasted = false;      ///< a whole manifest rather than settings, or a spec alone
};

/// Whether the configuration is a whole manifest rather than settings, or a spec alone.
bool is_manifest(const nlohmann::json& config);

/// The part of a manifest that is read, without members that are null, and its place.
struct ManifestSpec {
  Boxed<nlohmann::json> spec = empty_object();
  std::string pointer = "/config";
};

/// The "spec" of a manifest of one of these kinds, or the configuration itself where it is none.
/// `beside` may stand beside "spec" and is somebody else's to read; of the rest of a manifest a
/// warning says that it has no effect.
ManifestSpec manifest_spec(const nlohmann::json& config, std::span<const ManifestKind> kinds,
                           std::span<const std::string_view> beside, Findings& findings);

/// A warning that a value and all below it change nothing.
void warn_no_effect(const std::string& pointer, std::string_view why, Findings& findings);

/// The louder warning: the real thing recovers otherwise than the simulated one because of it.
void warn_not_modelled(const std::string& pointer, std::string_view why, Findings& findings);

/// A member that changes what happens to failures, and that nothing here follows.
struct NotModelled {
  std::string_view name;
  std::string_view why;
};

/// Answers `suspend`, a boolean. True: the real thing has no pods until somebody resumes it.
void read_suspend(const std::string& pointer, const nlohmann::json& value, Findings& findings);

/// Names of members that the API has.
struct Members {
  std::span<const std::string_view> followed;
  std::span<const std::string_view> without_effect{};
  std::span<const NotModelled> not_modelled{};
};

/// Answers a member of the object at `pointer` that is not followed: a warning where the API has
/// it, an error with the nearest name where it does not. `expected` says what could stand there.
void not_followed(const std::string& pointer, std::string_view key, std::string_view expected,
                  const Members& members, Findings& findings);

}  // namespace aftershock::policies
