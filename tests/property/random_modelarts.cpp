#include "tests/property/random_modelarts.h"

#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "tests/property/dice.h"

namespace aftershock::sim {

namespace {

using Json = nlohmann::ordered_json;

Json random_config(Dice& dice) {
  Json config = Json::object();
  if (dice.chance(95)) {
    config["fault-tolerance/job-retry-num"] = std::to_string(dice.between(1, 6));
    config["fault-tolerance/job-unconditional-retry"] = dice.text({"true", "true", "false"});
    config["fault-tolerance/hang-retry"] = dice.text({"true", "false"});
    config["fault-tolerance/pod-retry-num"] = std::to_string(dice.between(1, 3));
    if (dice.chance(30)) {
      config.erase("fault-tolerance/pod-retry-num");
    }
  }
  return config;
}

Json random_device_fault(Dice& dice, const std::string& node) {
  Json fault{{"kind", "accelerator_fault"},
             {"code", dice.text({"hbm_multi_bit_ecc", "hbm_multi_bit_ecc",
                                 "aic_external_input_error", "hbm_64_rows_isolated"})},
             {"target", "accelerator:" + node + "/" + std::to_string(dice.below(2))},
             {"heal", std::to_string(dice.between(1, 40)) + "s"}};
  if (dice.chance(30)) {
    fault["heal_fails"] = 1;
  }
  return fault;
}

Json random_fault_of(Dice& dice) {
  const std::string node =
      dice.text({"npu-0", "npu-1", "npu-1", "npu-1", "npu-2", "npu-3", "npu-spare-0"});
  const std::string rank = "job:llm/rank:" + std::to_string(dice.below(32));
  switch (dice.below(8)) {
    case 0:
    case 1:
      return {{"kind", "node_crash"}, {"target", "node:" + node}};
    case 2:
      return {{"kind", "worker_crash"}, {"how", "exit"}, {"target", rank}};
    case 3:
      return {{"kind", "hang"}, {"target", rank}};
    default:
      return random_device_fault(dice, node);
  }
}

}  // namespace

std::string random_modelarts(std::uint64_t number) {
  Dice dice(number);
  Json job{
      {"name", "llm"},
      {"workers", 32},
      {"steps", 720},
      {"step", "10s"},
      {"checkpoint", {{"every", "10min"}}},
      {"phases",
       {{"launching", "60s"}, {"rendezvous", "30s"}, {"restoring", "20s"}, {"tearing_down", "5s"}}},
      {"collective_timeout", dice.text({"600s", "1836s"})},
      {"script", {{"setup", "120s"}, {"reentrant", dice.chance(85)}}},
      {"volumes", {{"unmount", "20s"}, {"per_pod", "5s"}}},
      {"policy", {{"name", "modelarts"}, {"config", random_config(dice)}}}};
  if (dice.chance(25)) {
    job["env"] = {
        {"MA_FAILOVER_TERMINATION_GRACE_PERIOD_SECONDS", std::to_string(dice.between(1, 60))}};
  }
  Json faults = Json::array();
  std::uint64_t at_s = 0;
  const std::uint64_t count = dice.between(2, 12);
  for (std::uint64_t i = 0; i < count; ++i) {
    // Many come while what came before is being recovered from, some in the same moment.
    at_s += dice.any<std::uint64_t>({0, 1, 5, 5, 10, 15, 20, 30, 60, 120, 230, 600, 1500});
    Json fault = random_fault_of(dice);
    fault["id"] = "fault-" + std::to_string(i);
    fault["at"] = std::to_string(300 + at_s) + "s";
    faults.push_back(std::move(fault));
  }
  const Json scenario{{"schema", 1},
                      {"extends", "four_nodes.json"},
                      {"name", "random"},
                      {"jobs", Json::array({std::move(job)})},
                      {"faults", std::move(faults)},
                      {"expect", Json::array()}};
  return policies::text_from_json(scenario, {.indent = 1});
}

}  // namespace aftershock::sim
