#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "reports/recording/header.h"
#include "reports/recording/recorder.h"

namespace aftershock::reports::testing {

/// Names in the manner of the simulator's.
class SampleNames final : public EntityNames {
 public:
  void append_name(std::string& out, Entity entity) const override {
    switch (entity.kind) {
      case EntityKind::kRun:
        out += "run";
        return;
      case EntityKind::kJob:
        out += "job:llm";
        return;
      case EntityKind::kAccelerator:
        out += fmt::format("accelerator:gpu-{}/{}", entity.index, entity.sub);
        return;
      default:
        out += fmt::format("node:gpu-{}", entity.index);
    }
  }
};

inline constexpr Entity kSampleJob{EntityKind::kJob, 0, 0};

constexpr Entity sample_node(std::uint32_t index) { return {EntityKind::kNode, index, 0}; }

inline RecordingHeader sample_header() {
  RecordingHeader header;
  header.version = "1.2.3";
  header.commit = "c0ffee";
  header.scenario_json = R"({"name":"sample","question":"Is \"3\" enough?"})";
  header.digest = text_digest(header.scenario_json);
  header.seed = 18446744073709551615U;
  header.policy = "ray_train@2026-05";
  header.start = "2026-11-20T18:00:00+08:00";
  header.jobs = {{"llm", "ray_train@2026-05", 128, 128, "gpu", 20000, 12'000'000},
                 {"eval", "ray_train@2026-05", 8, 8, "gpu", std::nullopt, 1'000'000}};
  header.entities = {{"node", "gpu", 0, 16, "gpu-%d", 4, 8, "gpu"},
                     {"head", "", 0, 1, "head-%d", 0, 0, ""}};
  header.policies = {{"ray_train@2026-05",
                      {{"ray_train.failure.retry", "Retry while within the limit.", "default.py"}},
                      {"RUNNING", "RESTARTING", "ERRORED"},
                      {"max_failures", "controller_failure_limit"}}};
  header.buckets = {"productive", "rolled_back"};
  return header;
}

/// A short run from a time on: a fault strikes, is answered, and the job ends.
inline void play_sample(Recorder& recorder, std::int64_t from_us = 0) {
  using Values = std::initializer_list<Recorder::Value>;
  const SpanId training =
      recorder.begin(from_us, kSampleJob, "training", Values{{"attempt", 1, {}}});
  recorder.counter(from_us + 1'000'000, kSampleJob, "step", 17);
  recorder.custom(from_us + 2'500'000, RecordKind::kFault, sample_node(3),
                  std::array<std::uint64_t, 2>{1, 2},
                  R"("id":"spot-1","kind":"preemption","target":"node:gpu-3","outcome":"fired")");
  const SpanId repair = recorder.begin(from_us + 2'500'000, sample_node(3), "repairing");
  recorder.instant(from_us + 3'000'000, {EntityKind::kAccelerator, 3, 5}, "detected",
                   Values{{"by", 0, "poll \"2 s\"\n"}, {"code", -94, {}}});
  recorder.custom(
      from_us + 3'000'000, RecordKind::kDecision, kSampleJob, std::array<std::uint64_t, 1>{9},
      R"("batch":1,"steps":[{"rule":"ray_train.failure.retry","from":"RUNNING","to":"RESTARTING",)"
      R"("saw":[0],"budgets":[{"budget":"max_failures","cause":"application","used":1,"limit":3,)"
      R"("charged":true,"exhausted":false}],"commands":[],"rejected":[]}],"fault":"spot-1")");
  recorder.end(from_us + 3'000'000, training);
  recorder.end(from_us + 9'000'000, repair);
}

/// Header, run and closing records, to a sink.
inline void write_sample(LineSink& sink) {
  const SampleNames names;
  write_header(sink, sample_header());
  Recorder recorder(&sink, &names);
  play_sample(recorder);
  recorder.ledger(10'000'000, kSampleJob, R"("wall_us":10000000)");
  recorder.summary(10'000'000, R"({"schema":1,"scenario":"sample"})");
  recorder.end_of_run(10'000'000);
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A folder that is gone with the test.
class ScratchFolder {
 public:
  ScratchFolder() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    std::string name =
        fmt::format("aftershock-{}-{}-{}", test->test_suite_name(), test->name(), ::getpid());
    std::ranges::replace(name, '/', '-');  // of tests with parameters
    path_ = std::filesystem::path(::testing::TempDir()) / name;
    std::filesystem::create_directories(path_);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace aftershock::reports::testing
