#include "sim/cli/many_runs.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <iostream>

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include "aftershock_version.h"
#include "reports/render/format.h"
#include "sim/cli/command.h"
#include "sim/sweep/scale_rates.h"

namespace aftershock::sim::cli {
namespace {

std::int64_t now_us() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::int64_t now_ms() { return now_us() / 1000; }

constexpr std::int64_t kTerminalEveryMs = 250;
constexpr std::int64_t kPlainEveryMs = 10'000;
constexpr std::int64_t kPlainSoonMs = 2'000;

}  // namespace

std::uint32_t processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  const int count = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
  return static_cast<std::uint32_t>(std::max(count, 1));
}

std::optional<std::uint64_t> whole_number(std::string_view option, const std::string& text,
                                          std::uint64_t least, std::uint64_t most) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc{} || stopped != end || number < least || number > most) {
    complain(fmt::format("{} {}: expected a whole number from {} to {}", option,
                         scenario::in_quotes(text), least, most));
    return std::nullopt;
  }
  return number;
}

std::string program_version() {
  return fmt::format("aftershock {} ({})", aftershock::kVersion, aftershock::kCommit);
}

std::optional<JobToBreak> job_to_break(const std::string& path, const ScenarioOptions& options,
                                       const std::string& name) {
  const auto changes = read_options(options);
  if (!changes) {
    return std::nullopt;
  }
  auto read = scenario::read_scenario_file(path, *changes);
  if (const auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&read)) {
    complain(*errors);
    return std::nullopt;
  }
  scenario::Scenario& scenario = std::get<scenario::ReadScenario>(read).scenario;
  if (scenario.jobs.empty()) {
    complain(
        fmt::format("{}: has no job whose recovery could be broken", scenario::file_title(path)));
    return std::nullopt;
  }
  std::size_t job = 0;
  if (!name.empty()) {
    std::string names;
    for (job = 0; job < scenario.jobs.size() && scenario.jobs[job].name != name; ++job) {
      names += (names.empty() ? "" : ", ") + scenario.jobs[job].name;
    }
    if (job == scenario.jobs.size()) {
      complain(fmt::format("--job {}: the scenario has no such job; expected one of {}",
                           scenario::in_quotes(name), printable(names)));
      return std::nullopt;
    }
  }
  if (!scenario.jobs[job].steps) {
    complain(
        fmt::format("{}: job {} trains until the horizon, so that no run of it comes to a good "
                    "end; expected \"steps\" in the job",
                    scenario::file_title(path), printable(scenario.jobs[job].name)));
    return std::nullopt;
  }
  if (!scenario.faults.empty()) {
    complain(fmt::format("{}: its own {} faults stay out: others are brought",
                         scenario::file_title(path), scenario.faults.size()));
  }
  return JobToBreak{std::move(scenario), static_cast<std::uint32_t>(job)};
}

std::optional<std::int64_t> read_timeout(const std::string& text) {
  constexpr std::uint64_t kMostTimeoutS = 1'000'000;
  const auto seconds = whole_number("--timeout", text.empty() ? "600" : text, 1, kMostTimeoutS);
  return seconds ? std::optional(static_cast<std::int64_t>(*seconds)) : std::nullopt;
}

namespace {

/// Values that make a cell, but for factors that leave all rates as they are: "where
/// /jobs/0/workers is 8 and rates is 2".
std::string where_text(const sweep::Point& point) {
  std::string text;
  for (const auto& [name, value] : point) {
    if (name != sweep::kRates || sweep::rate_factor(value) != 1) {
      text += fmt::format("{}{} is {}", text.empty() ? "where " : " and ", name, value);
    }
  }
  return text;
}

/// The error of a cell, told of the varied value that is to blame, or of all of them.
std::string refusal(const scenario::ScenarioError& error, const sweep::Point& point) {
  scenario::ScenarioError without_place = error;
  without_place.file.clear();
  for (const auto& [name, value] : point) {
    if (error.file != name && error.file != fmt::format("--set {}={}", name, value)) {
      continue;
    }
    const bool policy = name == "policy";
    if (error.pointer == name || policy) {
      without_place.pointer.clear();
    }
    if (policy) {
      return fmt::format("the policy {} is refused{}", scenario::in_quotes(value),
                         scenario::format(without_place));
    }
    return fmt::format("the value {} of {} is refused{}", scenario::in_quotes(value), name,
                       scenario::format(without_place));
  }
  const std::string where = where_text(point);
  return scenario::format(error) + (where.empty() ? "" : fmt::format(" ({})", where));
}

}  // namespace

