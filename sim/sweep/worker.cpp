#include "sim/sweep/worker.h"

#include <filesystem>
#include <iostream>
#include <utility>

#include <fmt/format.h>

#include "policies/api/assert.h"
#include "reports/recording/file_sink.h"
#include "sim/engine/isolate.h"
#include "sim/world/simulate.h"

namespace aftershock::sim {

std::string recording_name(std::uint32_t cell, std::uint32_t replica) {
  return fmt::format("cell-{}-run-{}.aftershock.zst", cell, replica);
}

Worker::Worker(const Plan& plan, std::string folder, std::optional<std::int64_t> max_entries)
    : plan_(plan), folder_(std::move(folder)), max_entries_(max_entries) {}

void Worker::load(std::uint32_t cell) {
  const PlannedCell& planned = plan_.cells[cell];
  auto read = read_scenario_text(planned.text, planned.name);
  auto* checked = std::get_if<ReadScenario>(&read);
  // It was read without errors when the plan was made.
  AFTERSHOCK_ASSERT(checked != nullptr);
  scenario_ = std::make_shared<Scenario>(std::move(checked->scenario));
  contends_ = may_contend(*scenario_);
  loaded_ = cell;
}

std::optional<reports::RunRow> Worker::run(std::uint32_t cell, std::uint32_t replica, bool record) {
  if (loaded_ != cell) {
    load(cell);
  }
  replica_ = replica;
  scenario_->seed = plan_.first_seed + replica;
  if (scenario_->resolved.contains("seed") || record) {
    scenario_->resolved["seed"] = scenario_->seed;
  }
  if (!contends_) {
    return run_here(record);
  }
  const auto bytes = run_isolated([&] { return reports::to_bytes(run_here(record)); });
  return bytes ? reports::row_from_bytes(*bytes) : std::nullopt;
}

reports::RunRow Worker::run_here(bool record) {
  SimulateOptions options;
  options.max_entries = max_entries_;
  std::optional<reports::FileSink> sink;
  std::filesystem::path path;
  if (record) {
    path = std::filesystem::path(folder_) / recording_name(*loaded_, replica_);
    // Under its own name a recording is whole.
    sink.emplace(path.string() + ".part.aftershock.zst");
    options.sink = &*sink;
  }
  reports::RunRow row = reports::row_of(simulate(scenario_, options), plan_.pointers);
  row.cell = *loaded_;
  row.replica = replica_;
  if (record) {
    std::error_code error;
    if (const auto problem = sink->finish()) {
      std::cerr << *problem << '\n';
    } else {
      std::filesystem::rename(path.string() + ".part.aftershock.zst", path, error);
    }
    if (error) {
      std::cerr << path.string() << ": " << error.message() << '\n';
    }
  }
  return row;
}

}  // namespace aftershock::sim
