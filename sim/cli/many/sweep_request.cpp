#include "sim/cli/many/sweep_request.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "sim/cli/command.h"
#include "sim/cli/many_runs.h"
#include "sim/scenario/expression/parse_expression.h"
#include "sim/scenario/expression/run_metric.h"
#include "sim/scenario/expression/summary_places.h"
#include "sim/scenario/read/read.h"
#include "sim/sweep/run_values.h"
#include "sim/sweep/where.h"

namespace aftershock::sim::cli {
namespace {

constexpr std::uint32_t kUsualRuns = 100;
constexpr std::uint32_t kUsualRunsUntil = 100'000;

std::optional<std::vector<sweep::Point>> points_of(const SweepArguments& arguments) {
  std::vector<sweep::Dimension> dimensions;
  for (const std::string& text : arguments.vary) {
    auto dimension = sweep::parse_dimension(text);
    if (const auto* error = std::get_if<std::string>(&dimension)) {
      complain(fmt::format("--vary: {}", *error));
      return std::nullopt;
    }
    dimensions.push_back(std::get<sweep::Dimension>(std::move(dimension)));
  }
  auto points = sweep::combine(dimensions);
  if (const auto* error = std::get_if<std::string>(&points)) {
    complain(fmt::format("--vary: {}", *error));
    return std::nullopt;
  }
  if (!arguments.where.empty()) {
    if (arguments.vary.empty()) {
      complain("--where: goes with --vary, whose cells it selects");
      return std::nullopt;
    }
    auto kept = sweep::points_where(std::get<0>(points), arguments.where);
    if (const auto* error = std::get_if<std::string>(&kept)) {
      complain(*error);
      return std::nullopt;
    }
    return std::get<0>(std::move(kept));
  }
  return std::get<0>(std::move(points));
}

/// Every base with every point.
std::vector<sweep::Point> all_of(const std::vector<sweep::Point>& bases,
                                 const std::vector<sweep::Point>& varied) {
  std::vector<sweep::Point> points;
  for (const sweep::Point& base : bases) {
    for (const sweep::Point& more : varied) {
      points.push_back(base);
      points.back().insert(points.back().end(), more.begin(), more.end());
    }
  }
  return points;
}

std::optional<sweep::Shard> shard_of(const std::string& text) {
  sweep::Shard shard;
  if (text.empty()) {
    return shard;
  }
  const char* end = text.data() + text.size();
  const auto [slash, problem] = std::from_chars(text.data(), end, shard.shard);
  const auto [stopped, second] = slash == end
                                     ? std::from_chars_result{end, std::errc::invalid_argument}
                                     : std::from_chars(slash + 1, end, shard.shards);
  if (problem != std::errc{} || second != std::errc{} || *slash != '/' || stopped != end ||
      shard.shard < 1 || shard.shard > shard.shards) {
    complain(fmt::format("--shard {}: expected K/N with 1 <= K <= N, such as 1/3",
                         scenario::in_quotes(text)));
    return std::nullopt;
  }
  return shard;
}

bool read_until(const SweepArguments& arguments, SweepRequest& request) {
  if (arguments.until.empty()) {
    return true;
  }
  auto parsed = sweep::parse_many_runs(arguments.until, request.plan, false);
  if (const auto* problem = std::get_if<scenario::ExpressionProblem>(&parsed)) {
    complain(scenario::format(scenario::argument_error("--until", arguments.until, *problem)));
    return false;
  }
  if (!arguments.shard.empty()) {
    complain(
        "--until: needs all runs, and a --shard does not see those of the others; "
        "expected --runs");
    return false;
  }
  request.until = std::get<scenario::Expression>(std::move(parsed));
  return true;
}

scenario::TextProblem not_a_pointer() {
  scenario::TextProblem problem;
  problem.message = "is not a JSON Pointer";
  problem.expected = "a place of the summary such as /jobs/0/attempts";
  return problem;
}

/// The error in the place of a column: no run of any cell has a number there.
std::optional<scenario::TextProblem> check_column(const std::string& pointer,
                                                  const sweep::Plan& plan) {
  if (!pointer.starts_with('/')) {
    return not_a_pointer();
  }
  if (auto problem = scenario::check_summary_place(pointer)) {
    return problem;
  }
  std::optional<scenario::TextProblem> first;
  for (const sweep::PlannedCell& cell : plan.cells) {
    const scenario::Scenario scenario = sweep::scenario_of(cell);
    auto problem = scenario::check_part_of(pointer, scenario);
    problem = problem ? problem : scenario::check_number(pointer, scenario);
    if (!problem) {
      return std::nullopt;
    }
    first = first ? first : problem;
  }
  return first;
}

/// Pointers that columns were asked for, and those that the stop rule needs.
bool add_pointers(const SweepArguments& arguments, SweepRequest& request) {
  std::vector<std::string>& pointers = request.plan.pointers;
  const auto add = [&pointers](const std::string& pointer) {
    if (std::ranges::find(pointers, pointer) == pointers.end()) {
      pointers.push_back(pointer);
    }
  };
  for (const std::string& pointer : arguments.metrics) {
    if (const auto problem = check_column(pointer, request.plan)) {
      complain(fmt::format("--metric {}: {}{}{}", scenario::in_quotes(pointer), problem->message,
                           problem->expected.empty() ? "" : "; expected ", problem->expected));
      return false;
    }
    add(pointer);
  }
  if (request.until) {
    std::ranges::for_each(sweep::pointers_in(*request.until), add);
  }
  return true;
}

}  // namespace

std::optional<SweepRequest> understood(const SweepArguments& arguments,
                                       const std::vector<sweep::Point>& bases) {
  ScenarioOptions scenario = arguments.scenario;
  scenario.names_installed |= std::ranges::any_of(
      arguments.vary, [](const std::string& vary) { return vary.find("@installed") != vary.npos; });
  const auto options = read_options(scenario);
  const auto varied = options ? points_of(arguments) : std::nullopt;
  const auto points = varied ? std::optional(all_of(bases, *varied)) : std::nullopt;
  SweepRequest request;
  auto plan = points ? planned(arguments.path, *options, *points) : std::nullopt;
  if (!plan) {
    return std::nullopt;
  }
  request.plan = *std::move(plan);
  if (!read_until(arguments, request)) {
    return std::nullopt;
  }
  const std::string runs = !arguments.runs.empty() ? arguments.runs
                           : request.until         ? std::to_string(kUsualRunsUntil)
                                                   : std::to_string(kUsualRuns);
  const auto replicas = whole_number("--runs", runs, 1, sweep::kMostReplicas);
  // An MPI launcher starts a rank for each processor.
  const std::uint32_t usual_workers = started_by_mpi() ? 1 : processors();
  const auto workers = whole_number(
      "--jobs", arguments.jobs.empty() ? std::to_string(usual_workers) : arguments.jobs, 1,
      kMostWorkers);
  const auto shard = shard_of(arguments.shard);
  if (!replicas || !workers || !shard) {
    return std::nullopt;
  }
  if (!arguments.keep.empty()) {
    auto keep = sweep::parse_keep(arguments.keep);
    if (const auto* error = std::get_if<std::string>(&keep)) {
      complain(fmt::format("--keep {}: {}", scenario::in_quotes(arguments.keep), *error));
      return std::nullopt;
    }
    request.keep = std::get<sweep::Keep>(std::move(keep));
  }
  request.plan.replicas = static_cast<std::uint32_t>(*replicas);
  request.workers = static_cast<std::uint32_t>(*workers);
  request.shard = *shard;
  constexpr std::uint64_t kMostSeed = std::uint64_t{1} << 62U;
  if (request.plan.first_seed > kMostSeed) {
    complain(fmt::format("the seed {} is too great for a sweep; expected at most {}",
                         request.plan.first_seed, kMostSeed));
    return std::nullopt;
  }
  return add_pointers(arguments, request) ? std::optional(std::move(request)) : std::nullopt;
}

}  // namespace aftershock::sim::cli
