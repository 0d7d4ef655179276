#include "sim/advise/policy_settings.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "sim/scenario/keys/default_of.h"
#include "sim/scenario/text/error.h"
#include "sim/simulate/simulate.h"
#include "sim/sweep/where.h"

namespace aftershock::sim::advise {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kConfig = "/jobs/0/policy/config";

std::string below(std::string_view pointer, std::string_view key) {
  std::string place(pointer);
  scenario::append_to_pointer(place, key);
  return place;
}

std::optional<std::string> written_at(const scenario::Scenario& scenario,
                                      std::string_view pointer) {
  const Json::json_pointer place{std::string(pointer)};
  return scenario.resolved->contains(place)
             ? std::optional(policies::text_from_json(scenario.resolved->at(place)))
             : std::nullopt;
}

bool is_truth(std::string_view value) { return value == "true" || value == "false"; }

/// "\"own\" or \"both\"": own, both.
std::vector<std::string> quoted_words(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t from = text.find('"'); from != text.npos;) {
    const std::size_t to = text.find('"', from + 1);
    if (to == text.npos) {
      break;
    }
    words.emplace_back(text.substr(from, to - from + 1));
    from = text.find('"', to + 1);
  }
  return words;
}

bool is_limit_in_time(const PolicySetting& setting) {
  const bool time = setting.unit == "s" || setting.unit == "min";
  return time && (setting.name.find("timeout") != setting.name.npos ||
                  setting.name.find("limit") != setting.name.npos);
}

/// The default of a setting, where its words are JSON; a word without quotes is one of a list.
std::optional<std::string> default_of_setting(const policies::Parameter& parameter) {
  const std::string text(parameter.default_text);
  if (Json::accept(text)) {
    return text;
  }
  const std::string quoted = '"' + text + '"';
  return parameter.type.find(quoted) != parameter.type.npos ? std::optional(quoted) : std::nullopt;
}

}  // namespace

std::string place_of_setting(const scenario::Scenario& scenario,
                             std::span<const policies::Parameter> parameters,
                             std::string_view name) {
  // "failurePolicy/maxRestarts" is a member of an object that is a setting, too; the slash of
  // "fault-tolerance/job-retry-num" is one of its name.
  if (const std::size_t slash = name.rfind('/'); slash != name.npos) {
    const std::string_view object = name.substr(0, slash);
    const auto holds = std::ranges::find(parameters, object, &policies::Parameter::name);
    if (holds != parameters.end() && holds->type == "object") {
      return below(place_of_setting(scenario, parameters, object), name.substr(slash + 1));
    }
  }
  const std::string annotations = below(below(kConfig, "metadata"), "annotations");
  const bool is_annotation = name.find('/') != name.npos;
  return is_annotation && scenario.resolved->contains(Json::json_pointer(annotations))
             ? below(annotations, name)
             : below(kConfig, name);
}

std::vector<PolicySetting> settings_of(const scenario::Scenario& scenario) {
  std::vector<PolicySetting> settings;
  if (scenario.jobs.size() != 1) {
    return settings;
  }
  const auto hosts = simulate::make_hosts(scenario);
  for (const policies::Parameter& parameter : hosts.front().info().parameters) {
    PolicySetting setting{
        std::string(parameter.name),
        std::string(parameter.type),
        std::string(parameter.unit),
        std::string(parameter.meaning),
        place_of_setting(scenario, hosts.front().info().parameters, parameter.name),
        std::nullopt};
    if (const auto by_env = below("/jobs/0/env", parameter.env);
        !parameter.env.empty() && written_at(scenario, by_env)) {
      setting.pointer = by_env;  // it wins over the configuration
    }
    setting.present = written_at(scenario, setting.pointer);
    if (!setting.present) {
      // "the job's" of a setting that is the number of workers.
      setting.present = parameter.name == "num_workers"
                            ? std::optional(std::to_string(scenario.jobs.front().workers))
                            : default_of_setting(parameter);
    }
    settings.push_back(std::move(setting));
  }
  return settings;
}

std::vector<std::string> other_values(const PolicySetting& setting) {
  std::vector<std::string> values;
  const std::string_view present =
      setting.present ? sweep::unquoted(*setting.present) : std::string_view();
  if (setting.type == "boolean" && is_truth(present)) {
    values.emplace_back(present == "true" ? "false" : "true");
  } else if (setting.type == "string" && is_truth(present)) {
    values.emplace_back(present == "true" ? "\"false\"" : "\"true\"");
  } else if (setting.type.starts_with('"')) {
    values = quoted_words(setting.type);
    std::erase_if(values,
                  [&](const std::string& each) { return sweep::unquoted(each) == present; });
  } else if (is_limit_in_time(setting)) {
    const auto amount = setting.present ? sweep::amount_of(*setting.present) : std::nullopt;
    if (amount && *amount > 0) {
      // A limit that is too short is mostly so by far: minutes where nodes take hours to come.
      values.push_back(fmt::format("{}", 4 * *amount));
      values.push_back(fmt::format("{}", 24 * *amount));
    } else if (!setting.present) {
      values.emplace_back(setting.unit == "s" ? "1800" : "30");
    }
  }
  return values;
}

bool is_reading(const PolicySetting& setting) {
  const std::string_view meaning = setting.meaning;
  const std::size_t colon = meaning.find(": ");
  return meaning.starts_with('A') && colon != meaning.npos && colon > 1 &&
         std::ranges::all_of(meaning.substr(1, colon - 1),
                             [](unsigned char c) { return std::isdigit(c) != 0; });
}

std::optional<std::string> present_value(const scenario::Scenario& scenario,
                                         std::string_view pointer) {
  if (auto written = written_at(scenario, pointer)) {
    return std::string(sweep::unquoted(*written));
  }
  if (const std::string_view value = scenario::default_of(pointer); !value.empty()) {
    return std::string(sweep::unquoted(value));
  }
  if (pointer.starts_with(kConfig)) {
    for (const PolicySetting& setting : settings_of(scenario)) {
      if (setting.pointer == pointer && setting.present) {
        return setting.present;
      }
    }
  }
  return std::nullopt;
}

bool is_same_value(std::string_view left, std::string_view right) {
  const auto one = sweep::amount_of(left);
  const auto other = sweep::amount_of(right);
  return sweep::unquoted(left) == sweep::unquoted(right) || (one && other && *one == *other);
}

}  // namespace aftershock::sim::advise
