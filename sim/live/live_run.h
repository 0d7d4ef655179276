#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/ledger/ledger.h"
#include "reports/ledger/summary.h"
#include "reports/recording/recorder.h"
#include "sim/live/fact.h"
#include "sim/scenario/scenario.h"
#include "sim/world/names.h"

namespace aftershock::sim::live {

/// A live run as its facts tell it, recorded while they come: spans, decisions, charges and the
/// ledger of a simulated run. It owns the account of one job; its facts come in order of time.
class LiveRun {
 public:
  /// The time that a job was in a phase.
  struct Stay {
    std::int64_t attempt = 0;  ///< 0: before the first
    scenario::Phase phase = scenario::Phase::kLaunching;
    std::int64_t us = 0;
  };

  /// Both outlive the run; without a `sink` nothing is written. The durations of the scenario were
  /// divided by `speed` for the driver; facts come in real time.
  LiveRun(const scenario::Scenario& scenario, reports::LineSink* sink, int speed = 1);

  /// The next fact. `Begun` and `Rules` come first, and once.
  void take(const Fact& fact);
  /// The last fact has come, or no more will: `why` is empty, or says what broke the run off.
  /// Closes the recording, and returns the result with its expectations judged.
  reports::RunSummary finish(std::string_view why);

  /// Whether the fact of its end has come.
  [[nodiscard]] bool over() const { return end_.has_value() || !invalid_.empty(); }
  [[nodiscard]] std::int64_t now_us() const { return now_us_; }
  [[nodiscard]] const std::optional<Begun>& begun() const { return begun_; }
  /// All phases that are over, in order.
  [[nodiscard]] const std::vector<Stay>& stays() const { return stays_; }

 private:
  /// The standing of the newest attempt.
  enum class Standing : std::uint8_t {
    kStarting,
    kRunning,
    kBroken,    ///< a fault holds it up, and no decision has come
    kStopping,  ///< a decision has come, and no new attempt
  };
  struct Rank {
    scenario::Phase phase = scenario::Phase::kLaunching;
    bool told = false;
    bool ended = false;
  };
  /// A fault that struck; its place in the list is its number.
  struct Strike {
    std::uint32_t spec = 0;
    std::int64_t t_us = 0;
    bool detected = false;
    bool stalls = false;    ///< a hang or a cut: the job may go on by itself
    bool answered = false;  ///< its recovery has begun
    std::string id{};       ///< as a simulated run has it
  };

  void take(const Begun& begun);
  void take(const Rules& rules);
  void take(const NodeChange& change);
  void take(const AttemptBegun& attempt);
  void take(const WorkerChange& change);
  void take(const PhaseEntered& entered);
  void take(const StepDone& done);
  void take(const CheckpointTold& told);
  void take(const FaultTold& told);
  void take(const Decided& decided);
  void take(const Ended& ended);
  void take(const Invalid& invalid);

  void write_header();
  void record_holdings(const std::vector<std::string>& nodes);
  void enter(scenario::Phase phase, reports::Cause cause);
  void enter_phase_of_group();
  void resume_from(std::int64_t step);
  void break_off(bool stalls);
  void charge(const Decided& decided);
  void write_decision(const Decided& decided);
  void answer(const Decided& decided);
  reports::Recovery& open_recovery(std::uint32_t strike);
  void begin_anew();
  [[nodiscard]] std::optional<scenario::Phase> phase_of_group() const;
  [[nodiscard]] reports::Cause cause_of_stop() const;
  [[nodiscard]] std::optional<std::uint32_t> newest_strike_of(std::uint32_t spec) const;
  [[nodiscard]] std::string id_of(std::uint32_t spec) const;
  [[nodiscard]] std::int64_t productive_at(std::int64_t step) const;
  [[nodiscard]] std::vector<std::string> fault_ids() const;
  [[nodiscard]] reports::EndState state_at_end() const;
  void close_spans();
  void fill_faults(reports::RunSummary& summary) const;
  /// The faults of the scenario of which the driver has told nothing.
  [[nodiscard]] std::vector<std::uint32_t> untold() const;
  /// One of those that was due before the end, in words; empty: there is none.
  [[nodiscard]] std::string overdue() const;
  void fill_warnings(reports::RunSummary& summary) const;
  [[nodiscard]] reports::JobSummary job_summary() const;

  const scenario::Scenario& scenario_;
  reports::LineSink* sink_;
  int speed_;
  world::ScenarioNames names_;
  reports::Recorder recorder_;
  reports::Ledger ledger_;
  std::int64_t now_us_ = 0;
  std::optional<Begun> begun_;
  Rules rules_;
  std::optional<Ended> end_;
  std::string invalid_;
  bool header_written_ = false;

  scenario::Phase phase_ = scenario::Phase::kLaunching;
  std::int64_t phase_since_us_ = 0;
  std::vector<Stay> stays_;
  reports::SpanId phase_span_ = 0;
  reports::SpanId attempt_span_ = 0;
  std::vector<std::pair<std::string, reports::SpanId>> down_;  ///< nodes
  std::int64_t attempts_ = 0;
  Standing standing_ = Standing::kStarting;
  std::vector<Rank> ranks_;
  std::vector<std::string> nodes_;   ///< of the newest attempt
  std::vector<std::uint32_t> held_;  ///< the same, by their numbers, as the recording has it
  bool forced_phase_ = false;        ///< the driver has said the phase of the whole job
  bool decided_end_ = false;         ///< the last decision starts nothing anew

  std::int64_t step_ = 0;
  std::int64_t high_water_ = 0;
  std::int64_t committed_ = 0;
  std::int64_t commits_ = 0;
  /// Steps that were done and the productive time at which; a roll-back takes from the end.
  std::vector<std::pair<std::int64_t, std::int64_t>> productive_;
  std::int64_t lost_steps_ = 0;
  std::int64_t lost_us_ = 0;

  std::vector<Strike> strikes_;
  std::vector<FaultTold> missed_;
  std::vector<FaultTold> inexact_;     ///< struck, and not quite as the scenario has it
  std::optional<std::uint32_t> open_;  ///< the strike that the newest recovery answers
  std::vector<reports::Recovery> recoveries_;
  std::vector<std::pair<std::string, reports::BudgetSummary>> budgets_;
  std::vector<std::string> rules_applied_;
  std::string state_;
  std::int64_t batches_ = 0;
};

}  // namespace aftershock::sim::live
