#include "sim/import/import_text.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "reports/render/format.h"

namespace aftershock::sim::imports {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kHourUs = 3.6e9;

std::string figures_text(const Imported& imported) {
  const TraceFigures& f = imported.figures;
  std::string out;
  for (const auto& [what, count] : imported.trace->counts) {
    out += fmt::format("{}{} {}", out.empty() ? "  rows: " : ", ", count, what);
  }
  out += fmt::format("; {} nodes of {} named\n", f.nodes_named, f.nodes);
  out += fmt::format("  {} outages, {} once overlaps on a node are merged\n", f.faults, f.outages);
  if (f.repaired > 0) {
    out += fmt::format("  hours away: mean {:.1f}, median {:.2f}, {:.1f} % longer than a day\n",
                       f.repair_mean_us / kHourUs, f.repair_median_us / kHourUs,
                       f.longer_than_day * 100);
  }
  out += fmt::format("  unavailability {:.2f} % of {} over {}; down at once: mean {:.2f}, p99 {}\n",
                     f.unavailability * 100, f.nodes, reports::format_duration(f.observed_us),
                     f.down_mean, f.down_p99);
  out += fmt::format("  nodes up: mean {:.1f}, at most {}, in {:.2f} h\n", f.up_mean, f.up_most,
                     static_cast<double>(f.until_last_us) / kHourUs);
  return out;
}

}  // namespace

std::string lines_text(const std::vector<std::uint64_t>& lines) {
  constexpr std::size_t kShown = 8;
  std::string text = lines.size() == 1 ? "line " : "lines ";
  for (std::size_t i = 0; i < std::min(kShown, lines.size()); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", lines[i]);
  }
  return text + (lines.size() > kShown ? ", ..." : "");
}

std::string import_text(const Imported& imported, const std::string& path) {
  const ScriptedFaults& faults = imported.faults;
  std::string out = fmt::format("{}: {}\n", reports::printable(path, true), imported.format);
  if (imported.trace) {
    out += figures_text(imported);
  }
  out += fmt::format("  {} scripted fault{}", faults.faults.size(),
                     faults.faults.size() == 1 ? "" : "s");
  out += faults.merged == 0 ? "\n" : fmt::format(", {} merged into others\n", faults.merged);
  if (!imported.sites.names.empty()) {
    out += fmt::format("  machines, {}: {}\n", how_known(imported.sites),
                       reports::printable(sites_text(imported.sites), true));
  }
  if (!imported.sites.unused.empty()) {
    const std::size_t count = imported.sites.unused.size();
    out += fmt::format("  {} machine{} of {} not in it: {}\n", count, count == 1 ? "" : "s",
                       reports::printable(imported.sites.by, true),
                       reports::printable(first_of(imported.sites.unused), true));
  }
  for (const Dropped& dropped : faults.dropped) {
    out += fmt::format("  {} row{}: {} ({})\n", dropped.lines.size(),
                       dropped.lines.size() == 1 ? "" : "s", reports::printable(dropped.why, true),
                       lines_text(dropped.lines));
  }
  const auto ids = [](const std::vector<std::string>& of) {
    return reports::printable(fmt::format("{}", fmt::join(of, ", ")), true);
  };
  if (!imported.random_off.empty()) {
    out += fmt::format("  taken out, as they are random: {} (--keep-random keeps them)\n",
                       ids(imported.random_off));
  }
  if (!imported.random_kept.empty()) {
    out += fmt::format("  kept beside them, by --keep-random: {}\n", ids(imported.random_kept));
  }
  return out;
}

Json import_json(const Imported& imported, const std::string& path) {
  Json json = {{"schema", 1}, {"file", path}, {"format", imported.format}};
  if (imported.trace) {
    const TraceFigures& f = imported.figures;
    for (const auto& [what, count] : imported.trace->counts) {
      json["rows"][what] = count;
    }
    json["faults"] = f.faults;
    json["outages"] = f.outages;
    json["nodes"] = f.nodes;
    json["nodes_named"] = f.nodes_named;
    json["repair_h"] = {{"mean", f.repair_mean_us / kHourUs},
                        {"median", f.repair_median_us / kHourUs},
                        {"longer_than_day", f.longer_than_day}};
    json["unavailability"] = f.unavailability;
    json["observed_us"] = f.observed_us;
    json["down"] = {{"mean", f.down_mean}, {"p99", f.down_p99}};
    json["up"] = {{"mean", f.up_mean}, {"most", f.up_most}, {"until_us", f.until_last_us}};
  }
  json["scripted"] = imported.faults.faults.size();
  json["merged"] = imported.faults.merged;
  json["random_off"] = imported.random_off;
  json["random_kept"] = imported.random_kept;
  if (!imported.sites.names.empty()) {
    Json nodes = Json::object();
    for (const std::string& name : imported.sites.names) {
      nodes[name] = imported.sites.node_of.find(name)->second;
    }
    json["machines"] = {
        {"by", imported.sites.by}, {"nodes", std::move(nodes)}, {"unused", imported.sites.unused}};
  }
  json["dropped"] = Json::array();
  for (const Dropped& dropped : imported.faults.dropped) {
    json["dropped"].push_back({{"why", dropped.why}, {"lines", dropped.lines}});
  }
  return json;
}

}  // namespace aftershock::sim::imports
