#include "sim/cli/many/check_request.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sim/check/baseline_file.h"
#include "sim/check/files.h"
#include "sim/cli/command.h"
#include "sim/cli/files.h"
#include "sim/cli/many_runs.h"
#include "sim/cli/recording_file.h"

namespace aftershock::sim::cli {
namespace {

namespace fs = std::filesystem;

/// Files in the order in which their paths sort, folders with all that is below them but the
/// baseline, which may be kept in the tree that it is about.
std::optional<std::vector<fs::path>> files_of(const CheckArguments& arguments) {
  if (!files_alone(
          arguments.paths,
          "a baseline finds a scenario by its path; expected files or folders, or `run -`")) {
    return std::nullopt;
  }
  std::vector<fs::path> files;
  for (const std::string& path : arguments.paths) {
    std::error_code error;
    const auto status = fs::status(path, error);
    if (!fs::exists(status)) {
      complain(fmt::format("{}: {}", path, error ? error.message() : "No such file or directory"));
      return std::nullopt;
    }
    if (!fs::is_directory(status)) {
      files.emplace_back(path);
      continue;
    }
    const auto found = check::scenario_files(path, error);
    if (error) {
      complain(fmt::format("{}: {}", path, error.message()));
      return std::nullopt;
    }
    std::ranges::copy_if(found, std::back_inserter(files), [&](const fs::path& file) {
      std::error_code ignored;
      return arguments.baseline.empty() || !fs::equivalent(file, arguments.baseline, ignored);
    });
  }
  std::ranges::sort(files);
  return files;
}

bool read_old_baseline(const CheckArguments& arguments, CheckRequest& request) {
  if (arguments.update && arguments.baseline.empty()) {
    complain("--update-baseline: goes with --baseline FILE, which it writes");
    return false;
  }
  if (arguments.strict && arguments.baseline.empty()) {
    complain("--strict: goes with --baseline FILE, from which nothing may differ");
    return false;
  }
  if (arguments.baseline.empty() || (arguments.update && !fs::exists(arguments.baseline))) {
    return true;
  }
  if (!fs::exists(arguments.baseline)) {
    complain(
        fmt::format("{}: there is no baseline; --update-baseline writes it", arguments.baseline));
    return false;
  }
  auto read = check::read_baseline_file(arguments.baseline);
  if (auto* baseline = std::get_if<reports::Baseline>(&read)) {
    if (baseline->schema != reports::kBaselineSchema) {
      complain(
          fmt::format("{}: is an old baseline, of schema {}, without the useful work of its "
                      "runs: they are judged by all else; --update-baseline writes it anew",
                      printable(arguments.baseline), baseline->schema));
    }
    request.baseline = std::move(*baseline);
    return true;
  }
  complain(printable(std::get<std::string>(read)) +
           (arguments.update ? "; --update-baseline writes over baselines alone: take it away first"
                             : ""));
  return false;
}

/// No file that is written is one of the others, or one that is read.
bool outputs_apart(const CheckArguments& arguments, const std::vector<fs::path>& scenarios) {
  std::vector<NamedFile> read;
  for (const fs::path& scenario : scenarios) {
    read.push_back(
        {named_as_recording(scenario.native()) ? "a recording" : "a scenario", scenario.native()});
  }
  return files_apart(read, {{"--baseline", arguments.baseline},
                            {"--junit", arguments.junit},
                            {"--markdown", arguments.markdown}});
}

/// A recording is judged as it is: neither run again nor compared.
bool recordings_alone(const CheckArguments& arguments, const CheckRequest& request) {
  if (request.recordings.empty()) {
    return true;
  }
  const std::string first = printable(request.recordings.front().string());
  const auto refuse = [&first](std::string_view flag, std::string_view why) {
    complain(fmt::format("{}: goes with scenarios; {} is a recording, {}", flag, first, why));
    return false;
  };
  if (!arguments.baseline.empty()) {
    return refuse("--baseline", "which `aftershock compare` holds against another one");
  }
  if (!arguments.fresh.empty() || !arguments.against.empty()) {
    return refuse(arguments.fresh.empty() ? "--against" : "--fresh", "which is not run again");
  }
  if (!arguments.tags.empty()) {
    return refuse("--tag", "which is asked for by its name");
  }
  if (!request.overrides.empty()) {
    return refuse(request.overrides.substr(1, request.overrides.find(' ', 1) - 1),
                  "which is as it was recorded");
  }
  return true;
}

bool read_fresh(const CheckArguments& arguments, CheckRequest& request) {
  if (arguments.fresh.empty() && arguments.against.empty()) {
    const bool runs = !arguments.fresh_runs.empty();
    if (runs || !arguments.timeout.empty()) {
      complain(fmt::format("{}: goes with --fresh SEED --against BINARY",
                           runs ? "--fresh-runs" : "--timeout"));
      return false;
    }
    return true;
  }
  if (arguments.fresh.empty() || arguments.against.empty()) {
    complain(arguments.fresh.empty()
                 ? "--against: goes with --fresh SEED, the first of the new seeds"
                 : "--fresh: goes with --against BINARY, another build of aftershock");
    return false;
  }
  constexpr std::uint64_t kMostSeed = std::uint64_t{1} << 62U;
  const auto seed = whole_number("--fresh", arguments.fresh, 0, kMostSeed);
  const auto runs = whole_number(
      "--fresh-runs", arguments.fresh_runs.empty() ? "32" : arguments.fresh_runs, 2, 100'000);
  const auto timeout_s = read_timeout(arguments.timeout);
  if (!seed || !runs || !timeout_s) {
    return false;
  }
  request.fresh = check::FreshOptions{
      *seed,      static_cast<std::uint32_t>(*runs), arguments.against, request.workers,
      *timeout_s, source_words(arguments.scenario)};
  return true;
}

}  // namespace

std::optional<CheckRequest> understood(const CheckArguments& arguments) {
  CheckRequest request;
  const auto options = read_options(arguments.scenario);
  const auto workers =
      whole_number("--jobs", arguments.jobs.empty() ? std::to_string(processors()) : arguments.jobs,
                   1, kMostWorkers);
  if (!options || !workers) {
    return std::nullopt;
  }
  if (arguments.github && !arguments.scenario.format.is_table()) {
    complain(
        fmt::format("--github: annotations do not go into what --format {} prints; expected "
                    "one of them",
                    arguments.scenario.format.word));
    return std::nullopt;
  }
  request.workers = static_cast<std::uint32_t>(*workers);
  auto files = files_of(arguments);
  if (!files || !outputs_apart(arguments, *files) || !read_old_baseline(arguments, request) ||
      !read_fresh(arguments, request)) {
    return std::nullopt;
  }
  request.overrides = overrides_of(arguments.scenario);
  const auto scenarios = std::ranges::stable_partition(
      *files, [](const fs::path& file) { return named_as_recording(file.native()); });
  request.recordings.assign(files->begin(), scenarios.begin());
  files->erase(files->begin(), scenarios.begin());
  request.selection = {*std::move(files), arguments.tags, *options};
  return recordings_alone(arguments, request) ? std::optional(std::move(request)) : std::nullopt;
}

}  // namespace aftershock::sim::cli
