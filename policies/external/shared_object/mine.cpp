// A recovery policy to copy: restarts the whole job, a few times. It decides as
// policies/external/python/policy.py does. README.md beside it says how it is built.
#include <cstdint>
#include <memory>
#include <vector>

#include <nlohmann/json.hpp>

#include "policies/external/library.h"
#include "policies/parts/config_values.h"
#include "policies/parts/retry_budget.h"
#include "policies/parts/settings.h"
#include "policies/parts/turns.h"

namespace {

using namespace aftershock::policies;

// A step names its rule, its states and its budgets by their places in the lists of info(), from 0
// on. These are the places in those of make_info, so their order is the same.
enum RuleId : std::uint16_t { kStart, kStop, kAbort, kGiveUp, kFinish };
enum class State : std::uint16_t { kWaiting, kRunning, kStopping, kComplete, kFailed };
constexpr std::uint16_t kMaxFailures = 0;

PolicyInfo make_info() {
  PolicyInfo info;
  info.name = "mine";
  info.profile = "1";
  info.states = {"WAITING", "RUNNING", "STOPPING", "COMPLETE", "FAILED"};
  info.budgets = {"max_failures"};
  info.rules = {
      {"mine.start", "A job that was submitted, or whose workers are gone, is started.", ""},
      {"mine.stop", "Where a worker or a start fails, all are stopped.", ""},
      {"mine.abort", "A stop that somebody asks for ends the job.", ""},
      {"mine.give_up", "More failures than max_failures are too many.", ""},
      {"mine.finish", "When all workers have returned the job is complete.", ""},
  };
  info.commits_checkpoints = false;  // the job's script finds the newest by itself
  return info;
}

class Mine final : public Policy {
 public:
  explicit Mine(std::int64_t limit) : failures_{.limit_or_unlimited = limit} {}

  [[nodiscard]] const PolicyInfo& info() const override {
    static const PolicyInfo kInfo = make_info();
    return kInfo;
  }
  [[nodiscard]] Decision on_events(const Batch& batch, const View& /*view*/) override {
    Decision decision;
    each_event(
        batch, [this] { return state_ >= State::kComplete; },
        [&](std::uint16_t at, const auto& event) { on(event, {&decision, at}); });
    // The fate of a worker is told at once.
    decision.watch.futures = FuturesWatch{epoch_};
    return decision;
  }
  [[nodiscard]] std::uint16_t state() const override { return static_cast<std::uint16_t>(state_); }
  [[nodiscard]] std::vector<BudgetState> budgets() const override {
    return {{failures_.used, failures_.limit()}};
  }
  /// Nothing: it never asks to persist, and a new controller counts from zero.
  [[nodiscard]] nlohmann::json durable(TimeUs /*at_us*/) const override { return nullptr; }
  [[nodiscard]] std::unique_ptr<Policy> clone() const override {
    return std::make_unique<Mine>(*this);
  }

 private:
  struct Turn {
    Decision* decision;
    std::uint16_t at;  // the event's place in its batch
  };

  // One for each type of event that it answers; nothing comes of all others.
  void on(const auto& /*event*/, Turn /*turn*/) {}
  // A scenario may have several jobs, with a policy each. Attempts count on from those of a
  // controller before this one.
  void on(const ControllerStarted& event, Turn /*turn*/) {
    job_ = event.job;
    epoch_ = event.epoch;
  }
  void on(const JobSubmitted& event, Turn turn) {
    workers_ = event.workers;
    start(turn);
  }
  void on(const WorkersStopped& event, Turn turn) {
    if (event.epoch == epoch_ && state_ == State::kStopping) {
      start(turn);
    }
  }
  void on(const WorkersFailed& event, Turn turn) { failed(event.epoch, turn); }
  // The nodes that the start has taken are given back as well.
  void on(const AttemptStartFailed& event, Turn turn) { failed(event.epoch, turn); }
  void on(const StopRequested& /*event*/, Turn turn) {
    step(turn, kAbort, State::kFailed,
         Fail{.id = ++commands_, .job = job_, .reason = "stopped_by_user"});
  }
  void on(const WorkersFinished& event, Turn turn) {
    if (event.epoch == epoch_) {  // messages may be late: of an attempt before this one
      step(turn, kFinish, State::kComplete, Complete{.id = ++commands_, .job = job_});
    }
  }

  void start(Turn turn) {
    step(turn, kStart, State::kRunning,
         StartAttempt{.id = ++commands_, .job = job_, .epoch = ++epoch_, .workers = workers_});
  }
  void failed(Epoch epoch, Turn turn) {
    if (epoch != epoch_ || state_ == State::kStopping) {
      return;  // of workers that are gone or being stopped: counted already
    }
    const bool exhausted = failures_.charge();
    Step& taken =
        exhausted ? step(turn, kGiveUp, State::kFailed,
                         Fail{.id = ++commands_, .job = job_, .reason = "exhausted(max_failures)"})
                  : step(turn, kStop, State::kStopping,
                         StopWorkers{.id = ++commands_, .job = job_, .epoch = epoch_});
    taken.budgets = {{.budget = kMaxFailures,
                      .cause = ChargeCause::kApplication,
                      .used = failures_.used,
                      .limit = failures_.limit(),
                      .exhausted = exhausted}};
  }
  Step& step(Turn turn, RuleId rule, State to, const Command& command) {
    Step& taken = append_step(*turn.decision, rule, state_, to, turn.at);
    taken.commands = {command};
    return taken;
  }

  State state_ = State::kWaiting;
  RetryBudget failures_;
  JobId job_ = 0;
  Epoch epoch_ = 0;
  std::uint32_t workers_ = 0;
  CommandId commands_ = 0;
};

/// Reads the settings; where one is misspelt or of no use, that is said with file and line.
MakeResult make_mine(const PolicyRequest& request) {
  std::vector<ConfigIssue> issues;
  Settings settings(*request.config, "/config", issues);
  std::int64_t limit = 3;
  if (const nlohmann::json* value = settings.member("max_failures")) {
    limit = integer_value(*value).value_or(-2);
    if (limit < RetryBudget::kUnlimited) {
      settings.refuse("max_failures", "an integer of at least -1, which means no limit");
    }
  }
  // Of a scenario with Ray Train's policy: the job's checkpoint.keep, which its script sees to.
  settings.member("num_to_keep");
  settings.finish("max_failures");
  if (!issues.empty()) {
    return issues;
  }
  return ConfiguredPolicy{.policy = std::make_unique<Mine>(limit)};
}

}  // namespace

AFTERSHOCK_POLICY_LIBRARY("mine", make_mine)
