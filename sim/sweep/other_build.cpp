#include "sim/sweep/other_build.h"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "reports/results/run_store.h"
#include "sim/sweep/child.h"

namespace aftershock::sim::sweep {
namespace {

std::vector<std::string> words_of(const OtherSweep& wanted) {
  std::vector<std::string> words{wanted.program, "sweep", wanted.scenario, "--quiet"};
  words.insert(words.end(), wanted.options.begin(), wanted.options.end());
  words.insert(words.end(),
               {"--out", wanted.results, "--seed", std::to_string(wanted.first_seed), "--runs",
                std::to_string(wanted.runs), "--jobs", std::to_string(wanted.workers)});
  for (const std::string& pointer : wanted.pointers) {
    words.insert(words.end(), {"--metric", pointer});
  }
  return words;
}

std::variant<OtherRows, NotRun> rows_in(const std::string& path) {
  auto opened = reports::RunReader::open(path);
  if (const auto* problem = std::get_if<std::string>(&opened)) {
    return NotRun{"its results cannot be read: " + *problem};
  }
  auto& reader = std::get<reports::RunReader>(opened);
  OtherRows other{{}, reader.header().version};
  if (const auto problem = reader.each([&other](reports::RunRow&& row) {
        other.rows.push_back(std::move(row));
        return true;
      })) {
    return NotRun{"its results cannot be read: " + *problem};
  }
  return other;
}

bool are_those(const std::vector<reports::RunRow>& rows, const OtherSweep& wanted) {
  for (std::uint32_t i = 0; i < wanted.runs; ++i) {
    if (rows.size() != wanted.runs || rows[i].replica != i || rows[i].cell != 0 ||
        rows[i].seed != wanted.first_seed + i) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::variant<OtherRows, NotRun> sweep_by_other_build(const OtherSweep& wanted) {
  const ChildEnd end = run_child(words_of(wanted), wanted.timeout_s);
  std::error_code gone;
  const bool exited = end.how == ChildEnd::How::kExited;
  std::variant<OtherRows, NotRun> result;
  if (!exited || !std::filesystem::exists(wanted.results, gone)) {
    result = NotRun{end.words() + (exited ? ", and left no results" : ""),
                    end.how == ChildEnd::How::kInterrupted};
  } else {
    result = rows_in(wanted.results);
    const auto* other = std::get_if<OtherRows>(&result);
    if (other != nullptr && !are_those(other->rows, wanted)) {
      result = NotRun{fmt::format("its results are not those of {} runs with seeds from {}; it {}",
                                  wanted.runs, wanted.first_seed, end.words())};
    }
  }
  std::filesystem::remove(wanted.results, gone);
  return result;
}

}  // namespace aftershock::sim::sweep
