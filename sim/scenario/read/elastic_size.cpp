#include "sim/scenario/read/elastic_size.h"

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "policies/registry.h"

namespace aftershock::sim::scenario {
namespace {

/// The least and the most workers of a job, one an accelerator.
struct Size {
  std::int64_t least = 0;
  std::int64_t most = 0;
};

std::int64_t whole(const nlohmann::json& value) {
  return value.is_number_integer() ? value.get<std::int64_t>() : 0;
}

std::optional<Size> size_of(std::int64_t least, std::int64_t most, std::int64_t each) {
  constexpr std::int64_t kMost = 1 << 30;
  return least < 1 || most <= least || most > kMost || each < 1 || each > kMost
             ? std::nullopt
             : std::optional(Size{least * each, most * each});
}

/// "2:4", of nodes.
std::optional<Size> nodes_told(const nlohmann::json& told, std::int64_t per_node) {
  if (!told.is_string()) {
    return std::nullopt;
  }
  const auto& text = told.get_ref<const std::string&>();
  const char* end = text.data() + text.size();
  Size nodes;
  const auto least = std::from_chars(text.data(), end, nodes.least);
  if (least.ec != std::errc{} || least.ptr == end || *least.ptr != ':') {
    return std::nullopt;
  }
  const auto most = std::from_chars(least.ptr + 1, end, nodes.most);
  return most.ec == std::errc{} && most.ptr == end ? size_of(nodes.least, nodes.most, per_node)
                                                   : std::nullopt;
}

/// The range that settings say; none where they leave the size to the job, or say one alone.
std::optional<Size> told_size(std::string_view policy, const nlohmann::json& config,
                              std::int64_t per_node) {
  const std::string setting(elastic_setting(policy));
  if (setting.empty() || !config.is_object() || !config.contains(setting)) {
    return std::nullopt;
  }
  const nlohmann::json& told = config.at(setting);
  if (policy == "torchrun") {
    const std::int64_t own =
        config.contains("nproc_per_node") ? whole(config["nproc_per_node"]) : 0;
    return nodes_told(told, own > 0 ? own : per_node);
  }
  if (policy == "kubeflow") {
    return told.is_object() && told.contains("minReplicas") && told.contains("maxReplicas")
               ? size_of(whole(told["minReplicas"]), whole(told["maxReplicas"]), per_node)
               : std::nullopt;
  }
  return told.is_array() && told.size() == 2 ? size_of(whole(told[0]), whole(told[1]), 1)
                                             : std::nullopt;
}

/// The accelerators of a node of the job's pool; 0: the scenario does not say.
std::int64_t accelerators_per_node(const nlohmann::json& root, const nlohmann::json& job) {
  const nlohmann::json::json_pointer place("/cluster/pools");
  if (!root.contains(place) || !root.at(place).is_array()) {
    return 0;
  }
  const nlohmann::json::json_pointer per_node("/accelerators/per_node");
  for (const nlohmann::json& pool : root.at(place)) {
    const bool own = !job.contains("pool") || (pool.is_object() && pool.contains("name") &&
                                               pool.at("name") == job.at("pool"));
    if (own && pool.is_object() && pool.contains(per_node)) {
      return whole(pool.at(per_node));
    }
  }
  return 0;
}

void give(nlohmann::json& config, std::string_view policy, const Size& size,
          std::int64_t per_node) {
  const std::string setting(elastic_setting(policy));
  if (policy == "ray_train") {
    config[setting] = nlohmann::json::array({size.least, size.most});
    return;
  }
  const std::int64_t least = (size.least + per_node - 1) / per_node;
  const std::int64_t most = size.most / per_node;
  if (most > least) {
    config[setting] = policy == "torchrun"
                          ? nlohmann::json(fmt::format("{}:{}", least, most))
                          : nlohmann::json({{"minReplicas", least}, {"maxReplicas", most}});
  }
}

}  // namespace

std::string_view elastic_setting(std::string_view policy) {
  return policy == "ray_train"  ? "num_workers"
         : policy == "torchrun" ? "nnodes"
         : policy == "kubeflow" ? "elasticPolicy"
                                : "";
}

void keep_elastic_size(const LocatedValue& root, const LocatedValue& job, const PolicySpec& policy,
                       nlohmann::json& config) {
  const LocatedValue* own = job.find("policy");
  const LocatedValue* name = own == nullptr ? nullptr : own->find("name");
  const LocatedValue* settings = own == nullptr ? nullptr : own->find("config");
  const LocatedValue* cluster = root.find("cluster");
  const auto* text = name == nullptr ? nullptr : name->get_if<std::string>();
  const std::string setting(elastic_setting(policy.name));
  if (text == nullptr || *text == policy.name || settings == nullptr || cluster == nullptr ||
      setting.empty() || config.contains(setting)) {
    return;
  }
  const std::int64_t per_node =
      accelerators_per_node({{"cluster", to_json(*cluster)}}, to_json(job));
  if (per_node < 1) {
    return;
  }
  const auto size = told_size(*text, to_json(*settings), per_node);
  if (!size) {
    return;
  }
  nlohmann::json elastic = config;
  give(elastic, policy.name, *size, per_node);
  // A version may know fixed sizes alone.
  policies::PolicyRequest request;
  request.name = policy.name;
  request.profile = policy.profile == policies::kInstalledProfile ? "" : policy.profile;
  request.config = elastic;
  const auto made = policies::make_policy(request);
  if (std::holds_alternative<policies::ConfiguredPolicy>(made)) {
    config = std::move(elastic);
  }
}

}  // namespace aftershock::sim::scenario
