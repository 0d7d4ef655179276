#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "reports/compare/recordings.h"
#include "reports/html/curve.h"
#include "reports/ledger/summary.h"
#include "reports/recording/header.h"
#include "reports/recording/reader.h"

// The data of one run's page, read from its recording record by record. Memory grows with the
// number of faults, by some hundred bytes each, and with nothing else, but for what two runs are
// compared by.
namespace aftershock::reports {

/// A move of a retry budget, as a fault's answer.
struct BudgetChange {
  std::int64_t t_us = 0;
  std::string budget;
  std::string cause;
  std::string rule;
  std::int64_t used = 0;
  std::optional<std::int64_t> limit;
  bool charged = true;
};

/// A fault, how it was seen, and what it came to for all jobs together.
struct FaultStory {
  std::string id;
  std::string kind;
  std::string target;
  bool masked = false;
  std::int64_t t_us = 0;
  std::optional<std::int64_t> detected_us;
  std::vector<std::string> seen;     ///< types of the events by which a policy saw it
  std::vector<std::uint32_t> rules;  ///< of RunData::rules, in the order of their first use
  std::vector<BudgetChange> moves;
  /// Wall time put down to it; of a run that is cut off what it cost until then.
  std::int64_t cost_us = 0;
  std::int64_t lost_us = 0;  ///< of that, rolled back
};

/// A rule that was used.
struct RuleStory {
  std::string id;
  std::string sentence;
  std::string source;
  std::int64_t used = 0;     ///< steps of decisions
  std::int64_t charges = 0;  ///< budget moves that counted
};

/// One step of a decision that answered a fault or moved a budget.
struct StepStory {
  std::int64_t t_us = 0;
  std::string on;  ///< "job:llm"
  std::string fault;
  std::uint32_t rule = 0;
  std::string from;
  std::string to;
  std::string commands;
  std::vector<BudgetChange> moves;
};

/// A retry budget over time.
struct BudgetStory {
  std::string name;
  CurveBuilder used;
  std::int64_t now = 0;
  std::optional<std::int64_t> limit;
  bool exhausted = false;
  bool by_agent = false;  ///< as of BudgetSummary
};

/// A job or an experiment.
struct PartStory {
  std::string on;  ///< "job:llm", "experiment:search"
  std::string name;
  std::string policy;
  std::optional<std::int64_t> steps;
  std::int64_t step_us = 0;
  bool ended = false;  ///< its summary was there
  std::string outcome;
  std::string reason;
  std::string vendor_state;
  std::int64_t wall_us = 0;
  EndState at_end = EndState::kTraining;
  /// Useful work, and the time that it is held against; none where the run's end is not there.
  std::optional<std::int64_t> useful_us;
  std::int64_t useful_of_us = 0;
  std::optional<std::int64_t> steps_done;
  // Of a part whose summary is not there what was recorded of it.
  std::int64_t attempts = 0;
  std::int64_t lost_steps = 0;
  std::int64_t lost_us = 0;
  /// The account; of a run that is cut off what its phases took until then.
  BucketTotals ledger_us{};
  CurveBuilder progress;
  CurveBuilder committed;
  std::vector<BudgetStory> budgets;
};

/// The page's view of a recording.
struct RunData {
  std::string path;  ///< as it was given
  /// The command that shows it on a timeline; empty: `aftershock view` with the path.
  std::vector<std::string> view;
  ReadResult read;  ///< kPartial: the run's end is not there
  std::string scenario;
  std::string question;
  std::string version;  ///< of the program that ran it
  std::uint64_t seed = 0;
  std::string verdict;  ///< empty where the run's end is not there
  std::string verdict_reason;
  std::int64_t end_us = 0;
  std::vector<PartStory> parts;
  std::vector<FaultStory> faults;
  std::vector<RuleStory> rules;
  std::vector<std::pair<std::string, CurveBuilder>> nodes_up;  ///< by pool
  std::vector<std::pair<std::string, bool>> expectations;      ///< in words, and whether met
  std::vector<std::string> warnings;
  std::vector<std::pair<std::string, std::string>> never_struck;  ///< scripted faults, and why
  std::int64_t violations = 0;
  // Of the steps of decisions that tell something the first ones and the last ones.
  std::vector<StepStory> first_steps;
  std::deque<StepStory> last_steps;
  std::int64_t steps_between = 0;
  /// The recording to compare with another run's, where that was asked for.
  std::optional<RecordedRun> recorded;
};

/// The purpose for which a run is read: a page of its own, or one of two.
enum class ReadFor : std::uint8_t { kRun, kComparison };

/// Reads a recording; an error in words where there is none to read.
std::variant<RunData, std::string> read_run_data(const std::string& path,
                                                 ReadFor wanted = ReadFor::kRun);
/// The same from bytes at hand; `name` stands for the path.
std::variant<RunData, std::string> read_run_data(std::unique_ptr<RawBytes> bytes,
                                                 const std::string& name,
                                                 ReadFor wanted = ReadFor::kRun);

/// Useful work of a part by the time until completion or the horizon; none before its end.
std::optional<double> useful_share_of(const PartStory& part);
/// ETTR of a part: productive over all time; none for no time.
std::optional<double> ettr_of(const PartStory& part);

}  // namespace aftershock::reports
