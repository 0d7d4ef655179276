#include "sim/advise/budget_places.h"

#include <algorithm>
#include <string_view>

#include <nlohmann/json.hpp>

#include "sim/advise/policy_settings.h"
#include "sim/scenario/text/error.h"
#include "sim/simulate/simulate.h"

namespace aftershock::sim::advise {
namespace {

using Json = nlohmann::ordered_json;

std::string escaped(std::string_view key) {
  std::string pointer;
  scenario::append_to_pointer(pointer, key);
  return pointer;
}

/// Of an external policy nobody knows the settings: the one that is written down.
Json::const_iterator written_setting(const Json& config, const std::string& name) {
  auto at = config.begin();
  while (at != config.end() && at.key() != name && !at.key().ends_with("/" + name)) {
    ++at;
  }
  return at;
}

}  // namespace

std::vector<BudgetPlace> budgets_of(const scenario::Scenario& scenario) {
  std::vector<BudgetPlace> places;
  if (scenario.jobs.size() != 1) {
    return places;
  }
  const auto hosts = simulate::make_hosts(scenario);
  const policies::PolicyInfo& info = hosts.front().info();
  const auto states = hosts.front().policy().budgets();
  const Json::json_pointer config_place("/jobs/0/policy/config");
  const Json config = scenario.resolved->contains(config_place)
                          ? scenario.resolved->at(config_place)
                          : Json::object();
  for (std::size_t i = 0; i < info.budgets.size(); ++i) {
    if (!states[i].limit) {
      continue;
    }
    BudgetPlace place;
    place.name = info.budgets[i];
    place.limit = *states[i].limit;
    place.in_a_row = std::ranges::find(info.budgets_in_a_row, i) != info.budgets_in_a_row.end();
    const auto setting = std::ranges::find_if(info.parameters, [&](const auto& parameter) {
      return parameter.name == place.name || parameter.name.ends_with("/" + place.name);
    });
    if (const auto written = written_setting(config, place.name);
        scenario.policies != nullptr && written != config.end()) {
      place.pointer = "/jobs/0/policy/config" + escaped(written.key());
      place.text = written->is_string();
    } else if (setting != info.parameters.end()) {
      place.pointer = place_of_setting(scenario, info.parameters, setting->name);
      place.text = setting->type == "string";
    } else {
      continue;
    }
    places.push_back(std::move(place));
  }
  return places;
}

}  // namespace aftershock::sim::advise
