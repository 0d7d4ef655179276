#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "reports/recording/header.h"
#include "sim/scenario/phase.h"

// The facts of a live run: a line of JSON each, told by its driver as they come to be.
namespace aftershock::sim::live {

/// The first one: the real code, and how it is run.
struct Begun {
  std::string backend;
  std::string policy;  ///< FAMILY@VERSION
  std::vector<std::pair<std::string, std::string>> versions;
  std::string isolation;  ///< "namespaces" or "guardian"
  std::string clock;
  std::string addresses;  ///< "one" for all nodes, or "several"
};

/// The second: the words of the decisions that follow.
struct Rules {
  std::vector<reports::HeaderRule> rules;
  std::vector<std::string> states;
  std::vector<std::string> budgets;
};

/// A node changes.
struct NodeChange {
  std::string node;
  std::string what;  ///< up, lost, cut, healed, draining, added, removed
};

/// A group of workers is being started; attempts count from 1.
struct AttemptBegun {
  std::int64_t attempt = 0;
  std::int64_t ranks = 0;
  std::vector<std::string> nodes;
};

/// A process of a rank is there, or has ended.
struct WorkerChange {
  std::int64_t attempt = 0;
  std::int64_t rank = 0;
  std::string node;
  bool ended = false;
  std::optional<std::int64_t> code;  ///< of one that ended; -9 is SIGKILL
};

/// A rank enters a phase; without a rank the whole job does.
struct PhaseEntered {
  std::int64_t attempt = 0;
  std::optional<std::int64_t> rank;
  scenario::Phase phase = scenario::Phase::kLaunching;
  std::int64_t step = 0;  ///< with training: the steps that are done
};

/// A rank has done a step.
struct StepDone {
  std::int64_t attempt = 0;
  std::int64_t rank = 0;
  std::int64_t step = 0;
};

/// A checkpoint counts from now on, was read, or could not be read.
struct CheckpointTold {
  std::string what;  ///< committed, loaded, unreadable
  std::int64_t step = 0;
};

/// A fault of the scenario, by its place in the list.
struct FaultTold {
  std::uint32_t fault = 0;
  std::string what;  ///< struck, missed, over
  std::string on;    ///< as targets are written: job:llm/rank:1
  std::string why;   ///< of one that missed
};

/// A move of a budget.
struct BudgetMoved {
  std::string name;
  std::string cause;
  std::int64_t used = 0;
  std::optional<std::int64_t> limit;
  bool charged = true;
  bool exhausted = false;
};

/// A decision of the real controller, or of one of its agents. A mere change of state has no rule.
struct Decided {
  std::string by;  ///< "controller", "agent:1"
  std::string rule;
  std::string word;
  std::string from;
  std::string to;
  std::vector<std::string> saw;
  std::optional<std::uint32_t> fault;
  std::vector<BudgetMoved> budgets;
  std::vector<std::string> commands;  ///< types
};

/// The last one of a run that means something.
struct Ended {
  std::string outcome;  ///< completed, failed, aborted, running
  std::string state;    ///< the controller's
  std::string reason;
};

/// The driver itself failed.
struct Invalid {
  std::string why;
};

/// A fact and its time since the job was submitted.
struct Fact {
  std::int64_t t_us = 0;
  std::variant<Begun, Rules, NodeChange, AttemptBegun, WorkerChange, PhaseEntered, StepDone,
               CheckpointTold, FaultTold, Decided, Ended, Invalid>
      about;
};

/// The scenario's part in facts: a fact names its faults and ranks by number.
struct FactLimits {
  std::size_t faults = 0;
  std::int64_t ranks = 0;
};

/// The fact of a line; or what is wrong with it.
std::variant<Fact, std::string> read_fact(std::string_view line, const FactLimits& limits);

}  // namespace aftershock::sim::live
