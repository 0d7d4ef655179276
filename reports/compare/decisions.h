#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "reports/recording/sink.h"

// Decisions as two runs are held against each other by, and as people are told of them. All texts
// are as they are in the recording.
namespace aftershock::reports {

/// The move of one retry budget by a step.
struct BudgetMove {
  std::string budget;
  std::string cause;        ///< the policy's reading of the failure
  std::int64_t before = 0;  ///< used until then
  std::int64_t used = 0;    ///< and from then on
  std::optional<std::int64_t> limit;
  bool charged = true;  ///< else exempt: this cause does not count
  bool exhausted = false;

  bool operator==(const BudgetMove&) const = default;
};

/// A command that a step ordered.
struct OrderedCommand {
  std::string type;
  std::string words;  ///< with its arguments: "start attempt: epoch 2, workers 128"
  std::optional<std::int64_t> id;
  std::optional<std::int64_t> epoch;
};

/// An alternative that a policy considered and rejected.
struct Rejected {
  std::string what;
  std::string why;
};

/// One rule that applied.
struct DecisionStep {
  std::int64_t t_us = 0;
  std::uint32_t decision = 0;    ///< of which of the recording's decisions, from 0
  std::string owner;             ///< the controller's job: "job:llm"
  std::string fault;             ///< id of the fault that is answered; empty: none
  bool false_alarm = false;      ///< answers the suspicion of a hang that was none
  std::vector<std::string> saw;  ///< events in words; all of the decision's where it names none
  std::string rule;
  std::string from;  ///< states
  std::string to;
  std::string word;  ///< the vendor's for what was decided, where it has one
  std::vector<BudgetMove> budgets;
  std::vector<OrderedCommand> commands;
  std::vector<Rejected> rejected;
};

/// The steps of a decision's record, a JSON object on one line; none for any other text. A member
/// that is missing or of another type reads as nothing.
std::vector<DecisionStep> decision_steps(std::string_view line);

/// So many steps of a run are kept, some 500 bytes each: runs that go on and on have more.
inline constexpr std::size_t kStepsMax = 200'000;

/// All steps of one run, in order.
struct Decisions {
  std::vector<DecisionStep> steps;
  bool cut = false;        ///< there were more than kStepsMax
  std::string unfinished;  ///< why the recording ends before its run did; empty: it does not
};

/// Adds the decision of a record, the nth of its run from 0; false: there is no room for more.
bool add_decision(Decisions& decisions, std::uint32_t nth, std::string_view line);

/// Takes in a run while it is recorded, and keeps nothing but its decisions.
class DecisionSink final : public LineSink {
 public:
  void boundary() override {}

  [[nodiscard]] const Decisions& decisions() const { return decisions_; }

 private:
  void take(std::string_view line) override;

  Decisions decisions_;
  std::uint32_t count_ = 0;
};

/// The decisions in a recording, whole or cut off; what is wrong with it, in words, if there is no
/// run in it to read.
std::variant<Decisions, std::string> read_decisions(const std::string& path);

}  // namespace aftershock::reports
