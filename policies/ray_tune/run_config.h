#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policies/ray_tune/config.h"

// Parts of a configuration that Tune and Train V1, which is a Tune experiment, read alike.
namespace aftershock::policies::ray_tune {

/// Reads max_failures, fail_fast, num_to_keep or snapshot_save_s. False if `key` is none of them.
bool read_run_member(const std::string& key, const nlohmann::json& value, ConfigReading& reading);

/// Says what is wrong with the members together: fail_fast wants max_failures 0.
void check_failure_settings(ConfigReading& reading);

/// Reads a variable of the environment that both read. False if `name` is none of them.
bool read_run_variable(const std::string& name, const std::string& value, ConfigReading& reading);

/// Names of the variables that read_run_variable reads.
std::span<const std::string_view> run_variables();

/// The `when` of an object `restore`.
void read_restore_when(const std::string& pointer, const nlohmann::json& value, RestoreWhen& out,
                       std::vector<ConfigIssue>& errors);

/// A profile of `family` that is not known, of those that are.
std::vector<ConfigIssue> unknown_profile(std::string_view family, const std::string& profile,
                                         std::span<const std::string_view> known);

}  // namespace aftershock::policies::ray_tune
