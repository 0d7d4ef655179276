#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "sim/import/rows.h"
#include "sim/import/site_names.h"
#include "sim/scenario/faults/target.h"
#include "sim/scenario/text/lookup.h"
#include "sim/scenario/text/node_names.h"
#include "sim/scenario/text/numerals.h"

namespace aftershock::sim::imports {

namespace {

bool is_title(std::string_view cell) {
  std::string word;
  for (const char c : cell) {
    word +=
        c == '_' || c == '-' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  constexpr std::array<std::string_view, 6> kTitles{"node",      "name",          "index",
                                                    "node name", "scenario node", "node index"};
  return std::ranges::find(kTitles, word) != kTitles.end();
}

class SiteNamesReader {
 public:
  SiteNamesReader(const std::string& file, const scenario::Scenario& scenario,
                  const std::string& pool)
      : file_(file), scenario_(scenario) {
    const auto& pools = scenario.cluster.pools;
    if (const auto index = scenario::index_by_name(pools, pool)) {
      pool_ = &pools[*index];
    } else if (pool.empty() && pools.size() == 1) {
      pool_ = &pools.front();
    }
  }

  bool take(const Row& row) {
    const bool first = !std::exchange(begun_, true);
    if (row.cells.size() != 2) {
      wrong(error_at(file_, row,
                     fmt::format("{} column{}", row.cells.size(), row.cells.size() == 1 ? "" : "s"),
                     "two: the site's name and the node"));
    } else if (!first || !is_title(row.cells[1].text)) {
      read_row(row);
    }
    constexpr std::size_t kMostErrors = 20;
    return errors_.size() < kMostErrors;
  }

  SiteNamesResult finish() {
    if (sites_.names.empty() && errors_.empty()) {
      scenario::ScenarioError error;
      error.file = file_;
      error.message = "names no machine";
      error.expected = "rows such as cn-17,gpu-0";
      errors_.push_back(std::move(error));
    }
    if (!errors_.empty()) {
      return std::move(errors_);
    }
    sites_.by = file_;
    return std::move(sites_);
  }

 private:
  void wrong(scenario::ScenarioError error) { errors_.push_back(std::move(error)); }

  /// The node's name in the scenario.
  std::variant<std::string, scenario::TextProblem> node_in(const std::string& text) const {
    const auto index = scenario::parse_index(text);
    if (!index) {
      auto target = scenario::resolve_target(scenario_, "node:" + text);
      if (auto* problem = std::get_if<scenario::TextProblem>(&target)) {
        problem->nearest.erase(0, problem->nearest.find(':') + 1);
        return std::move(*problem);
      }
      return text;
    }
    if (pool_ == nullptr) {
      return scenario::TextProblem{
          fmt::format("{} is a number, and the scenario has several pools", text),
          "the node's name, or --pool",
          {}};
    }
    if (*index >= pool_->max_nodes) {
      return scenario::TextProblem{
          fmt::format("pool {} has no node {}", scenario::in_quotes(pool_->name), text),
          fmt::format("at most {}", pool_->max_nodes - 1),
          {}};
    }
    return scenario::node_name(*pool_, *index);
  }

  void read_row(const Row& row) {
    const Cell& site = row.cells[0];
    if (site.text.empty() || site.text.size() > kLongestMachineName) {
      wrong(error_at(file_, row, site,
                     {site.text.empty() ? "names no machine" : "the name is too long",
                      fmt::format("a name of at most {} bytes", kLongestMachineName),
                      {}}));
      return;
    }
    auto node = node_in(row.cells[1].text);
    if (auto* problem = std::get_if<scenario::TextProblem>(&node)) {
      wrong(error_at(file_, row, row.cells[1], std::move(*problem)));
      return;
    }
    const std::string& name = std::get<std::string>(node);
    if (sites_.node_of.contains(site.text)) {
      wrong(error_at(file_, row, site,
                     {fmt::format("{} is {} already", scenario::in_quotes(site.text),
                                  sites_.node_of.find(site.text)->second),
                      "each machine once",
                      {}}));
      return;
    }
    const auto [before, is_new] = site_of_.try_emplace(name, site.text);
    if (!is_new) {
      wrong(error_at(file_, row, row.cells[1],
                     {fmt::format("{} is {} already", name, scenario::in_quotes(before->second)),
                      "each node once",
                      {}}));
      return;
    }
    sites_.names.push_back(site.text);
    sites_.node_of.emplace(site.text, name);
  }

  const std::string& file_;
  const scenario::Scenario& scenario_;
  const scenario::PoolSpec* pool_ = nullptr;
  bool begun_ = false;
  SiteNames sites_;
  std::map<std::string, std::string> site_of_;  ///< by node
  std::vector<scenario::ScenarioError> errors_;
};

}  // namespace

SiteNamesResult read_site_names(const std::string& text, const std::string& file,
                                const scenario::Scenario& scenario, const std::string& pool) {
  SiteNamesReader reader(file, scenario, pool);
  auto broken = for_rows(text, file, [&](const Row& row) { return reader.take(row); });
  if (broken) {
    return std::vector{std::move(*broken)};
  }
  return reader.finish();
}

}  // namespace aftershock::sim::imports
