#include "policies/ray_train/config.h"

#include <array>
#include <charconv>
#include <limits>
#include <memory>
#include <utility>

#include "policies/ray_train/controller.h"
#include "policies/ray_train/environment.h"

namespace aftershock::policies::ray_train {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 7> kKeys{
    "max_failures",
    "controller_failure_limit",
    "num_to_keep",
    "health_check_interval_s",
    "worker_health_check_timeout_s",
    "worker_group_start_timeout_s",
    "fail_fast",
};

std::string shown(const json& value) {
  return "got " + value.dump(-1, ' ', false, json::error_handler_t::replace).substr(0, 80);
}

/// An integer of any sign that fits.
std::optional<std::int64_t> integer(const json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      return std::nullopt;
    }
    return static_cast<std::int64_t>(number);
  }
  if (value.is_number_integer()) {
    return value.get<std::int64_t>();
  }
  return std::nullopt;
}

void read_limit(const std::string& pointer, const json& value, std::int64_t& out,
                ConfigReading& reading) {
  const auto limit = integer(value);
  if (!limit) {
    reading.errors.push_back({pointer, shown(value), "an integer; -1 means unlimited", {}});
    return;
  }
  out = *limit;
  if (out < -1) {
    reading.warnings.push_back(
        {pointer,
         "only -1 means unlimited: Ray compares any other negative limit as it is, so that the "
         "first failure ends the run",
         {},
         {}});
  }
}

void read_num_to_keep(const std::string& pointer, const json& value, ConfigReading& reading) {
  if (value.is_null()) {
    reading.config.num_to_keep.reset();
    return;
  }
  const auto count = integer(value);
  if (!count || *count < 1 || *count > std::numeric_limits<std::uint32_t>::max()) {
    reading.errors.push_back(
        {pointer, shown(value), "null (keep all) or an integer of at least 1", {}});
    return;
  }
  reading.config.num_to_keep = static_cast<std::uint32_t>(*count);
}

/// A number is read through its shortest text: 0.1 is a tenth of a second, not the double beside
/// it.
void read_duration(const std::string& pointer, const json& value, DurationUs& out,
                   bool zero_is_fine, ConfigReading& reading) {
  if (value.is_string()) {
    read_seconds(pointer, value.get_ref<const std::string&>(), out, zero_is_fine, reading.errors);
  } else if (value.is_number_float()) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value.get<double>());
    read_seconds(pointer, std::string_view(text, end.ptr), out, zero_is_fine, reading.errors);
  } else if (value.is_number()) {
    read_seconds(pointer, value.dump(), out, zero_is_fine, reading.errors);
  } else {
    reading.errors.push_back({pointer, shown(value), "a number of seconds", {}});
  }
}

void read_member(const std::string& key, const json& value, ConfigReading& reading) {
  const std::string pointer = pointer_to("/config", key);
  Config& config = reading.config;
  if (key == "max_failures") {
    read_limit(pointer, value, config.max_failures, reading);
  } else if (key == "controller_failure_limit") {
    read_limit(pointer, value, config.controller_failure_limit, reading);
  } else if (key == "num_to_keep") {
    read_num_to_keep(pointer, value, reading);
  } else if (key == "health_check_interval_s") {
    read_duration(pointer, value, config.health_check_interval_us, false, reading);
  } else if (key == "worker_health_check_timeout_s") {
    read_duration(pointer, value, config.worker_health_check_timeout_us, true, reading);
  } else if (key == "worker_group_start_timeout_s") {
    read_duration(pointer, value, config.worker_group_start_timeout_us, false, reading);
  } else if (key == "fail_fast") {
    reading.errors.push_back({pointer,
                              "Ray Train V2 refuses fail_fast, whatever its value: it is "
                              "deprecated, and a run that shall "
                              "stop at the first failure is one with max_failures 0",
                              "no fail_fast",
                              {}});
  } else {
    reading.errors.push_back({pointer, "no such setting", "a setting of ray_train",
                              std::string(nearest_name(key, kKeys))});
  }
}

}  // namespace

ConfigReading read_config(const PolicyRequest& request, const Profile& profile) {
  ConfigReading reading;
  reading.config.health_check_interval_us = profile.health_check_interval_us;
  reading.config.worker_health_check_timeout_us = profile.worker_health_check_timeout_us;
  reading.config.worker_group_start_timeout_us = profile.worker_group_start_timeout_us;
  if (request.config.is_object()) {
    for (const auto& item : request.config.items()) {
      read_member(item.key(), item.value(), reading);
    }
  } else if (!request.config.is_null()) {
    reading.errors.push_back({"/config", shown(request.config), "an object", {}});
  }
  read_environment(request.env, reading);
  return reading;
}

MakeResult make(const PolicyRequest& request) {
  const Profile* profile = find_profile(request.profile);
  if (profile == nullptr) {
    std::vector<std::string_view> names;
    std::string expected = "one of ";
    for (const Profile& known : profiles()) {
      expected += names.empty() ? "" : ", ";
      expected += known.name;
      names.push_back(known.name);
    }
    return std::vector<ConfigIssue>{
        {"/profile", "ray_train has no profile \"" + request.profile + "\"", std::move(expected),
         std::string(nearest_name(request.profile, names))}};
  }
  ConfigReading reading = read_config(request, *profile);
  if (!reading.errors.empty()) {
    return std::move(reading.errors);
  }
  return ConfiguredPolicy{std::make_unique<RayTrain>(*profile, reading.config),
                          std::move(reading.warnings)};
}

}  // namespace aftershock::policies::ray_train
