#include "policies/modelarts/config.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "policies/device_codes/catalogue.h"
#include "policies/modelarts/controller.h"
#include "policies/parts/config_values.h"
#include "policies/parts/integer_text.h"

namespace aftershock::policies::modelarts {
namespace {

using nlohmann::json;

constexpr std::string_view kPrefix = "fault-tolerance/";
constexpr std::string_view kJobRetry = "fault-tolerance/job-retry-num";
constexpr std::string_view kUnconditional = "fault-tolerance/job-unconditional-retry";
constexpr std::string_view kHangRetry = "fault-tolerance/hang-retry";
constexpr std::string_view kPodRetry = "fault-tolerance/pod-retry-num";
constexpr std::string_view kOperatorRetry = "fault-tolerance/hccl_op_retry";
constexpr std::array<std::string_view, 5> kAnnotations{kJobRetry, kUnconditional, kHangRetry,
                                                       kPodRetry, kOperatorRetry};
// 1 to 128 by the user guide, which names no end for pods (modelarts.md 2.1).
constexpr std::int64_t kMostJobRetries = 128;
constexpr std::int64_t kMostPodRetries = std::numeric_limits<std::uint32_t>::max();

constexpr std::array<std::string_view, 6> kSettings{"kind",          "metadata",    "correlation_s",
                                                    "queue_limit_s", "hang_poll_s", "severities"};

// Further members of the body of a request to create a training job.
constexpr std::array<std::string_view, 4> kRestOfBody{"algorithm", "endpoints", "spec", "tasks"};

constexpr std::string_view kGrace = "MA_FAILOVER_TERMINATION_GRACE_PERIOD_SECONDS";
constexpr std::string_view kHangTime = "MA_HANG_DETECT_TIME";
constexpr std::array<std::string_view, 4> kVariables{kGrace, kHangTime, "MA_SCHEDULE_CNT",
                                                     "MA_PROC_START_CNT"};

struct Range {
  std::int64_t least;
  std::int64_t most;
};

void read_retries(const std::string& pointer, const std::string& text, Range range,
                  std::uint32_t& out, ConfigReading& reading) {
  const auto number = integer_from_text(text);
  if (!number || *number < range.least || *number > range.most) {
    reading.errors.push_back({pointer,
                              "got \"" + text + '"',
                              "an integer from " + std::to_string(range.least) + " to " +
                                  std::to_string(range.most) + ", as a string",
                              {}});
    return;
  }
  out = static_cast<std::uint32_t>(*number);
}

void read_switch(const std::string& pointer, const std::string& text, bool& out,
                 ConfigReading& reading) {
  if (text != "true" && text != "false") {
    reading.errors.push_back({pointer, "got \"" + text + '"', R"("true" or "false")", {}});
    return;
  }
  out = text == "true";
}

void read_annotation(const std::string& pointer, const std::string& key, const json& value,
                     ConfigReading& reading) {
  if (std::ranges::find(kAnnotations, key) == kAnnotations.end()) {
    reading.errors.push_back({pointer, "no such annotation", "one that the user guide has",
                              std::string(nearest_name(key, kAnnotations))});
    return;
  }
  if (!value.is_string()) {
    reading.errors.push_back(
        {pointer,
         shown(value),
         "a string, '\"" + text_from_json(value) +
             "\"' on a command line: annotations are a map of strings to strings",
         {}});
    return;
  }
  const auto& text = value.get_ref<const std::string&>();
  Config& config = reading.config;
  reading.annotations.emplace(key, pointer);
  if (key == kJobRetry) {
    std::uint32_t retries = 0;
    read_retries(pointer, text, {1, kMostJobRetries}, retries, reading);
    config.job_retry_num = retries;
  } else if (key == kUnconditional) {
    read_switch(pointer, text, config.unconditional, reading);
  } else if (key == kHangRetry) {
    read_switch(pointer, text, config.hang_retry, reading);
  } else if (key == kPodRetry) {
    read_retries(pointer, text, {0, kMostPodRetries}, config.pod_retry_num, reading);
  } else {
    reading.warnings.push_back(
        {pointer,
         "no effect here: the user guide does not have it, and collectives are not "
         "retried one by one",
         {},
         {}});
  }
}

// The annotation that a name without the prefix, or with another one, may have meant.
std::string_view annotation_meant(std::string_view key) {
  const std::string_view end = key.substr(key.find('/') + 1);
  const auto found = std::ranges::find_if(
      kAnnotations, [end](std::string_view known) { return known.substr(kPrefix.size()) == end; });
  return found != kAnnotations.end() ? *found : nearest_name(key, kAnnotations);
}

constexpr std::string_view kAnnotationsKey = "annotations";
constexpr std::array kMetadataKeys{kAnnotationsKey};
// The other keys of a training job's metadata in ModelArts' requests, and of a Kubernetes object's.
constexpr std::array<std::string_view, 9> kObjectMeta{
    "name",   "id",           "description",
    "labels", "namespace",    "create_time",
    "uid",    "workspace_id", "training_experiment_reference"};

// The body of the request that creates a training job has other members; these say nothing here.
void read_metadata(const json& value, ConfigReading& reading) {
  if (!value.is_object()) {
    reading.errors.push_back({"/config/metadata", shown(value), "an object", {}});
    return;
  }
  for (const auto& item : value.items()) {
    if (item.key() != kAnnotationsKey) {
      // Labels and names are an object's own, and no misspelt annotations.
      const bool own = std::ranges::find(kObjectMeta, item.key()) != kObjectMeta.end();
      const std::string_view meant = own ? "" : nearest_name(item.key(), kMetadataKeys);
      const std::string pointer = pointer_to("/config/metadata", item.key());
      reading.unread.push_back({pointer, "nothing reads it", "annotations", std::string(meant)});
      if (!meant.empty()) {
        reading.warnings.push_back({pointer, "not read: the key is " + std::string(meant), {}, {}});
      }
    }
  }
  const auto annotations = value.find(kAnnotationsKey);
  if (annotations == value.end()) {
    return;
  }
  if (!annotations->is_object()) {
    reading.errors.push_back(
        {"/config/metadata/annotations", shown(*annotations), "an object", {}});
    return;
  }
  for (const auto& item : annotations->items()) {
    const std::string pointer = pointer_to("/config/metadata/annotations", item.key());
    if (reading.annotations.contains(item.key())) {
      reading.errors.push_back({pointer, "it is given twice", "one value", {}});
    }
    if (item.value().is_structured()) {
      reading.errors.push_back({pointer, shown(item.value()),
                                "a string: annotations are a map of strings to strings; a \"/\" "
                                "within a key of a JSON Pointer is written as \"~1\"",
                                std::string(annotation_meant(item.key()))});
    } else if (item.key().starts_with(kPrefix)) {
      read_annotation(pointer, item.key(), item.value(), reading);
    } else {
      const auto meant = annotation_meant(item.key());
      reading.unread.push_back(
          {pointer, "nothing reads it", "an annotation that ModelArts has", std::string(meant)});
      if (!meant.empty()) {
        reading.warnings.push_back(
            {pointer, "not read: the annotation is " + std::string(meant), {}, {}});
      }
    }
  }
}

void read_severities(const json& value, ConfigReading& reading) {
  if (!value.is_object()) {
    reading.errors.push_back(
        {"/config/severities", shown(value), "an object of severities by code", {}});
    return;
  }
  const auto& words = EnumNames<Severity>::kNames;
  for (const auto& item : value.items()) {
    const std::string pointer = pointer_to("/config/severities", item.key());
    const auto found = item.value().is_string()
                           ? std::ranges::find(words, item.value().get_ref<const std::string&>())
                           : words.end();
    if (found == words.end()) {
      reading.errors.push_back(
          {pointer, shown(item.value()), R"("hint", "minor", "major" or "critical")", {}});
      continue;
    }
    const DeviceCode* listed = find_device_code(item.key());
    const auto form = parse_device_code(item.key());
    if (listed == nullptr && !form) {
      reading.errors.push_back({pointer, "there is no such device code",
                                "an Ascend event id, an Xid such as \"xid:94\", or a name",
                                std::string(nearest_device_code(item.key()))});
      continue;
    }
    const std::string code(listed != nullptr ? std::string_view(listed->code) : form->code);
    const auto severity = static_cast<Severity>(found - words.begin());
    if (!reading.config.severities.emplace(code, severity).second) {
      reading.errors.push_back({pointer, "the code is given twice", "each code once", {}});
    }
  }
}

bool read_reading(const std::string& key, const json& value, ConfigReading& reading) {
  const auto& options = reading_options();
  const auto option = std::ranges::find(options, std::string_view(key), &ReadingOption::name);
  if (option == options.end()) {
    return false;
  }
  const bool alternative = value == option->alternative;
  if (!alternative && value != option->preset) {
    const std::array<std::string_view, 2> words{option->preset, option->alternative};
    const std::string word = value.is_string() ? value.get<std::string>() : std::string();
    reading.errors.push_back(
        {pointer_to("/config", key), shown(value),
         '"' + std::string(option->preset) + "\" or \"" + std::string(option->alternative) + '"',
         std::string(nearest_name(word, words))});
  }
  reading.config.readings.*option->member = alternative;
  return true;
}

void read_setting(const std::string& key, const json& value, ConfigReading& reading) {
  Config& config = reading.config;
  const std::string pointer = pointer_to("/config", key);
  if (key.starts_with(kPrefix)) {
    read_annotation(pointer, key, value, reading);
  } else if (key == "kind") {
    if (value != "job") {
      reading.errors.push_back({pointer, shown(value), "\"job\"", {}});
    }
  } else if (key == "correlation_s") {
    read_seconds_value(pointer, value, config.correlation_us, reading.errors);
  } else if (key == "hang_poll_s") {
    read_seconds_value(pointer, value, config.hang_poll_us, reading.errors);
    if (config.hang_poll_us == 0) {
      reading.errors.push_back({pointer, shown(value), "more than 0 s", {}});
    }
  } else if (key == "queue_limit_s") {
    if (value.is_null()) {
      config.queue_limit_us.reset();
    } else {
      read_seconds_value(pointer, value, *config.queue_limit_us, reading.errors);
    }
  } else if (key == "severities") {
    read_severities(value, reading);
  } else if (std::ranges::find(kRestOfBody, key) != kRestOfBody.end()) {
    reading.warnings.push_back(
        {pointer,
         "not read: annotations alone are. Its environment goes into the job's \"env\"",
         {},
         {}});
  } else if (key != "metadata" && !read_reading(key, value, reading)) {
    std::vector<std::string_view> known(kAnnotations.begin(), kAnnotations.end());
    known.insert(known.end(), kSettings.begin(), kSettings.end());
    for (const ReadingOption& option : reading_options()) {
      known.push_back(option.name);
    }
    reading.errors.push_back({pointer, "no such setting", "an annotation or a setting of modelarts",
                              std::string(nearest_name(key, known))});
  }
}

// Without automatic restart the other annotations do nothing (modelarts.md 2.1).
void warn_of_inert(ConfigReading& reading) {
  const Config& config = reading.config;
  if (config.job_retry_num) {
    return;
  }
  const std::array<std::pair<bool, std::string_view>, 3> rows{{
      {config.unconditional, kUnconditional},
      {config.hang_retry, kHangRetry},
      {config.pod_retry_num > 0, kPodRetry},
  }};
  for (const auto& [given, key] : rows) {
    if (given) {
      reading.warnings.push_back({reading.annotations.at(std::string(key)),
                                  std::string(key) + " has no effect without " +
                                      std::string(kJobRetry) + ", which switches recovery on",
                                  {},
                                  {}});
    }
  }
}

void read_grace(const std::string& pointer, const std::string& text, ConfigReading& reading) {
  constexpr std::int64_t kMost = 1'000'000'000;
  const auto number = integer_from_text(text);
  if (number && *number > 0 && *number <= kMost) {
    reading.config.unmount_async_after_us = *number * kSecondUs;
  } else if (!number || *number != -1) {
    reading.warnings.push_back({pointer,
                                "got \"" + text +
                                    "\": only a positive number of seconds changes anything, and "
                                    "this is taken for -1",
                                {},
                                {}});
  }
}

void read_hang_time(const std::string& pointer, const std::string& text, ConfigReading& reading) {
  constexpr std::int64_t kLeast = 10;
  constexpr std::int64_t kMost = 720;
  const auto minutes = integer_from_text(text);
  if (!minutes || *minutes < kLeast || *minutes > kMost) {
    reading.errors.push_back(
        {pointer, "got \"" + text + '"', "an integer from 10 to 720 (minutes)", {}});
    return;
  }
  reading.config.hang_after_us = *minutes * 60 * kSecondUs;
}

void read_variable(const std::string& name, const std::string& value, ConfigReading& reading) {
  const std::string pointer = pointer_to("/env", name);
  if (name == kGrace) {
    read_grace(pointer, value, reading);
  } else if (name == kHangTime) {
    read_hang_time(pointer, value, reading);
  } else if (name == "MA_SCHEDULE_CNT" || name == "MA_PROC_START_CNT") {
    reading.errors.push_back({pointer, "the platform sets it in every pod", "to leave it out", {}});
  } else if (name.starts_with("MA_")) {
    reading.errors.push_back({pointer, "names that begin with MA_ are the platform's",
                              "one that the platform reads",
                              std::string(nearest_name(name, kVariables))});
  }
}

}  // namespace

ConfigReading read_config(const PolicyRequest& request) {
  ConfigReading reading;
  if (request.config->is_object()) {
    for (const auto& item : request.config->items()) {
      read_setting(item.key(), item.value(), reading);
    }
    if (request.config->contains("metadata")) {
      read_metadata((*request.config)["metadata"], reading);
    }
  } else if (!request.config->is_null()) {
    reading.errors.push_back({"/config", shown(*request.config), "an object", {}});
  }
  for (const auto& [name, value] : request.env) {
    read_variable(name, value, reading);
  }
  warn_of_inert(reading);
  return reading;
}

MakeResult make(const PolicyRequest& request) {
  if (!request.profile.empty() && request.profile != kProfiles.front()) {
    return std::vector<ConfigIssue>{{"/profile",
                                     "modelarts has no profile \"" + request.profile + '"',
                                     "the only one, " + std::string(kProfiles.front()),
                                     std::string(nearest_name(request.profile, kProfiles))}};
  }
  ConfigReading reading = read_config(request);
  if (!reading.errors.empty()) {
    return std::move(reading.errors);
  }
  PodTerms terms = terms_of(reading.config);
  return ConfiguredPolicy{std::make_unique<ModelArts>(std::move(reading.config)),
                          std::move(reading.warnings), std::move(terms), std::nullopt,
                          std::move(reading.unread)};
}

}  // namespace aftershock::policies::modelarts
