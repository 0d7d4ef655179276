#include "sim/world/names.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/assert.h"
#include "policies/api/json.h"
#include "sim/scenario/text/node_names.h"

namespace aftershock::sim::world {

namespace {

template <std::size_t... kIndex>
consteval std::array<reports::Word, sizeof...(kIndex)> phase_words(
    std::index_sequence<kIndex...> /*of the phases*/) {
  return {reports::Word(scenario::kPhaseNames[kIndex])...};
}

constexpr auto kPhaseWords = phase_words(std::make_index_sequence<scenario::kPhaseNames.size()>());

constexpr auto kPhaseBuckets = [] {
  std::array<std::optional<reports::Bucket>, scenario::kPhaseNames.size()> buckets{};
  std::ranges::transform(scenario::kPhaseNames, buckets.begin(), reports::bucket_of_span);
  return buckets;
}();

}  // namespace

reports::Word word_of(scenario::Phase phase) {
  return kPhaseWords[static_cast<std::size_t>(phase)];
}

reports::Bucket bucket_of(scenario::Phase phase) {
  const std::optional<reports::Bucket> bucket = kPhaseBuckets[static_cast<std::size_t>(phase)];
  // Phases of the background have none.
  AFTERSHOCK_ASSERT(bucket.has_value());
  return *bucket;
}

std::uint32_t node_number(const scenario::Scenario& scenario, std::uint32_t pool,
                          std::uint32_t index) {
  std::uint32_t number = index;
  for (std::uint32_t i = 0; i < pool; ++i) {
    // By slots and not by machines: a number keeps its node when machines come.
    number += scenario.cluster.pools[i].max_nodes;
  }
  return number;
}

std::string json_text(std::string_view text) {
  std::string out;
  policies::append_json_string(out, text);
  return out;
}

void ScenarioNames::append_name(std::string& out, reports::Entity entity) const {
  const scenario::ClusterSpec& cluster = scenario_.cluster;
  switch (entity.kind) {
    case reports::EntityKind::kRun:
      out += "run";
      return;
    case reports::EntityKind::kHead:
      out.append("head:").append(cluster.heads[entity.index].name);
      return;
    case reports::EntityKind::kPool:
      out.append("pool:").append(cluster.pools[entity.index].name);
      return;
    case reports::EntityKind::kRack:
      out += fmt::format("rack:{}/{}", cluster.pools[entity.index].name, entity.sub);
      return;
    case reports::EntityKind::kNode:
      out.append("node:").append(scenario::node_name(cluster.pools[entity.index], entity.sub));
      return;
    case reports::EntityKind::kAccelerator:
      out.append("accelerator:")
          .append(scenario::node_name(cluster.pools[entity.index], entity.sub));
      return;
    case reports::EntityKind::kJob:
      out.append("job:").append(scenario_.jobs[entity.index].name);
      return;
    case reports::EntityKind::kExperiment:
      out.append("experiment:").append(scenario_.experiments[entity.index].name);
      return;
    case reports::EntityKind::kTrial:
      out += fmt::format("experiment:{}/trial:{}", scenario_.experiments[entity.index].name,
                         entity.sub);
      return;
    case reports::EntityKind::kStorage:
      out.append("storage:").append(cluster.storage[entity.index].name);
      return;
  }
}

}  // namespace aftershock::sim::world
