#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/compare/decisions.h"

// Where two runs part. There are two readings.
//
// Step by step: for runs that should do the same at the same times (another build, a baseline). Per
// owner, in order of time, the nth step is held against the nth: time, fault, rule, states, budget
// moves and commands with their arguments; and a run may end before the other.
//  By fault: for runs that are to differ (another policy, or its configuration), on the same
// faults. Events between faults shift in time and number with the least change, so that only
// answers to one fault are held against each other, whenever they were given, and by their acts:
// rule, types of commands, what was charged or exempt, and what that exhausted. Two policies have
// no rules and budgets in common: of them only types of commands count.
namespace aftershock::reports {

/// All steps of one job's or experiment's controller that answer one fault.
struct Answer {
  std::string owner;
  std::string fault;  ///< its id; empty: the suspicions of hangs that were none
  std::vector<DecisionStep> steps;
};

/// The answers in a run, in the order of each one's first step. Steps that answer nothing are left
/// out.
std::vector<Answer> answers_in(std::span<const DecisionStep> steps);

/// The first of these parts in which two steps differ.
enum class Differs : std::uint8_t {
  kEnded,  ///< one run has no such step
  kTime,
  kFault,
  kRule,
  kStates,
  kBudgets,
  kCommands,
};

/// Where two controllers first did something else.
struct Divergence {
  std::string owner;  ///< "job:llm"
  std::string fault;  ///< its id; empty: none
  bool false_alarm = false;
  Differs differs = Differs::kEnded;
  /// The step in each run, none where that run had nothing further to it.
  std::optional<DecisionStep> a;
  std::optional<DecisionStep> b;
  std::int64_t a_us = 0;  ///< time of that step; without one, of the last step before
  std::int64_t b_us = 0;  ///< or, where there was none before either, of the other run's step
};

/// Step by step: the earliest of all owners. None where the runs are the same.
std::optional<Divergence> first_difference(std::span<const DecisionStep> a,
                                           std::span<const DecisionStep> b);

/// By fault: at most one for each owner and fault, by the time in A. Owners and faults that only
/// one run answered do not count as divergences.
std::vector<Divergence> divergences_by_fault(const std::vector<Answer>& a,
                                             const std::vector<Answer>& b);

/// By fault: the earliest in either run, also of faults to which only one run ordered anything.
std::optional<Divergence> first_by_fault(std::span<const DecisionStep> a,
                                         std::span<const DecisionStep> b);

}  // namespace aftershock::reports
