#include "sim/cli/search/search_runs.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/render/format.h"
#include "sim/cli/command.h"
#include "sim/cli/many_runs.h"
#include "sim/scenario/text/units.h"
#include "sim/sweep/process_pool.h"

namespace aftershock::sim::cli {
namespace {

constexpr std::size_t kKindsShown = 10;

/// Failures of one kind.
struct FailureKind {
  std::int64_t runs = 0;
  chaos::FoundFailure first;
};

std::map<std::string, FailureKind> by_kind(const std::vector<chaos::FoundFailure>& failures,
                                           bool known) {
  std::map<std::string, FailureKind> kinds;
  for (const chaos::FoundFailure& found : failures) {
    if (found.known == known) {
      FailureKind& kind = kinds[found.failure.id];
      if (kind.runs++ == 0) {
        kind.first = found;
      }
    }
  }
  return kinds;
}

}  // namespace

std::variant<chaos::ExploreStore, int> search_runs(
    const SearchArguments& arguments, const sweep::Plan& plan, const std::string& digest,
    const std::vector<std::string>& names,
    const std::function<chaos::ExploreResult(chaos::ExploreStore&, sweep::WorkerPool&,
                                             const chaos::ExploreOptions&)>& make) {
  const auto workers =
      whole_number("--jobs", arguments.jobs.empty() ? std::to_string(processors()) : arguments.jobs,
                   1, kMostWorkers);
  const auto limit =
      scenario::parse_duration(arguments.limit.empty() ? "100000d" : arguments.limit);
  if (const auto* problem = std::get_if<scenario::TextProblem>(&limit)) {
    complain(fmt::format("--for {}: {}; expected {}", arguments.limit, problem->message,
                         problem->expected));
    return kUnusable;
  }
  if (!workers) {
    return kUnusable;
  }
  auto opened = chaos::ExploreStore::open(arguments.out, digest, names);
  if (const auto* problem = std::get_if<std::string>(&opened)) {
    complain(*problem);
    return kUnusable;
  }
  auto& store = std::get<chaos::ExploreStore>(opened);
  chaos::ExploreResult result;
  {
    Progress progress(arguments.quiet);
    chaos::ExploreOptions options;
    options.seeds = static_cast<std::uint32_t>(arguments.runs);
    std::int64_t seconds = 0;
    options.go_on = [&](std::int64_t done) {
      progress.show(static_cast<std::uint64_t>(done), arguments.runs);
      constexpr std::int64_t kSecondUs = 1'000'000;
      seconds += progress.second_passed() ? 1 : 0;
      return seconds * kSecondUs < std::get<std::int64_t>(limit);
    };
    const auto pool = sweep::make_process_pool(plan, {static_cast<std::uint32_t>(*workers), {}});
    result = make(store, *pool, options);
  }
  for (const std::string& trouble : result.troubles) {
    complain(trouble);
  }
  if (result.ended == sweep::Ended::kInterrupted) {
    complain(fmt::format("interrupted with {} runs done; the same command goes on", store.runs()));
    return reports::exit_code(reports::Verdict::kInconclusive);
  }
  if (result.ended != sweep::Ended::kDone) {
    complain(result.why);
    return result.ended == sweep::Ended::kNotStored ? kUnusable : kInternalError;
  }
  return std::move(store);
}

std::string failures_text(chaos::ExploreStore& store,
                          const std::function<std::string(std::uint64_t number)>& command) {
  const auto failures = store.failures();
  std::string text;
  for (const bool known : {false, true}) {
    std::size_t shown = 0;
    for (const auto& [id, kind] : by_kind(failures, known)) {
      if (++shown > kKindsShown) {
        break;
      }
      const std::string_view what = id == chaos::kNoScenario ? "cannot be:"
                                    : known                  ? "documented"
                                                             : "FOUND";
      text += fmt::format("{} {}: {} runs, first {}: {}\n    {}\n", what, id,
                          reports::format_count(kind.runs), kind.first.seed,
                          printable(kind.first.failure.words), command(kind.first.seed));
    }
  }
  return text;
}

nlohmann::ordered_json failures_json(chaos::ExploreStore& store, std::string_view number_key) {
  nlohmann::ordered_json failures = nlohmann::ordered_json::array();
  for (const chaos::FoundFailure& found : store.failures()) {
    failures.push_back({{number_key, found.seed},
                        {"id", found.failure.id},
                        {"words", found.failure.words},
                        {"known", found.known}});
  }
  return failures;
}

int search_exit_code(chaos::ExploreStore& store) {
  const auto found = by_kind(store.failures(), false);
  for (const auto verdict : {reports::Verdict::kInternalError, reports::Verdict::kPolicyFailed}) {
    if (found.contains(std::string(name_of(verdict)))) {
      return reports::exit_code(verdict);
    }
  }
  return found.empty() ? kOk : kFailed;
}

}  // namespace aftershock::sim::cli
