#include "sim/advise/cures.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "policies/registry.h"
#include "sim/advise/accepted.h"
#include "sim/advise/choices.h"
#include "sim/advise/policy_settings.h"
#include "sim/sweep/where.h"

namespace aftershock::sim::advise {
namespace {

using Json = nlohmann::ordered_json;

/// A fifth more nodes that stand by, and two and four times as many to be had where lost ones are
/// replaced.
std::vector<Cure> more_nodes(const scenario::Scenario& scenario) {
  const std::uint32_t place = scenario.jobs.front().pool;
  const scenario::PoolSpec& pool = scenario.cluster.pools[place];
  const std::string pointer = fmt::format("/cluster/pools/{}", place);
  const std::uint32_t more = std::max<std::uint32_t>(2, pool.nodes / 5);
  Cure stand_by{fmt::format("{} more nodes that stand by", more),
                {{pointer + "/spares", std::to_string(pool.spares + more)}}};
  // A pool has room for its spares unless the scenario says how many nodes there are at most.
  const Json::json_pointer most_nodes(pointer + "/max_nodes");
  const std::uint32_t with_them = pool.nodes + pool.spares + more;
  if (scenario.resolved->contains(most_nodes) && with_them > pool.max_nodes) {
    stand_by.sets.emplace_back(pointer + "/max_nodes", std::to_string(with_them));
  }
  std::vector<Cure> cures{std::move(stand_by)};
  if (pool.replacement != scenario::Replacement::kNone) {
    for (const std::uint32_t times : {4U, 2U}) {
      const std::uint32_t most = times * pool.max_nodes;
      cures.insert(cures.begin(),
                   {fmt::format("up to {} nodes in place of {}", most, pool.max_nodes),
                    {{pointer + "/max_nodes", std::to_string(most)}}});
    }
  }
  return cures;
}

/// The object of a preset that holds annotations, which are settings one by one.
constexpr std::string_view kMetadata = "metadata";

/// Without the way to it, and below a vendor's prefix.
std::string last_part(const std::string& name) { return name.substr(name.rfind('/') + 1); }

void add_settings(const scenario::Scenario& scenario, std::vector<Cure>& cures) {
  for (const PolicySetting& setting : settings_of(scenario)) {
    for (const std::string& value : other_values(setting)) {
      const std::string reading =
          is_reading(setting)
              ? fmt::format(", a reading of the vendor's guide and not a setting ({})",
                            setting.meaning.substr(0, setting.meaning.find(':')))
              : std::string();
      cures.push_back(
          {fmt::format("{}={}{}", last_part(setting.name), sweep::unquoted(value), reading),
           {{setting.pointer, value}}});
    }
  }
}

/// The settings of a preset that the scenario has not: annotations go where it has its own.
Cure preset_cure(const scenario::Scenario& scenario, const policies::Preset& preset) {
  Cure cure{fmt::format("the settings of the policy's preset {}", preset.name), {}};
  const auto add = [&](const auto& object) {
    for (const auto& [name, value] : object.items()) {
      const std::string place = place_of_setting(scenario, {}, name);
      const std::string text = policies::text_from_json(value);
      const auto present = present_value(scenario, place);
      if (name != kMetadata && !(present && is_same_value(*present, text))) {
        cure.sets.emplace_back(place, text);
      }
    }
  };
  const Json config = policies::json_from_text<Json>(preset.config);
  add(config);
  const Json::json_pointer annotations("/metadata/annotations");
  if (config.contains(annotations)) {
    add(config.at(annotations));
  }
  return cure;
}

void add_presets(const scenario::Scenario& scenario, std::vector<Cure>& cures) {
  const policies::PolicyEntry* entry =
      scenario.policies == nullptr ? policies::shipped_policy(scenario.jobs.front().policy.name)
                                   : nullptr;
  if (entry == nullptr) {
    return;
  }
  for (const policies::Preset& preset : entry->presets) {
    if (Cure cure = preset_cure(scenario, preset); !cure.sets.empty()) {
      cures.push_back(std::move(cure));
    }
  }
}

void add_given_back(const scenario::Scenario& scenario, std::vector<Cure>& cures) {
  if (scenario.cluster.reclaim_leaked_us) {
    return;
  }
  const std::pair<const char*, const char*> kAfter[] = {{"at once", "0s"},
                                                        {"after 10 min", "10min"}};
  for (const auto& [words, value] : kAfter) {
    cures.push_back({fmt::format("nodes that a failed start left reserved given back {}", words),
                     {{"/cluster/reclaim_leaked", value}}});
  }
}

}  // namespace

std::vector<Cure> cures_for(const scenario::Scenario& scenario) {
  std::vector<Cure> cures;
  if (scenario.jobs.size() != 1) {
    return cures;
  }
  add_given_back(scenario, cures);
  if (const auto budgets = wider_budgets(scenario); !budgets.empty()) {
    cures.push_back({"wider retry budgets", budgets});
  }
  if (scenario.jobs.front().collectives.transport == scenario::Transport::kNcclUnhandled) {
    cures.push_back(
        {"NCCL with its asynchronous error handling", {{"/jobs/0/collectives/transport", "nccl"}}});
  } else if (!scenario.jobs.front().collective_timeout_us) {
    cures.push_back(
        {"collectives that give up after 30 min", {{"/jobs/0/collective_timeout", "30min"}}});
  }
  add_settings(scenario, cures);
  std::ranges::move(more_nodes(scenario), std::back_inserter(cures));
  add_presets(scenario, cures);
  std::erase_if(cures, [&](const Cure& cure) { return !is_accepted(scenario, cure.sets); });
  return cures;
}

std::optional<Cure> both_of(const Cure& first, const Cure& second) {
  Cure both{first.words.empty() ? second.words : first.words + ", and " + second.words, first.sets};
  for (const auto& set : second.sets) {
    if (std::ranges::find(first.sets, set.first, &std::pair<std::string, std::string>::first) !=
        first.sets.end()) {
      return std::nullopt;
    }
    both.sets.push_back(set);
  }
  return both;
}

}  // namespace aftershock::sim::advise