std::optional<sweep::Plan> planned(const std::string& path, const scenario::ReadOptions& options,
                                   const std::vector<sweep::Point>& points) {
  const bool varied = !points.empty() &&
                      std::ranges::find(points.front(), "policy",
                                        &sweep::Point::value_type::first) != points.front().end();
  if (varied && options.policy) {
    complain("--policy: the policy is varied as well; expected one of the two");
    return std::nullopt;
  }
  sweep::PlanResult result = sweep::make_plan(path, options, points);
  if (!result.errors.empty()) {
    for (const scenario::ScenarioError& error : result.errors) {
      complain(printable(refusal(error, result.wrong_point)));
    }
    return std::nullopt;
  }
  for (const std::string& warning : result.warnings) {
    complain("warning: " + warning);
  }
  return std::move(result.plan);
}

reports::StoreHeader store_header(const sweep::Plan& plan, const std::string& path,
                                  const std::string& flags) {
  reports::StoreHeader header;
  header.flags = flags;
  header.scenario = plan.scenario;
  header.path = path;
  header.version = program_version();
  header.text = plan.cells.front().text;
  header.digest = sweep::digest_of(plan);
  header.first_seed = plan.first_seed;
  header.replicas = plan.replicas;
  header.pointers = plan.pointers;
  for (const sweep::PlannedCell& cell : plan.cells) {
    header.cells.push_back(cell.about);
  }
  return header;
}

std::optional<reports::RunStore> new_store(const std::string& out,
                                           const reports::StoreHeader& header) {
  // Without a file the rows are in memory: SQLite's name for that.
  auto made = reports::RunStore::create(out.empty() ? ":memory:" : out, header);
  if (const auto* problem = std::get_if<std::string>(&made)) {
    complain(*problem);
    return std::nullopt;
  }
  return std::get<reports::RunStore>(std::move(made));
}

std::optional<reports::RunStore> open_store(const std::string& out, bool resume,
                                            const reports::StoreHeader& header) {
  std::error_code ignored;
  if (out.empty()) {
    return new_store(out, header);
  }
  const bool there = std::filesystem::exists(out, ignored);
  if (!resume && std::filesystem::is_regular_file(out, ignored)) {
    complain(fmt::format(
        "{}: is there already; go on with it with --resume, or choose another name", out));
    return std::nullopt;
  }
  for (const std::string_view ending : {".csv", ".json", ".html"}) {
    if (!there && out.ends_with(ending)) {
      complain(
          fmt::format("{}: results are an SQLite file, whatever it is called; expected another "
                      "name, such as {}.sqlite",
                      out, out.substr(0, out.size() - ending.size())));
      return std::nullopt;
    }
  }
  auto opened = resume && there ? reports::RunStore::resume(out, header)
                                : reports::RunStore::create(out, header);
  if (const auto* problem = std::get_if<std::string>(&opened)) {
    complain(*problem);
    return std::nullopt;
  }
  auto& store = std::get<reports::RunStore>(opened);
  const reports::StoreHeader& found = store.header();
  const auto refuse = [&](std::string_view what) {
    complain(fmt::format("{}: holds {}; go on with what it was begun with, or choose another name",
                         out, what));
    return std::nullopt;
  };
  if (found.digest != header.digest) {
    return refuse("another sweep: its scenario, its seeds, what it varies or its columns differ");
  }
  if (found.version != header.version) {
    return refuse(fmt::format("runs of {}, and this is {}", found.version, header.version));
  }
  if (found.until != header.until || found.shard != header.shard || found.shards != header.shards) {
    return refuse("runs with another --until or --shard");
  }
  if (found.replicas > header.replicas) {
    return refuse(fmt::format("{} runs a cell, and fewer are asked for", found.replicas));
  }
  store.set_replicas(header.replicas);
  return std::move(store);
}

