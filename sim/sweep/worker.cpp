#include "sim/sweep/worker.h"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "policies/api/assert.h"
#include "reports/baseline/decision_trace.h"
#include "reports/recording/file_sink.h"
#include "sim/engine/isolate.h"
#include "sim/world/simulate.h"

namespace aftershock::sim {
namespace {

constexpr std::string_view kPart = ".part.aftershock.zst";

/// Keeps what a plan says of a run.
class Marker final : public Onlooker {
 public:
  explicit Marker(const Plan& plan) : plan_(plan) {}

  void ended(const World& world) override { marks = plan_.marks(world); }

  std::string marks;

 private:
  const Plan& plan_;
};

}  // namespace

std::string recording_name(std::uint32_t cell, std::uint32_t replica) {
  return fmt::format("cell-{}-run-{}.aftershock.zst", cell, replica);
}

Worker::Worker(const Plan& plan, std::string folder) : plan_(plan), folder_(std::move(folder)) {}

void Worker::load(std::uint32_t cell) {
  const PlannedCell& planned = plan_.cells[cell];
  auto read = read_scenario_text(
      planned.text_of ? planned.text_of(plan_.seed_of(cell, replica_)) : planned.text,
      planned.name);
  auto* checked = std::get_if<ReadScenario>(&read);
  // It was read without errors when the plan was made.
  AFTERSHOCK_ASSERT(checked != nullptr);
  scenario_ = std::make_shared<Scenario>(std::move(checked->scenario));
  contends_ = may_contend(*scenario_);
  loaded_ = cell;
}

std::optional<reports::RunRow> Worker::run(std::uint32_t cell, std::uint32_t replica, bool record) {
  replica_ = replica;
  if (loaded_ != cell || plan_.cells[cell].text_of) {
    load(cell);
  }
  scenario_->seed = plan_.seed_of(cell, replica);
  if (record) {
    scenario_->resolved["seed"] = scenario_->seed;
  }
  if (!contends_) {
    return run_here(record);
  }
  // The child's problem comes back behind its row.
  const auto bytes = run_isolated([&] {
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
  SimulateOptions options;
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
  if (plan_.decisions) {
    AFTERSHOCK_ASSERT(!record);
    options.sink = &decisions;
  }
  reports::RunRow row = reports::row_of(simulate(scenario_, options), plan_.pointers);
  if (plan_.decisions) {
    row.decisions = reports::to_bytes(decisions.trace());
  }
  row.marks = std::move(marker.marks);
  row.cell = *loaded_;
  row.replica = replica_;
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

}  // namespace aftershock::sim
