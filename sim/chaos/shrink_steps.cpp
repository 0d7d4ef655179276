#include "sim/chaos/shrink_steps.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/scenario/text/units.h"

namespace aftershock::sim::chaos {
namespace {

using Json = nlohmann::ordered_json;
using Pointer = Json::json_pointer;

void collect_keys(const Json& value, const Pointer& at, std::vector<Pointer>& keys) {
  if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      collect_keys(value[i], at / i, keys);
    }
    return;
  }
  if (!value.is_object()) {
    return;
  }
  for (const auto& [key, member] : value.items()) {
    keys.push_back(at / key);
    collect_keys(member, at / key, keys);
  }
}

/// The whole number at the end of a text, behind `before`.
std::optional<std::uint32_t> number_behind(std::string_view text, std::string_view before) {
  if (!text.starts_with(before)) {
    return std::nullopt;
  }
  std::uint32_t number = 0;
  const std::string_view digits = text.substr(before.size());
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return read.ec == std::errc{} && read.ptr == digits.data() + digits.size() ? std::optional(number)
                                                                             : std::nullopt;
}

/// Numbers that faults name behind `before`, each at its place among them.
std::map<std::uint32_t, std::uint32_t> places_of(const Json& faults, const std::string& before) {
  std::set<std::uint32_t> named;
  for (const Json& fault : faults) {
    if (const auto number = number_behind(fault.value("target", ""), before)) {
      named.insert(*number);
    }
  }
  std::map<std::uint32_t, std::uint32_t> places;
  for (const std::uint32_t number : named) {
    const auto place = static_cast<std::uint32_t>(places.size());
    places.emplace(number, place);
  }
  return places;
}

void move_targets(Json& faults, const std::string& before,
                  const std::map<std::uint32_t, std::uint32_t>& places) {
  for (Json& fault : faults) {
    if (const auto number = number_behind(fault.value("target", ""), before)) {
      fault["target"] = fmt::format("{}{}", before, places.at(*number));
    }
  }
}

bool in_pool(const Json& job, const Json& pools, const Json& pool) {
  return pools.size() == 1 || job.value("pool", "") == pool.value("name", "");
}

Json with_nodes(const Json& scenario, std::size_t index, std::uint32_t nodes) {
  Json candidate = scenario;
  Json& pools = candidate["cluster"]["pools"];
  Json& pool = pools[index];
  const std::uint32_t per_node =
      pool.value("/accelerators/per_node"_json_pointer, std::uint32_t{8});
  pool["nodes"] = nodes;
  if (pool.value("racks", std::uint32_t{1}) > nodes) {
    pool["racks"] = nodes;
  }
  Json& faults = candidate["faults"];
  const std::string node = "node:" + pool.value("name", "") + "-";
  move_targets(faults, node, places_of(faults, node));
  for (Json& job : candidate["jobs"]) {
    const auto workers = job.value("workers", std::uint32_t{1});
    if (!in_pool(job, pools, pool) || workers <= nodes * per_node) {
      continue;
    }
    job["workers"] = nodes * per_node;
    const std::string rank = "job:" + job.value("name", "") + "/rank:";
    move_targets(faults, rank, places_of(faults, rank));
  }
  return candidate;
}

}  // namespace

Pointer pointer_to(const std::vector<std::string>& path) {
  Pointer pointer;
  for (const std::string& part : path) {
    pointer /= part;
  }
  return pointer;
}

std::vector<Pointer> optional_keys(const Json& scenario) {
  std::vector<Pointer> keys;
  collect_keys(scenario, Pointer(), keys);
  std::erase_if(keys, [](const Pointer& key) {
    constexpr std::array<std::string_view, 6> kKept{"/$schema", "/schema", "/name",
                                                    "/seed",    "/jobs",   "/faults"};
    const std::string text = key.to_string();
    return std::ranges::find(kKept, text) != kKept.end() || text.starts_with("/expect") ||
           text.find("/policy") != std::string::npos;
  });
  return keys;
}

std::vector<Json> fewer_nodes(const Json& scenario) {
  std::vector<Json> candidates;
  const Pointer at = pointer_to({"cluster", "pools"});
  if (!scenario.contains(at) || !scenario.contains("faults") || !scenario.contains("jobs")) {
    return candidates;
  }
  for (std::size_t index = 0; index < scenario.at(at).size(); ++index) {
    const auto nodes = scenario.at(at)[index].value("nodes", std::uint32_t{1});
    std::set<std::uint32_t> tried;
    for (const std::uint32_t fewer : {1U, 2U, 3U, 4U, nodes / 4, nodes / 2, nodes - 1}) {
      if (fewer > 0 && fewer < nodes && tried.insert(fewer).second) {
        candidates.push_back(with_nodes(scenario, index, fewer));
      }
    }
  }
  return candidates;
}

std::vector<Json> fewer_steps(const Json& scenario) {
  std::vector<Json> candidates;
  const Json jobs = scenario.value("jobs", Json::array());
  for (std::size_t index = 0; index < jobs.size(); ++index) {
    const auto steps = jobs[index].value("steps", std::int64_t{0});
    std::set<std::int64_t> tried;
    for (const std::int64_t fewer : {std::int64_t{1}, steps / 8, steps / 2, steps * 9 / 10}) {
      if (fewer > 0 && fewer < steps && tried.insert(fewer).second) {
        Json candidate = scenario;
        candidate["jobs"][index]["steps"] = fewer;
        candidates.push_back(std::move(candidate));
      }
    }
  }
  return candidates;
}

std::vector<Json> rounder_times(const Json& scenario) {
  constexpr std::array<std::pair<std::int64_t, std::string_view>, 4> kUnits{
      {{3'600'000'000, "h"}, {60'000'000, "min"}, {1'000'000, "s"}, {1'000, "ms"}}};
  std::vector<Json> candidates;
  const Json faults = scenario.value("faults", Json::array());
  for (std::size_t index = 0; index < faults.size(); ++index) {
    for (const Pointer& key : {pointer_to({"at"}), pointer_to({"when", "offset"})}) {
      const std::string text = faults[index].value(key, std::string());
      const auto parsed = scenario::parse_duration(text);
      const auto* us = std::get_if<std::int64_t>(&parsed);
      if (us == nullptr) {
        continue;
      }
      for (const auto& [unit_us, unit] : kUnits) {
        const std::string round = fmt::format("{}{}", *us / unit_us, unit);
        if (round == text) {
          break;  // rounder than what is still to come
        }
        Json candidate = scenario;
        candidate["faults"][index][key] = round;
        candidates.push_back(std::move(candidate));
      }
    }
  }
  return candidates;
}

}  // namespace aftershock::sim::chaos
