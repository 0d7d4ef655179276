#include "sim/live/live_run.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "sim/live/place.h"

namespace aftershock::sim::live {

namespace {

using reports::Cause;
using reports::EntityKind;

constexpr reports::Entity kJob{EntityKind::kJob, 0};

// The kinds under which nothing ends, and the job may go on by itself.
bool stalls(scenario::FaultKind kind) {
  return kind == scenario::FaultKind::kHang || kind == scenario::FaultKind::kPartition ||
         kind == scenario::FaultKind::kOneWayPartition;
}

// Phases of a rank in the order in which a start goes through them; saving is a part of training.
int progress(scenario::Phase phase) {
  constexpr std::array kOrder{scenario::Phase::kWaitingForCapacity, scenario::Phase::kLaunching,
                              scenario::Phase::kRendezvous,         scenario::Phase::kRestoring,
                              scenario::Phase::kWarmingUp,          scenario::Phase::kTraining,
                              scenario::Phase::kFinalizing};
  const auto* const found = std::ranges::find(kOrder, phase);
  return static_cast<int>(found == kOrder.end() ? &kOrder[5] - kOrder.data()
                                                : found - kOrder.data());
}

}  // namespace

LiveRun::LiveRun(const scenario::Scenario& scenario, reports::LineSink* sink, int speed)
    : scenario_(scenario),
      sink_(sink),
      speed_(speed),
      names_(scenario),
      recorder_(sink, &names_),
      ledger_(0, world::bucket_of(scenario::Phase::kLaunching), Cause::first_start(),
              scenario.jobs.front().workers),
      step_(scenario.jobs.front().initial_steps),
      high_water_(step_),
      committed_(step_) {}

void LiveRun::take(const Fact& fact) {
  // Processes tell by themselves: a line may be a moment late.
  now_us_ = std::max(now_us_, fact.t_us);
  std::visit([this](const auto& about) { take(about); }, fact.about);
}

void LiveRun::take(const Begun& begun) { begun_ = begun; }

void LiveRun::take(const Rules& rules) {
  rules_ = rules;
  write_header();
  enter(scenario::Phase::kLaunching, Cause::first_start());
}

void LiveRun::enter(scenario::Phase phase, Cause cause) {
  if (phase_span_ != 0 && phase == phase_ && cause == ledger_.cause()) {
    return;
  }
  if (phase_span_ != 0) {
    recorder_.end(now_us_, phase_span_);
    stays_.push_back({attempts_, phase_, now_us_ - phase_since_us_});
  }
  phase_ = phase;
  phase_since_us_ = now_us_;
  ledger_.enter(now_us_, world::bucket_of(phase), cause);
  phase_span_ = recorder_.begin(now_us_, kJob, world::word_of(phase),
                                {{"epoch", attempts_}, {"cause", cause.value}});
}

Cause LiveRun::cause_of_stop() const {
  return open_ ? Cause::fault(*open_) : attempts_ <= 1 ? Cause::first_start() : Cause::policy();
}

std::optional<scenario::Phase> LiveRun::phase_of_group() const {
  std::optional<scenario::Phase> slowest;
  bool saves = false;
  for (const Rank& rank : ranks_) {
    if (rank.ended) {
      continue;
    }
    saves |= rank.phase == scenario::Phase::kCheckpointing;
    if (!slowest || progress(rank.phase) < progress(*slowest)) {
      slowest = rank.phase;
    }
  }
  return slowest == scenario::Phase::kTraining && saves ? scenario::Phase::kCheckpointing : slowest;
}

void LiveRun::enter_phase_of_group() {
  const std::optional<scenario::Phase> phase = phase_of_group();
  if (!phase || standing_ == Standing::kBroken || standing_ == Standing::kStopping) {
    return;
  }
  if (*phase == scenario::Phase::kTraining || *phase == scenario::Phase::kCheckpointing) {
    standing_ = Standing::kRunning;
    if (open_ && !recoveries_.empty() && !recoveries_.back().running_us) {
      recoveries_.back().running_us = now_us_;
    }
    open_.reset();
    enter(*phase, *phase == scenario::Phase::kTraining ? Cause::policy() : Cause::checkpoint());
  } else {
    enter(*phase, cause_of_stop());
  }
}

// Nodes beyond those that the scenario names have no place in the recording.
void LiveRun::record_holdings(const std::vector<std::string>& nodes) {
  std::vector<std::uint32_t> numbers;
  for (const std::string& name : nodes) {
    if (const auto number = node_of(scenario_, name)) {
      numbers.push_back(*number);
    }
  }
  if (numbers != held_) {
    recorder_.holds(now_us_, kJob, numbers);
    held_ = std::move(numbers);
  }
}

void LiveRun::take(const AttemptBegun& attempt) {
  if (attempt_span_ != 0) {
    recorder_.end(now_us_, attempt_span_);
  }
  ++attempts_;
  standing_ = Standing::kStarting;
  forced_phase_ = false;
  ranks_.assign(static_cast<std::size_t>(attempt.ranks), Rank{});
  nodes_ = attempt.nodes;
  record_holdings(nodes_);
  attempt_span_ =
      recorder_.begin(now_us_, kJob, "attempt", {{"epoch", attempts_}, {"from", commits_}});
  ledger_.use(now_us_, std::min<std::int64_t>(attempt.ranks, scenario_.jobs.front().workers));
  enter(scenario::Phase::kLaunching, cause_of_stop());
}

void LiveRun::take(const PhaseEntered& entered) {
  if (!entered.rank) {
    forced_phase_ = true;
    enter(entered.phase, cause_of_stop());
    return;
  }
  if (entered.attempt != attempts_ || *entered.rank >= static_cast<std::int64_t>(ranks_.size())) {
    return;  // an orphan of an attempt that is over
  }
  Rank& rank = ranks_[static_cast<std::size_t>(*entered.rank)];
  if (entered.phase == scenario::Phase::kTraining && *entered.rank == 0 && !rank.told) {
    resume_from(entered.step);
    rank.told = true;
  }
  rank.phase = entered.phase;
  enter_phase_of_group();
}

void LiveRun::resume_from(std::int64_t step) {
  if (step >= step_) {
    return;
  }
  ledger_.close(now_us_);
  const Cause cause = open_ ? Cause::fault(*open_)
                      : strikes_.empty()
                          ? Cause::policy()
                          : Cause::fault(static_cast<std::uint32_t>(strikes_.size() - 1));
  const std::int64_t moved_us = ledger_.roll_back(productive_at(step), cause);
  const std::int64_t step_us = scenario_.jobs.front().step_us / speed_;
  recorder_.instant(
      now_us_, kJob, "rolled_back",
      {{"from_us", step_ * step_us}, {"to_us", step * step_us}, {"lost_us", moved_us}});
  lost_steps_ += step_ - step;
  lost_us_ += moved_us;
  if (!recoveries_.empty()) {
    recoveries_.back().lost_us += moved_us;
  }
  step_ = step;
  std::erase_if(productive_, [step](const auto& done) { return done.first > step; });
}

std::int64_t LiveRun::productive_at(std::int64_t step) const {
  std::int64_t us = 0;
  for (const auto& [done, productive_us] : productive_) {
    if (done <= step) {
      us = productive_us;
    }
  }
  return us;
}

void LiveRun::take(const StepDone& done) {
  if (done.attempt != attempts_ || done.rank != 0 || done.step <= step_) {
    return;
  }
  if (standing_ == Standing::kBroken && !strikes_.empty() && strikes_.back().stalls) {
    standing_ = Standing::kRunning;  // the fault that held it is over
    if (!strikes_.back().answered) {
      open_recovery(static_cast<std::uint32_t>(strikes_.size() - 1));
    }
    enter_phase_of_group();
  }
  step_ = done.step;
  productive_.emplace_back(step_, ledger_.productive_us(now_us_));
  recorder_.counter(now_us_, kJob, "steps", step_);
  if (step_ >= high_water_) {
    high_water_ = step_;
    if (!recoveries_.empty() && recoveries_.back().running_us && !recoveries_.back().caught_up_us) {
      recoveries_.back().caught_up_us = now_us_;
    }
  }
}

void LiveRun::take(const CheckpointTold& told) {
  if (told.what == "committed") {
    ++commits_;
    committed_ = told.step;
    recorder_.counter(now_us_, kJob, "committed_steps", committed_);
  } else if (told.what == "unreadable") {
    recorder_.instant(now_us_, kJob, "restore_failed", {{"steps", told.step}});
  }
}

void LiveRun::break_off(bool stalls) {
  if (standing_ != Standing::kRunning && standing_ != Standing::kStarting) {
    return;
  }
  if (!strikes_.empty() && !open_) {
    open_ = static_cast<std::uint32_t>(strikes_.size() - 1);
  }
  if (stalls && standing_ == Standing::kStarting) {
    return;  // a start that takes longer is still one
  }
  standing_ = Standing::kBroken;
  enter(scenario::Phase::kUndetected, cause_of_stop());
}

void LiveRun::take(const WorkerChange& change) {
  if (!change.ended || change.attempt != attempts_ ||
      change.rank >= static_cast<std::int64_t>(ranks_.size())) {
    return;
  }
  ranks_[static_cast<std::size_t>(change.rank)].ended = true;
  if (change.code.value_or(1) != 0) {
    break_off(false);
  }
  const bool gone = std::ranges::all_of(ranks_, &Rank::ended);
  if (gone && standing_ == Standing::kStopping && !decided_end_ && !forced_phase_) {
    enter(scenario::Phase::kLaunching, cause_of_stop());
  } else if (gone && (standing_ == Standing::kRunning || standing_ == Standing::kStarting)) {
    enter(scenario::Phase::kFinalizing, Cause::policy());
  }
}

void LiveRun::take(const NodeChange& change) {
  const auto node = node_of(scenario_, change.node);
  if (!node) {
    return;  // added beyond what the scenario names
  }
  const reports::Entity on{EntityKind::kNode, 0, *node};
  const auto known = std::ranges::find(down_, change.node, &decltype(down_)::value_type::first);
  const bool lost = change.what == "lost" || change.what == "removed";
  if (lost && known == down_.end()) {
    const std::int64_t fault =
        strikes_.empty() ? -1 : static_cast<std::int64_t>(strikes_.size()) - 1;
    down_.emplace_back(change.node, recorder_.begin(now_us_, on, "down", {{"fault", fault}}));
    if (std::ranges::find(nodes_, change.node) != nodes_.end()) {
      break_off(false);
    }
  } else if ((change.what == "up" || change.what == "added") && known != down_.end()) {
    recorder_.end(now_us_, known->second);
    down_.erase(known);
  } else if (change.what == "cut") {
    recorder_.instant(now_us_, on, "cut_off");
  } else if (change.what == "healed") {
    recorder_.instant(now_us_, on, "reached_again");
  } else if (change.what == "draining") {
    recorder_.instant(now_us_, on, "draining");
  }
}

void LiveRun::take(const Ended& ended) {
  end_ = ended;
  if (!ended.state.empty()) {
    state_ = ended.state;
  }
}

void LiveRun::take(const Invalid& invalid) { invalid_ = invalid.why; }

void LiveRun::take(const FaultTold& told) {
  const scenario::FaultSpec& spec = scenario_.faults[told.fault];
  const scenario::FaultKind kind = spec.effects.front().effect.kind;
  if (told.what == "missed") {
    missed_.push_back(told);
    return;
  }
  if (told.what == "over") {
    return;  // the nodes and ranks that it held tell what comes of that
  }
  if (!told.why.empty()) {
    inexact_.push_back(told);
  }
  const auto number = static_cast<std::uint32_t>(strikes_.size());
  // One that strikes in every attempt counts its strikes.
  const auto before = std::ranges::count(strikes_, told.fault, &Strike::spec);
  strikes_.push_back(
      {.spec = told.fault,
       .t_us = now_us_,
       .stalls = stalls(kind),
       .id = spec.every_attempt ? fmt::format("{}#{}", spec.id, before + 1) : spec.id});
  const std::uint64_t words[] = {number, told.fault};
  const auto place = place_of(scenario_, told.on);
  recorder_.custom(now_us_, reports::RecordKind::kFault, place, words,
                   fault_members(scenario_, number, strikes_.back().id, told));
  if (kind == scenario::FaultKind::kHeadCrash) {
    open_ = number;
    standing_ = Standing::kBroken;
    enter(scenario::Phase::kControllerDown, cause_of_stop());
  } else if (stalls(kind)) {
    break_off(true);
  }
}

}  // namespace aftershock::sim::live
