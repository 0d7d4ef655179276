#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/recording/sink.h"

namespace aftershock::reports {

/// The schema of recordings that this code writes and reads.
inline constexpr std::int64_t kRecordingSchema = 1;

/// A job as the recording's reader needs it.
struct HeaderJob {
  std::string name;
  std::string policy;  ///< names one of RecordingHeader::policies
  std::int64_t workers = 0;
  std::int64_t accelerators = 0;
  std::string pool;
  std::optional<std::int64_t> steps;
  std::int64_t step_us = 0;
};

/// An experiment as the recording's reader needs it; its trials count from 0.
struct HeaderExperiment {
  std::string name;
  std::string policy;  ///< names one of RecordingHeader::policies
  std::string pool;
  std::int64_t trials = 0;
  std::int64_t accelerators_e4 = 0;  ///< of a trial, in parts of 10,000 of one
  std::optional<std::int64_t> steps;
};

/// Entities of one kind, as a range: `name` has one %d, which is replaced by first, first + 1, ...
struct HeaderEntities {
  std::string kind;  ///< node, spare, head, storage, job, ...
  std::string pool;  ///< empty where there is none
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::string name;               ///< e.g. "gpu-%d"
  std::int64_t racks = 0;         ///< 0 where there are none
  std::int64_t accelerators = 0;  ///< per node
  std::string accelerator_kind;   ///< gpu, npu
};

/// A rule of a policy; decisions refer to it by its index.
struct HeaderRule {
  std::string id;
  std::string sentence;
  std::string source;
};

/// The words of a policy that decisions refer to by index.
struct HeaderPolicy {
  std::string name;  ///< name@profile
  std::vector<HeaderRule> rules;
  std::vector<std::string> states;
  std::vector<std::string> budgets;
};

/// A run of real processes: the real code, and how it was run. Nothing of it can be made again.
struct HeaderLive {
  std::string backend;                                        ///< "torchrun", "ray", "nvrx"
  std::vector<std::pair<std::string, std::string>> versions;  ///< by package
  std::string isolation;   ///< "namespaces" of its own, or a "guardian" that cleans up
  std::string clock;       ///< that its times are of
  std::string addresses;   ///< "one" for all nodes, or "several"
  std::int64_t speed = 1;  ///< the scenario's durations were divided by it; times are real

  friend bool operator==(const HeaderLive&, const HeaderLive&) = default;
};

/// The first record of a file: all that a reader needs to know that is not in the records.
struct RecordingHeader {
  std::int64_t schema = kRecordingSchema;
  std::string version;  ///< of the program that wrote it
  std::string commit;
  std::string scenario_json = "{}";  ///< resolved, an object on one line
  std::string digest;                ///< `text_digest` of the scenario
  std::uint64_t seed = 0;
  std::string policy;  ///< name@profile of the first job
  std::string start;   ///< ISO 8601, empty when not given
  std::vector<HeaderJob> jobs;
  std::vector<HeaderExperiment> experiments;
  std::vector<HeaderEntities> entities;
  std::vector<HeaderPolicy> policies;
  std::vector<std::string> buckets;
  std::optional<HeaderLive> live{};  ///< none: a simulated run
};

/// A header with the version and commit of this build, and the bucket names.
RecordingHeader new_header();

/// 16 hex digits that tell two texts apart, the same on every machine.
std::string text_digest(std::string_view text);

/// The header as a line of JSON, without the newline.
std::string header_line(const RecordingHeader& header);
/// Writes it and a boundary: the file of a run that is killed soon says at least what it is.
inline void write_header(LineSink& sink, const RecordingHeader& header) {
  sink.line(header_line(header));
  sink.boundary();
}

/// The header in a recording's first line; none if it is not one. Unknown members are passed over.
std::optional<RecordingHeader> parse_header(std::string_view line);

}  // namespace aftershock::reports
