#include "sim/import/to_scenario.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/import/figures.h"
#include "sim/import/moment.h"
#include "sim/scenario/faults/fault_catalogue.h"

namespace aftershock::sim::imports {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint32_t kPerNode = 8;

Json fault_of(const Outage& outage, const std::string& node, std::int64_t shift_us) {
  Json fault;
  fault["id"] = "";  // first, filled in later
  fault["kind"] = scenario::name_of(outage.kind);
  if (!outage.cause.empty()) {
    fault["label"] = outage.cause;
  }
  fault["target"] = "node:" + node;
  const std::int64_t down_us = outage.down_us + shift_us;
  const std::int64_t notice_us = std::min(outage.notice_us.value_or(0), down_us);
  fault["at"] = duration_text(down_us - notice_us);
  if (notice_us > 0) {
    fault["notice"] = duration_text(notice_us);
  }
  if (outage.up_us) {
    fault["lasts"] = duration_text(*outage.up_us - outage.down_us);
  }
  return fault;
}

}  // namespace

ScriptedFaults scripted(const Trace& trace, const PlacingOptions& options) {
  ScriptedFaults result;
  result.dropped = trace.dropped;
  const std::vector<Outage> whole = merged(trace.outages);
  result.merged = trace.outages.size() - whole.size();
  std::map<std::uint64_t, int> of_line;
  for (Outage outage : whole) {
    const std::int64_t at_us = outage.down_us + options.shift_us;
    if (options.until_us && at_us >= *options.until_us) {
      drop(result.dropped,
           fmt::format("begins after the end, {}", duration_text(*options.until_us)), outage.line);
      continue;
    }
    if (at_us < 0) {
      const bool over = outage.up_us && *outage.up_us + options.shift_us <= 0;
      if (over) {
        drop(result.dropped, "is over before the scenario's start", outage.line);
        continue;
      }
      outage.down_us = -options.shift_us;  // it goes on at the start
    }
    const int nth = ++of_line[outage.line];
    Json fault = fault_of(outage, options.node_names[outage.node], options.shift_us);
    fault["id"] = nth == 1 ? fmt::format("{}-{}", options.prefix, outage.line)
                           : fmt::format("{}-{}.{}", options.prefix, outage.line, nth);
    result.faults.push_back(std::move(fault));
    result.origins.push_back({.line = outage.line});
  }
  return result;
}

Json scenario_around(const Trace& trace, const AroundOptions& options) {
  constexpr double kRarely = 0.01;
  const std::uint32_t nodes = nodes_nearly_always_up(trace, options.nodes, kRarely);
  const bool spot = std::ranges::any_of(trace.outages, [](const Outage& outage) {
    return outage.kind == scenario::FaultKind::kPreemption;
  });
  Json scenario;
  scenario["schema"] = 1;
  scenario["name"] = options.name;
  scenario["seed"] = 1;
  scenario["question"] =
      fmt::format("What does a job on {} of {} nodes lose under the faults of {}?", nodes,
                  options.nodes, options.file);
  scenario["notes"] = Json::array(
      {fmt::format("Faults: `aftershock import`, from {} ({}).", options.file, trace.format),
       "All else is a beginning: put your job in its place."});
  if (trace.zero_us) {
    scenario["start"] = date_text(*trace.zero_us);
  }
  scenario["until"] =
      duration_text(trace.until_us.value_or(std::max<std::int64_t>(trace.last_us, 1)));
  scenario["cluster"]["pools"] =
      Json::array({{{"name", "node"},
                    {"nodes", options.nodes},
                    {"accelerators", {{"kind", "gpu"}, {"per_node", kPerNode}}},
                    {"market", spot ? "spot" : "reserved"}}});
  scenario["cluster"]["storage"] =
      Json::array({{{"name", "storage"}, {"read", "200GB/s"}, {"write", "100GB/s"}}});
  Json& job = scenario["jobs"].emplace_back();
  job["name"] = "job";
  job["pool"] = "node";
  job["workers"] = nodes * kPerNode;
  job["step"] = "10s";
  job["checkpoint"] = {{"every", "30min"},
                       {"bytes", "500GB"},
                       {"blocking", "10s"},
                       {"upload", "async"},
                       {"keep", 2}};
  job["phases"] = {{"launching", "1min"}, {"rendezvous", "30s"}, {"warming_up", "1min"}};
  job["policy"] = {{"name", "ray_train"}, {"config", {{"max_failures", -1}}}};
  return scenario;
}

std::string as_name(const std::string& text) {
  std::string name;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    const bool bad = code <= ' ' || code == 0x7f || c == ':' || c == '/' || code >= 0x80;
    name += bad ? '-' : c;
  }
  return name.empty() ? "imported" : name;
}

}  // namespace aftershock::sim::imports
