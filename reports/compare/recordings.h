#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "reports/compare/decisions.h"
#include "reports/compare/divergence.h"
#include "reports/recording/reader.h"
#include "reports/render/style.h"

// Two recordings held against each other.
namespace aftershock::reports {

/// A fault that a recording tells of.
struct RecordedFault {
  std::int64_t t_us = 0;
  std::string id;
  std::string kind;
  std::string target;  ///< as in the scenario
  std::string on;      ///< where it struck; empty: nowhere

  bool operator==(const RecordedFault&) const = default;
};

/// The parts of a recording that are compared.
struct RecordedRun {
  std::string path;
  std::string scenario;  ///< its name
  std::string policy;    ///< name@profile of the first job
  std::uint64_t seed = 0;
  std::string backend{};   ///< of a live run; empty: it is simulated
  std::int64_t speed = 1;  ///< of a live run, whose scenario's durations were divided by it
  std::string hash;        ///< of a whole recording, else empty
  std::string text;        ///< of the scenario, one JSON object with all that was set for this run
  std::vector<RecordedFault> faults;
  Decisions decisions;
  std::string summary;  ///< the object of `run --json`; empty: the recording ends before
  std::int64_t last_us = 0;
  std::int64_t unplaced = 0;  ///< attempts of a job that have only waited for nodes
};

/// Takes a recording in, record by record.
class RecordedRunBuilder {
 public:
  /// The next one; the header comes first.
  void add(const Record& record);
  /// All that came, once; `result` says how it ended. `path` as it was given.
  RecordedRun finish(const ReadResult& result, const std::string& path);

 private:
  void add_span(const Record& span);
  void end_attempt();

  RecordedRun run_;
  bool in_attempt_ = false;
  std::optional<bool> had_nodes_{};  // the newest attempt, once it has begun to wait or to launch
  std::uint32_t decisions_ = 0;
};

/// Reads it; what is wrong with it, in words, if there is no run in it to read.
std::variant<RecordedRun, std::string> read_run(const std::string& path);

/// The faults that two runs share, up to the end of the shorter.
struct FaultsMet {
  std::int64_t same = 0;
  std::int64_t changed = 0;  ///< of one id, but another time, kind and place
  std::int64_t only_a = 0;
  std::int64_t only_b = 0;
  std::string first;  ///< id of the first that is not in both alike; empty: all are

  /// Whether the runs can be held against each other.
  [[nodiscard]] bool is_same() const { return changed + only_a + only_b == 0; }
};

/// Each fault beside the one of its id; of several with one id the nth beside the nth. Two are at
/// one place if they were aimed at the same or struck the same.
FaultsMet compare_faults(const RecordedRun& a, const RecordedRun& b);

/// Whether both are one run, event by event.
bool is_same_run(const RecordedRun& a, const RecordedRun& b);

/// Where their decisions part first: by fault where they have the same faults, else step by step.
std::optional<Divergence> first_divergence(const RecordedRun& a, const RecordedRun& b);

/// A value that two scenarios do not have alike, as JSON; none where one has nothing there.
struct OtherSetting {
  std::string pointer;  ///< as `--set` takes it
  std::optional<std::string> a;
  std::optional<std::string> b;

  bool operator==(const OtherSetting&) const = default;
};

/// The settings that differ in the scenarios of two runs, in the order of pointers, without those
/// that only name or explain a scenario.
std::vector<OtherSetting> other_settings(const RecordedRun& a, const RecordedRun& b);

/// A number of both runs' jobs and experiments: "wall_us", "useful_share", "ettr", a bucket of the
/// ledger.
struct LedgerLine {
  std::string of;    ///< "job:llm"
  std::string what;  ///< as in the summary
  std::optional<double> a;
  std::optional<double> b;
};

/// The ledgers of both, of the jobs and experiments that both have; lines that are 0 in both are
/// left out. Empty where a recording has no summary.
std::vector<LedgerLine> compare_ledgers(const RecordedRun& a, const RecordedRun& b);

/// All of it in words, with where their decisions part first: by fault where they have the same
/// faults, else step by step.
std::string recordings_text(const RecordedRun& a, const RecordedRun& b, const Style& style);
/// The same for programs.
nlohmann::ordered_json recordings_json(const RecordedRun& a, const RecordedRun& b);

}  // namespace aftershock::reports
