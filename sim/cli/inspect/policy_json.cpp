#include "sim/cli/inspect/policy_json.h"

#include <string>

#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"

namespace aftershock::sim::cli {
namespace {

using Json = nlohmann::ordered_json;

Json parameters_json(const policies::PolicyInfo& info) {
  Json list = Json::array();
  for (const policies::Parameter& each : info.parameters) {
    list.push_back({{"name", each.name},
                    {"type", each.type},
                    {"unit", each.unit},
                    {"default", each.default_text},
                    {"env", each.env},
                    {"meaning", each.meaning}});
  }
  return list;
}

Json presets_json(const policies::PolicyEntry& entry) {
  Json list = Json::array();
  for (const policies::Preset& each : entry.presets) {
    list.push_back({{"name", each.name},
                    {"config", policies::json_from_text<Json>(each.config)},
                    {"what", each.what},
                    {"source", each.source}});
  }
  return list;
}

}  // namespace

Json policy_json(const policies::PolicyInfo& info, const policies::PolicyEntry* entry) {
  Json rules = Json::array();
  for (const policies::Rule& each : info.rules) {
    rules.push_back({{"id", each.id}, {"sentence", each.sentence}, {"source", each.source}});
  }
  return {{"name", info.name},
          {"profile", info.profile},
          {"summary", info.summary},
          {"parameters", parameters_json(info)},
          {"presets", entry == nullptr ? Json::array() : presets_json(*entry)},
          {"states", info.states},
          {"budgets", info.budgets},
          {"persists", info.persists},
          {"rules", std::move(rules)}};
}

}  // namespace aftershock::sim::cli
