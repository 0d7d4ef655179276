#include "sim/cli/many_runs.h"

#include <charconv>
#include <chrono>
#include <iostream>

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include "aftershock_version.h"
#include "reports/render/format.h"
#include "sim/cli/command.h"

namespace aftershock::sim::cli {
namespace {

std::int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

constexpr std::int64_t kTerminalEveryMs = 250;
constexpr std::int64_t kPlainEveryMs = 10'000;

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
    complain(fmt::format("{} {}: expected a whole number from {} to {}", option, in_quotes(text),
                         least, most));
    return std::nullopt;
  }
  return number;
}

std::string program_version() {
  return fmt::format("aftershock {} ({})", aftershock::kVersion, aftershock::kCommit);
}

std::optional<std::uint32_t> job_to_break(const std::string& path, const Scenario& scenario,
                                          const std::string& name) {
  if (scenario.jobs.empty()) {
    complain(fmt::format("{}: has no job whose recovery could be broken", path));
    return std::nullopt;
  }
  std::size_t job = 0;
  if (!name.empty()) {
    std::string names;
    for (job = 0; job < scenario.jobs.size() && scenario.jobs[job].name != name; ++job) {
      names += (names.empty() ? "" : ", ") + scenario.jobs[job].name;
    }
    if (job == scenario.jobs.size()) {
      complain(fmt::format("--job {}: there is no such job; expected one of {}", in_quotes(name),
                           printable(names)));
      return std::nullopt;
    }
  }
  if (!scenario.faults.empty()) {
    complain(fmt::format("{}: its own {} faults stay out: others are brought", path,
                         scenario.faults.size()));
  }
  return static_cast<std::uint32_t>(job);
}

std::optional<std::int64_t> read_timeout(const std::string& text) {
  constexpr std::uint64_t kMostTimeoutS = 1'000'000;
  const auto seconds = whole_number("--timeout", text.empty() ? "600" : text, 1, kMostTimeoutS);
  return seconds ? std::optional(static_cast<std::int64_t>(*seconds)) : std::nullopt;
}

std::optional<Plan> planned(const std::string& path, const ReadOptions& options,
                            const std::vector<Point>& points) {
  PlanResult result = make_plan(path, options, points);
  if (!result.errors.empty()) {
    if (!result.wrong_cell.empty()) {
      complain(fmt::format("with {}:", printable(result.wrong_cell)));
    }
    complain(result.errors);
    return std::nullopt;
  }
  for (const std::string& warning : result.warnings) {
    complain("warning: " + warning);
  }
  return std::move(result.plan);
}

reports::StoreHeader store_header(const Plan& plan, const std::string& path) {
  reports::StoreHeader header;
  header.scenario = plan.scenario;
  header.path = path;
  header.version = program_version();
  header.text = plan.cells.front().text;
  header.digest = digest_of(plan);
  header.first_seed = plan.first_seed;
  header.replicas = plan.replicas;
  header.pointers = plan.pointers;
  for (const PlannedCell& cell : plan.cells) {
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

MadeRuns make_runs(const ScenarioOptions& shown, const Plan& plan, reports::RunStore& store,
                   Crew& crew, SweepOptions options, std::string_view go_on) {
  Progress progress(shown.quiet || shown.json);
  options.progress = [&progress](std::uint64_t done, std::uint64_t total) {
    progress.show(done, total);
  };
  options.commit_due = [&progress] { return progress.second_passed(); };
  MadeRuns made{kOk, sweep(plan, store, crew, options)};
  const SweepResult& result = made.result;
  progress.clear();
  if (result.ended == Ended::kInterrupted) {
    complain(fmt::format("interrupted with {} of {} runs done{}{}", result.done, result.total,
                         go_on.empty() ? "" : "; ", go_on));
    made.code = reports::exit_code(reports::Verdict::kInconclusive);
  } else if (result.ended != Ended::kDone) {
    complain(result.why);
    made.code = result.ended == Ended::kNotStored ? kUnusable : kInternalError;
  }
  return made;
}

Progress::Progress(bool quiet)
    : quiet_(quiet),
      terminal_(on_terminal(STDERR_FILENO)),
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
  if (quiet_ || now - last_ms_ < (terminal_ ? kTerminalEveryMs : kPlainEveryMs)) {
    return;
  }
  if (!first_done_) {
    first_done_ = done;  // an earlier sweep's runs took no time now
    began_ms_ = last_ms_;
  }
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
