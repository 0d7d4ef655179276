#include "tests/unit/gui/why/sample_run.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "gui/trace/loader.h"
#include "tests/unit/simulator_path.h"

namespace aftershock::gui {

namespace {

/// Of this process alone, and of one of its runs.
std::string path_of(const SampleRun* run) {
  return ::testing::TempDir() + "run-" + std::to_string(getpid()) + "-" +
         std::to_string(reinterpret_cast<std::uintptr_t>(run)) + ".aftershock";
}

}  // namespace

SampleRun::SampleRun(const std::string& lines) : path_(path_of(this)) {
  reports::RecordingHeader header;
  header.start = "2026-11-20T10:00:00Z";
  header.jobs.push_back({.name = "llm",
                         .policy = "p",
                         .workers = 1,
                         .accelerators = 1,
                         .pool = "gpu",
                         .steps = std::nullopt,
                         .step_us = 10});
  header.policies.push_back({.name = "other",
                             .rules = {{"p.retry", "Another sentence", "another source"}},
                             .states = {},
                             .budgets = {}});
  header.policies.push_back({.name = "p",
                             .rules = {{"p.retry", "Tries <again>", "its handbook"}},
                             .states = {},
                             .budgets = {}});
  std::ofstream(path_) << reports::header_line(header) << '\n' << lines;
  load(trace_, path_);
  EXPECT_TRUE(trace_.end.readable()) << trace_.end.message;
}

SampleRun::~SampleRun() { std::filesystem::remove(path_); }

void record_scenario(Trace& trace, const std::string& scenario, const std::string& path) {
  const std::string command = std::string(aftershock::testing::kSimulatorPath) + " run " +
                              scenario + " --quiet --record " + path;
  std::system(command.c_str());
  load(trace, path);
  EXPECT_EQ(trace.end.state, reports::ReadState::kComplete) << trace.end.message;
}

}  // namespace aftershock::gui
