#include "sim/sweep/worker.h"

#include <cstdio>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/assert.h"
#include "reports/baseline/decision_trace.h"
#include "reports/compare/decisions.h"
#include "reports/recording/file_sink.h"
#include "sim/control/external/channel.h"
#include "sim/engine/isolate.h"
#include "sim/simulate/simulate.h"

namespace aftershock::sim::sweep {
namespace {

constexpr std::string_view kPart = ".part.aftershock.zst";

/// Keeps what a plan says of a run.
class Marker final : public simulate::Onlooker {
 public:
  explicit Marker(const Plan& plan) : plan_(plan) {}

  void ended(const world::World& world) override { marks = plan_.marks(world); }

  std::string marks;

 private:
  const Plan& plan_;
};

}  // namespace

std::string recording_name(std::uint32_t cell, std::uint32_t replica) {
  return fmt::format("cell-{}-run-{}.aftershock.zst", cell, replica);
}

namespace {

/// Removes the files of a folder for whose names this holds.
template <class Unwanted>
void remove_where(const std::string& folder, Unwanted&& unwanted) {
  std::error_code error;
  std::vector<std::filesystem::path> found;
  for (std::filesystem::directory_iterator file(folder, error), end; !error && file != end;
       file.increment(error)) {
    if (unwanted(file->path().filename().string())) {
      found.push_back(file->path());
    }
  }
  for (const std::filesystem::path& path : found) {
    std::filesystem::remove(path, error);
  }
}

/// Whether a file is called as recordings of sweeps are.
bool is_recording_name(const std::string& name) {
  unsigned cell = 0;
  unsigned replica = 0;
  return std::sscanf(name.c_str(), "cell-%u-run-%u", &cell, &replica) == 2 &&
         name == recording_name(cell, replica);
}

}  // namespace

void remove_unfinished_recordings(const std::string& folder) {
  remove_where(folder, [](const std::string& name) { return name.ends_with(kPart); });
}

void remove_other_recordings(const std::string& folder, const std::set<std::string>& names) {
  remove_where(folder, [&names](const std::string& name) {
    return is_recording_name(name) && !names.contains(name);
  });
}

Worker::Worker(const Plan& plan, std::string folder) : plan_(plan), folder_(std::move(folder)) {}

std::optional<std::string> Worker::load(std::uint32_t cell) {
  const PlannedCell& planned = plan_.cells[cell];
  scenario::ReadOptions options;
  options.policies = planned.policies;
  auto read = scenario::read_scenario_text(
      planned.text_of ? planned.text_of(plan_.seed_of(cell, replica_)) : planned.text, planned.name,
      options);
  if (const auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&read)) {
    // A text of the plan's was read without errors when the plan was made.
    AFTERSHOCK_ASSERT(planned.text_of);
    return scenario::format(errors->front());
  }
  auto* checked = std::get_if<scenario::ReadScenario>(&read);
  scenario_ = std::make_shared<scenario::Scenario>(std::move(checked->scenario));
  contends_ = simulate::may_contend(*scenario_);
  loaded_ = cell;
  return std::nullopt;
}

reports::RunRow Worker::unmade_row(std::uint32_t cell, std::uint32_t replica,
                                   reports::Verdict verdict, std::string why) {
  loaded_.reset();
  reports::RunRow row;
  row.cell = cell;
  row.replica = replica;
  row.seed = plan_.seed_of(cell, replica);
  row.verdict = verdict;
  row.outcome = "unknown";
  row.reason = std::move(why);
  return row;
}

std::optional<reports::RunRow> Worker::run(std::uint32_t cell, std::uint32_t replica, bool record) {
  try {
    return run_one(cell, replica, record);
  } catch (const control::PolicyFailed& failed) {
    return unmade_row(cell, replica, reports::Verdict::kPolicyFailed, failed.what());
  }
}

std::optional<reports::RunRow> Worker::run_one(std::uint32_t cell, std::uint32_t replica,
                                               bool record) {
  replica_ = replica;
  if (loaded_ != cell || plan_.cells[cell].text_of) {
    if (auto problem = load(cell)) {
      return unmade_row(cell, replica, reports::Verdict::kInvalid, std::move(*problem));
    }
  }
  // A scenario that is made for its number says itself what its seed is.
  if (!plan_.cells[cell].text_of) {
    scenario_->seed = plan_.seed_of(cell, replica);
    if (record) {
      (*scenario_->resolved)["seed"] = scenario_->seed;
    }
  }
  if (!contends_) {
    return run_here(record);
  }
  // The child's problem comes back behind its row.
  const auto bytes = engine::run_isolated([&] {
    const std::string row = reports::to_bytes(run_here(record));
    return fmt::format("{:08}", row.size()) + row + problem_;
  });
  if (!bytes) {
    return std::nullopt;
  }
  const std::size_t size = std::stoul(bytes->substr(0, 8));
  problem_ = bytes->substr(8 + size);
  return reports::row_from_bytes(std::string_view(*bytes).substr(8, size));
}

reports::RunRow Worker::run_here(bool record) {
  simulate::SimulateOptions options;
  options.words = false;
  std::optional<reports::FileSink> sink;
  std::filesystem::path path;
  if (record) {
    path = std::filesystem::path(folder_) / recording_name(*loaded_, replica_);
    // Under its own name a recording is whole.
    sink.emplace(path.string().append(kPart));
    options.sink = &*sink;
  }
  options.max_entries = plan_.max_entries;
  Marker marker(plan_);
  options.onlooker = plan_.marks ? &marker : nullptr;
  reports::TraceSink decisions;
  const bool traced = replica_ < plan_.cells[*loaded_].traced;
  if (traced) {
    AFTERSHOCK_ASSERT(!record);
    options.sink = &decisions;
  }
  reports::DecisionSink all_decisions;
  if (plan_.told) {
    AFTERSHOCK_ASSERT(!record && !traced);
    options.sink = &all_decisions;
  }
  const reports::RunSummary summary = simulate::simulate(scenario_, options);
  reports::RunRow row = reports::row_of(summary, plan_.pointers);
  if (traced) {
    row.decisions = reports::to_bytes(decisions.trace());
  }
  row.marks = plan_.told ? plan_.told(summary, all_decisions.decisions()) : std::move(marker.marks);
  row.cell = *loaded_;
  row.replica = replica_;
  row.seed = plan_.seed_of(*loaded_, replica_);
  if (record) {
    std::error_code error;
    const std::string part = path.string().append(kPart);
    if (const auto problem = sink->finish()) {
      problem_ = *problem;
      std::filesystem::remove(part, error);
      error.clear();
    } else {
      std::filesystem::rename(part, path, error);
    }
    if (error) {
      problem_ = fmt::format("{}: {}", path.string(), error.message());
    }
  }
  return row;
}

}  // namespace aftershock::sim::sweep
