#include "sim/scenario/read/read.h"

#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/recording/open_file.h"
#include "sim/scenario/keys/keys.h"
#include "sim/scenario/read/check_mistakes.h"
#include "sim/scenario/read/compose.h"
#include "sim/scenario/read/installed.h"
#include "sim/scenario/read/sections.h"
#include "sim/scenario/shape/check.h"
#include "sim/scenario/shape/fields.h"
#include "sim/scenario/text/error_list.h"

namespace aftershock::sim::scenario {
namespace {

constexpr const char* kStandardInput = "-";

/// Sums of accelerator time over the run must stay within 64 bits.
void check_accelerator_time(const LocatedValue& until, const Scenario& scenario,
                            ErrorList& errors) {
  std::int64_t accelerators = 0;
  for (const PoolSpec& pool : scenario.cluster.pools) {
    accelerators += std::int64_t{pool.max_nodes} * pool.accelerators_per_node;
  }
  const std::int64_t longest_us = std::numeric_limits<std::int64_t>::max() / accelerators;
  if (*scenario.until_us <= longest_us) return;
  errors.add(until,
             {fmt::format("{} accelerators for {} are more accelerator time than 64 bits hold",
                          accelerators, format_duration(*scenario.until_us)),
              fmt::format("at most \"{}d\"", longest_us / 86'400'000'000),
              {}});
}

/// A local path on several nodes is a fault of its own, of the first checkpoint: the workers look
/// for a marker that only the driver's node has (ray.md 1.8).
void add_unshared_storage(Scenario& scenario) {
  for (std::uint32_t i = 0; i < scenario.jobs.size(); ++i) {
    const JobSpec& job = scenario.jobs[i];
    const bool local =
        job.run.storage && scenario.cluster.storage[*job.run.storage].kind == StorageKind::kLocal;
    const std::uint32_t per_node = scenario.cluster.pools[job.pool].accelerators_per_node;
    if (!local || job.workers <= per_node || scenario.faults.size() >= keys::kMostThings) continue;
    FaultSpec fault;
    fault.id = fmt::format("local_storage-{}", job.name);
    fault.target.kind = TargetKind::kJob;
    fault.target.job = i;
    fault.target.pool = job.pool;
    fault.target.text = fmt::format("job:{}", job.name);
    FaultEffect effect;
    effect.kind = FaultKind::kUnsharedStorage;
    effect.label = "a local path on several nodes";
    fault.effects.push_back({std::move(effect), 1});
    fault.at_us = job.submit_us;
    scenario.faults.push_back(std::move(fault));
  }
}

Scenario read_root(const LocatedValue& root, const ReadOptions& options, ErrorList& errors) {
  const Fields fields(keys::scenario(), root);
  Scenario scenario;
  scenario.name = fields.text("name");
  scenario.question = fields.text("question");
  const LocatedValue& seed = fields.value("seed");
  const auto* large = seed.get_if<std::uint64_t>();
  scenario.seed = large != nullptr ? *large : static_cast<std::uint64_t>(fields.integer("seed"));
  if (fields.has("start")) scenario.start = fields.text("start");
  scenario.until_us = fields.optional_duration("until");
  for (const LocatedValue& tag : fields.list("tags")) {
    scenario.tags.push_back(std::get<std::string>(tag.data));
  }
  read_cluster(*fields.written("cluster"), scenario.cluster, errors);
  if (errors.empty() && scenario.until_us) {
    check_accelerator_time(*fields.written("until"), scenario, errors);
  }
  // The rest refers to the cluster, so what is wrong with that would be told many times over.
  if (!errors.empty()) return scenario;
  scenario.policies = options.policies != nullptr
                          ? options.policies
                          : find_installed(root, options.installed.get(), errors);
  if (!errors.empty()) return scenario;
  if (const auto* jobs = fields.written("jobs")) read_jobs(*jobs, scenario, errors);
  if (const auto* experiments = fields.written("experiments")) {
    read_experiments(*experiments, scenario, errors);
  }
  if (!errors.empty()) return scenario;
  read_faults(fields.value("faults"), scenario, errors);
  add_unshared_storage(scenario);
  read_expectations(fields.value("expect"), scenario, errors);
  scenario.resolved = to_ordered_json(root);
  return scenario;
}

ReadResult read(Sources& sources, std::uint32_t main, const ReadOptions& options) {
  auto composed = compose(sources, main, options);
  if (auto* error = std::get_if<ScenarioError>(&composed)) return std::vector{std::move(*error)};
  const auto& root = std::get<LocatedValue>(composed);
  ErrorList errors(sources, root);
  check_object(keys::scenario(), root, errors);
  if (!errors.empty()) return errors.take_errors();
  errors.form_is_checked();
  ReadScenario read{read_root(root, options, errors), {}, {}};
  const Fields fields(keys::scenario(), root);
  read_check(fields.value("check"), read.scenario, read.check, errors);
  if (!errors.empty()) return errors.take_errors();
  check_mistakes(root, read.scenario, options.policy.has_value(), errors);
  if (!errors.empty()) return errors.take_errors();
  read.warnings = errors.take_warnings();
  return read;
}

/// Of a pipe the bytes are there once: they are kept for whoever reads the scenario again.
const std::variant<std::string, reports::FileProblem>& standard_input() {
  static const auto kText = reports::read_text("/dev/stdin");
  return kText;
}

ScenarioError unreadable(const std::filesystem::path& path, const reports::FileProblem& problem) {
  ScenarioError error;
  error.kind = ErrorKind::kFile;
  error.file = path.string();
  error.message = problem.message;
  return error;
}

}  // namespace

std::string file_title(const std::filesystem::path& path) {
  return path == kStandardInput ? "standard input" : path.string();
}

ReadResult read_scenario_file(const std::filesystem::path& path, const ReadOptions& options) {
  auto text = path == kStandardInput ? standard_input() : reports::read_text(path);
  if (const auto* problem = std::get_if<reports::FileProblem>(&text)) {
    return std::vector{unreadable(file_title(path), *problem)};
  }
  Sources sources;
  const auto main = sources.add({file_title(path), std::move(std::get<std::string>(text)), true});
  return read(sources, main, options);
}

ReadResult read_scenario_text(std::string_view text, const std::string& name,
                              const ReadOptions& options) {
  Sources sources;
  const auto main = sources.add({name, std::string(text), true});
  return read(sources, main, options);
}

}  // namespace aftershock::sim::scenario
