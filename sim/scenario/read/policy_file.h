#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "policies/api/boxed.h"
#include "sim/scenario/text/located_json.h"

// Configurations of policies in files of their own: settings, or manifests as kubectl prints them.
namespace aftershock::sim::scenario {

/// The configuration in a text, and words about the documents beside it that are not read.
struct PolicyText {
  LocatedValue config;
  std::vector<std::string> ignored{};
};

/// Parses JSON or YAML, as the name ends; under any other name, as the text begins. Of several
/// documents, or of the items of a List, it is the one of the policy's kinds.
std::variant<PolicyText, ScenarioError> parse_policy_text(const Sources& sources,
                                                          std::uint32_t source,
                                                          std::string_view policy);

/// A configuration that was read from a file.
struct PolicyFile {
  policies::Boxed<nlohmann::json> config{};
  std::string name;
  std::string text;  ///< to find places in
  std::vector<std::string> ignored{};
};

/// Reads a file for the policy of this name.
std::variant<PolicyFile, ScenarioError> read_policy_file(const std::filesystem::path& path,
                                                         std::string_view policy);

}  // namespace aftershock::sim::scenario
