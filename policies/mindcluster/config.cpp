#include "policies/mindcluster/config.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "policies/job/config.h"
#include "policies/mindcluster/controller.h"
#include "policies/parts/config_values.h"

namespace aftershock::policies::mindcluster {
namespace {

using nlohmann::json;
using Errors = std::vector<ConfigIssue>;
using Words = std::span<const std::string_view>;

constexpr std::array<std::string_view, 9> kKeys{
    "backoffLimit",      "fault-retry-times",  "fault-scheduling",
    "grace-over-time",   "pod-rescheduling",   "recover-strategy",
    "separate-manually", "subHealthyStrategy", "wait-reschedule-timeout"};
constexpr std::array<std::string_view, 4> kSeparateKeys{"enabled", "fault_free_hours",
                                                        "fault_threshold", "fault_window_hours"};

std::optional<std::int64_t> read_within(const std::string& pointer, const json& value,
                                        std::int64_t least, std::int64_t most, Errors& errors) {
  const auto number = integer_value(value);
  if (number && *number >= least && *number <= most) {
    return number;
  }
  errors.push_back({pointer,
                    shown(value),
                    "an integer from " + std::to_string(least) + " to " + std::to_string(most),
                    {}});
  return std::nullopt;
}

std::size_t read_word(const std::string& pointer, const json& value, Words words, Errors& errors) {
  const std::string word = value.is_string() ? value.get<std::string>() : std::string();
  const auto found = std::ranges::find(words, std::string_view(word));
  if (found != words.end()) {
    return static_cast<std::size_t>(found - words.begin());
  }
  std::string expected;
  for (const std::string_view known : words) {
    expected += expected.empty() ? "" : ", ";
    expected += known;
  }
  errors.push_back(
      {pointer, shown(value), "one of " + expected, std::string(nearest_name(word, words))});
  return 0;
}

void read_recover(const std::string& pointer, const json& value, Config& config, Errors& errors) {
  constexpr std::array<std::string_view, 5> kWords{"retry", "recover-in-place", "recover", "dump",
                                                   "exit"};
  const std::string text = value.is_string() ? value.get<std::string>() : std::string();
  if (!value.is_string()) {
    errors.push_back({pointer, shown(value), "text such as \"retry,recover,dump,exit\"", {}});
    return;
  }
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (word == "elastic-training") {
      errors.push_back({pointer,
                        "elastic-training: scaling a job in is not followed here",
                        "the other steps of the ladder",
                        {}});
    } else if (!word.empty()) {
      config.recover.push_back(static_cast<Recover>(read_word(pointer, word, kWords, errors)));
    }
    begin = end + 1;
  }
  std::ranges::sort(config.recover);
}

void read_separation(const std::string& pointer, const json& value, Config& config,
                     Errors& errors) {
  if (!value.is_object()) {
    errors.push_back({pointer, shown(value), "an object", {}});
    return;
  }
  constexpr DurationUs kHourUs = 3600 * kSecondUs;
  for (const auto& item : value.items()) {
    const std::string member = pointer_to(pointer, item.key());
    if (item.key() == "enabled") {
      read_flag(member, item.value(), config.separates_manually, errors);
    } else if (item.key() == "fault_window_hours") {
      config.fault_window_us =
          read_within(member, item.value(), 1, 720, errors).value_or(1) * kHourUs;
    } else if (item.key() == "fault_threshold") {
      config.fault_threshold =
          static_cast<std::uint32_t>(read_within(member, item.value(), 1, 50, errors).value_or(1));
    } else if (item.key() != "fault_free_hours") {
      errors.push_back({member, "no such setting", "a setting of manual separation",
                        std::string(nearest_name(item.key(), kSeparateKeys))});
    } else if (item.value().is_null()) {
      config.fault_free_us.reset();
    } else {
      config.fault_free_us =
          read_within(member, item.value(), 1, 240, errors).value_or(1) * kHourUs;
    }
  }
}

void read_member(const std::string& key, const json& value, Config& config, Errors& errors) {
  const std::string pointer = pointer_to("/config", key);
  constexpr std::array<std::string_view, 2> kSwitch{"off", "on"};
  constexpr std::array<std::string_view, 3> kScheduling{"off", "grace", "force"};
  constexpr std::array<std::string_view, 4> kSubHealthy{"ignore", "graceExit", "forceExit",
                                                        "hotSwitch"};
  if (key == "fault-scheduling") {
    config.scheduling = static_cast<Scheduling>(read_word(pointer, value, kScheduling, errors));
  } else if (key == "pod-rescheduling") {
    config.pod_rescheduling = read_word(pointer, value, kSwitch, errors) == 1;
  } else if (key == "recover-strategy") {
    read_recover(pointer, value, config, errors);
  } else if (key == "fault-retry-times") {
    config.fault_retry_times =
        static_cast<std::uint32_t>(read_within(pointer, value, 0, 100, errors).value_or(0));
  } else if (key == "backoffLimit") {
    read_count(pointer, value, 0, "no limit", config.backoff_limit, errors);
  } else if (key == "grace-over-time") {
    config.grace_over_us = read_within(pointer, value, 2, 3600, errors).value_or(2) * kSecondUs;
  } else if (key == "wait-reschedule-timeout") {
    config.wait_reschedule_us =
        read_within(pointer, value, 30, 270, errors).value_or(30) * kSecondUs;
  } else if (key == "subHealthyStrategy") {
    config.sub_healthy = static_cast<SubHealthy>(read_word(pointer, value, kSubHealthy, errors));
  } else if (key == "separate-manually") {
    read_separation(pointer, value, config, errors);
  } else {
    errors.push_back({pointer, "no such setting", "a label, annotation or setting of MindCluster",
                      std::string(nearest_name(key, kKeys))});
  }
}

}  // namespace

MakeResult make(const PolicyRequest& request) {
  Errors errors = job::check_profile(request, kProfiles);
  Config config;
  if (request.config->is_object()) {
    for (const auto& item : request.config->items()) {
      read_member(item.key(), item.value(), config, errors);
    }
  } else if (!request.config->is_null()) {
    errors.push_back({"/config", shown(*request.config), "an object", {}});
  }
  if (!errors.empty()) {
    return errors;
  }
  std::vector<ConfigIssue> warnings;
  if (config.scheduling == Scheduling::kOff &&
      (config.pod_rescheduling || config.fault_retry_times > 0)) {
    warnings.push_back({"/config",
                        "fault-scheduling is off, so that nothing is rescheduled whatever else is "
                        "set",
                        {},
                        {}});
  }
  return ConfiguredPolicy{std::make_unique<MindCluster>(std::move(config)), std::move(warnings)};
}

}  // namespace aftershock::policies::mindcluster
