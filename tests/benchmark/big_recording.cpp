#include "tests/benchmark/big_recording.h"

#include <array>
#include <vector>

#include <fmt/format.h>

#include "reports/recording/file_sink.h"
#include "reports/recording/header.h"
#include "reports/recording/recorder.h"

namespace aftershock::testing {

namespace {

using reports::Entity;
using reports::EntityKind;

class Names final : public reports::EntityNames {
  void append_name(std::string& out, Entity entity) const override {
    if (entity.kind == EntityKind::kNode) {
      out.append("node:npu-").append(std::to_string(entity.sub));
    } else {
      out.append("experiment:search/trial:").append(std::to_string(entity.sub));
    }
  }
};

reports::RecordingHeader header_of(const BigRecording& size) {
  reports::RecordingHeader header = reports::new_header();
  header.experiments.push_back({.name = "search",
                                .policy = "ray_tune@2026-05",
                                .pool = "npu",
                                .trials = size.lanes,
                                .accelerators_e4 = 10'000,
                                .steps = 1000});
  return header;
}

/// The lane of a record: all come up equally often, in no order that a cache could follow.
std::uint32_t lane_at(std::int64_t i, std::int64_t lanes) {
  constexpr std::uint64_t kStride = 0x9e3779b1U;  // a prime, so it meets every lane
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(i) * kStride %
                                    static_cast<std::uint64_t>(lanes));
}

}  // namespace

std::string write_big_recording(const std::string& path, const BigRecording& size) {
  static constexpr std::array<reports::Word, 6> kPhases{"training",   "checkpointing", "restoring",
                                                        "undetected", "launching",     "deciding"};
  reports::FileSink sink(path);
  const Names names;
  reports::write_header(sink, header_of(size));
  reports::Recorder recorder(&sink, &names);
  std::vector<reports::SpanId> open(static_cast<std::size_t>(size.open_at_once), 0);
  std::int64_t t_us = 0;
  std::int64_t faults = 0;
  for (std::int64_t i = 0; i < size.spans; ++i) {
    t_us += 137'000 + i % 1009;
    reports::SpanId& slot = open[static_cast<std::size_t>(i % size.open_at_once)];
    if (slot != 0) {
      recorder.end(t_us, slot);
    }
    const std::uint32_t lane = lane_at(i, size.lanes);
    const bool fault = i % size.spans_per_fault == size.spans_per_fault - 1;
    if (fault) {
      const std::uint64_t words[] = {static_cast<std::uint64_t>(faults)};
      recorder.custom(
          t_us, reports::RecordKind::kFault, {EntityKind::kNode, 0, lane}, words,
          fmt::format(R"("number":{0},"id":"crash#{0}","kind":"node_crash","what":"node_crash",)"
                      R"("target":"node:npu-{1}","outcome":"fired")",
                      faults, lane));
      ++faults;
    }
    slot = recorder.begin(t_us, {EntityKind::kTrial, 0, lane},
                          kPhases[static_cast<std::size_t>(i % 6)],
                          {{"attempt", i / size.lanes}, {"cause", fault ? faults - 1 : -5}});
  }
  for (const reports::SpanId id : open) {
    if (id != 0) {
      recorder.end(t_us, id);
    }
  }
  recorder.end_of_run(t_us);
  return sink.finish().value_or("");
}

}  // namespace aftershock::testing
