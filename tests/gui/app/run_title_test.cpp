#include "gui/app/run_title.h"

#include <optional>

#include <gtest/gtest.h>

#include "reports/recording/header.h"
#include "reports/recording/memory_sink.h"
#include "tests/gui/timeline/sample_run.h"

namespace aftershock::gui {
namespace {

TEST(RunTitle, SaysWhetherTheRunIsOfRealProcesses) {
  struct Row {
    std::optional<reports::HeaderLive> live;
    const char* line;
  };
  const Row rows[] = {
      {{}, "pair, seed 3, torchrun@2.15 (08c42a21acd4)"},
      {reports::HeaderLive{.backend = "torchrun",
                           .versions = {{"torch", "2.15.0"}},
                           .isolation = "namespaces",
                           .clock = "CLOCK_MONOTONIC",
                           .addresses = "one"},
       "pair, seed 3, torchrun@2.15, live (08c42a21acd4)"},
  };
  for (const Row& row : rows) {
    reports::RecordingHeader header = reports::new_header();
    header.commit = "08c42a21acd4ffff";
    header.seed = 3;
    header.policy = "torchrun@2.15";
    header.scenario_json = R"({"name":"pair"})";
    header.live = row.live;
    reports::MemorySink sink;
    reports::write_header(sink, header);
    const testing::SampleFile file(sink.text());
    const auto title = read_run_title(file.path.toStdString());
    ASSERT_TRUE(title.has_value());
    EXPECT_EQ(one_line(*title).toStdString(), row.line);
  }
}

}  // namespace
}  // namespace aftershock::gui