void announce(const ScenarioOptions& shown, const sweep::Plan& plan, std::uint32_t workers,
              std::uint64_t done) {
  if (shown.quiet || !shown.format.is_table()) {
    return;
  }
  const auto count = [](std::uint64_t number) {
    return reports::format_count(static_cast<std::int64_t>(number));
  };
  std::uint64_t runs = 0;
  for (std::uint32_t cell = 0; cell < plan.cells.size(); ++cell) {
    runs += plan.replicas_of(cell);
  }
  const bool fewer = runs < plan.cells.size() * std::uint64_t{plan.replicas};
  std::string words =
      fmt::format("{} cell{} of {}{} run{}: {}{} runs", count(plan.cells.size()),
                  plan.cells.size() == 1 ? "" : "s", fewer ? "up to " : "", count(plan.replicas),
                  plan.replicas == 1 ? "" : "s", fewer ? "at least " : "", count(runs));
  if (done > 0) {
    words += fmt::format(", of which {} are there", count(done));
  }
  std::cerr << fmt::format("{}, with {} process{}\n", words, workers, workers == 1 ? "" : "es")
            << std::flush;
}

MadeRuns make_runs(const ScenarioOptions& shown, const sweep::Plan& plan, reports::RunStore& store,
                   sweep::WorkerPool& pool, sweep::SweepOptions options, std::string_view go_on,
                   bool tell_soon) {
  Progress progress(shown.quiet || !shown.format.is_table(), tell_soon);
  options.progress = [&progress](std::uint64_t done, std::uint64_t total) {
    progress.show(done, total);
  };
  options.commit_due = [&progress] { return progress.second_passed(); };
  MadeRuns made{kOk, sweep::sweep(plan, store, pool, options)};
  const sweep::SweepResult& result = made.result;
  progress.clear();
  if (result.ended == sweep::Ended::kInterrupted) {
    complain(fmt::format("interrupted with {} of {} runs done{}{}", result.done, result.total,
                         go_on.empty() ? "" : "; ", go_on));
    made.code = reports::exit_code(reports::Verdict::kInconclusive);
  } else if (result.ended != sweep::Ended::kDone) {
    complain(result.why);
    made.code = result.ended == sweep::Ended::kNotStored ? kUnusable : kInternalError;
  }
  return made;
}

Stopwatch::Stopwatch() : began_us_(now_us()) {}

std::int64_t Stopwatch::elapsed_us() const { return now_us() - began_us_; }

Progress::Progress(bool quiet, bool tell_soon)
    : quiet_(quiet),
      tell_soon_(tell_soon),
      terminal_(on_clever_terminal(STDERR_FILENO)),
      began_ms_(now_ms()),
      last_ms_(began_ms_),
      second_ms_(began_ms_) {}

Progress::~Progress() { clear(); }

void Progress::clear() {
  if (shown_ && terminal_) {
    std::cerr << "\r\x1b[K";
  }
  shown_ = false;
}

bool Progress::second_passed() {
  const std::int64_t now = now_ms();
  const bool passed = now - second_ms_ >= 1000;
  second_ms_ = passed ? now : second_ms_;
  return passed;
}

void Progress::show(std::uint64_t done, std::uint64_t total) {
  const std::int64_t now = now_ms();
  if (!first_done_) {
    // An earlier sweep's runs took no time now.
    first_done_ = done;
    began_ms_ = last_ms_ = now;
  }
  const std::int64_t every_ms = terminal_    ? kTerminalEveryMs
                                : tell_soon_ ? kPlainSoonMs
                                             : kPlainEveryMs;
  if (quiet_ || now - last_ms_ < every_ms) {
    return;
  }
  tell_soon_ = false;
  last_ms_ = now;
  const double elapsed_s = static_cast<double>(now - began_ms_) / 1000;
  const double rate = static_cast<double>(done - *first_done_) / elapsed_s;
  std::string line =
      fmt::format("{} of {} runs", reports::format_count(static_cast<std::int64_t>(done)),
                  reports::format_count(static_cast<std::int64_t>(total)));
  if (rate > 0) {
    line += fmt::format(
        ", {:.0f}/s, {} left", rate,
        reports::format_duration(
            static_cast<std::int64_t>(static_cast<double>(total - done) / rate) * 1'000'000));
  }
  std::cerr << (terminal_ ? "\r\x1b[K" : "") << line << (terminal_ ? "" : "\n") << std::flush;
  shown_ = true;
}

}  // namespace aftershock::sim::cli
