#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "policies/api/commands.h"
#include "policies/api/events.h"
#include "policies/api/ids.h"
#include "policies/api/rank_set.h"
#include "policies/parts/field_json.h"

namespace aftershock::policies {

/// The pods of one training job as its controller knows them, and the commands that are given to
/// them. Attempts count on from `epoch`.
struct PodGang {
  /// The state of its pods.
  enum class Pods : std::uint8_t {
    kNone,      ///< none
    kLive,      ///< processes run, start, or wait for nodes
    kStopping,  ///< processes are being stopped, containers stay
    kKept,      ///< containers without processes
    kRemoving,  ///< containers are being removed
  };

  Pods pods = Pods::kNone;
  JobId job = 0;
  bool job_known = false;
  Epoch epoch = 0;
  std::uint32_t workers = 0;
  RankSet finished{};

  bool submitted = false;
  bool restored = false;  ///< a controller before this one left what it knew

  /// A controller started; what was stored of `memory`, which has an `epoch`, is taken up. False:
  /// one did already.
  template <class Memory>
  bool start_controller(const ControllerStarted& started, Memory& memory) {
    if (job_known) {
      return false;
    }
    job = started.job;
    job_known = true;
    if (auto stored = from_field_text<Memory>(started.durable); stored && stored->epoch > 0) {
      memory = *std::move(stored);
      restored = true;
    }
    epoch = std::max(memory.epoch, started.epoch);
    return true;
  }
  /// The job was handed over. False: it was already, or it is another one.
  bool submit(const JobSubmitted& handed) {
    if (submitted || (job_known && handed.job != job)) {
      return false;
    }
    job = handed.job;
    job_known = true;
    workers = handed.workers;
    submitted = true;
    return true;
  }
  /// Workers that run have finished: whether they were the last ones. None: they are not the
  /// attempt's, or do not run.
  std::optional<bool> finish(const WorkersFinished& event) {
    if (!is_live(event)) {
      return std::nullopt;
    }
    finished.add(event.ranks);
    return finished.size() >= workers;
  }

  /// Whether an event of that attempt is about the pods that there are now.
  [[nodiscard]] bool is_current(JobId of, Epoch at) const {
    return job_known && of == job && at == epoch;
  }
  /// Whether an event is about processes that run or start, or wait for nodes.
  template <class Event>
  [[nodiscard]] bool is_live(const Event& event) const {
    return pods == Pods::kLive && is_current(event.job, event.epoch);
  }
  [[nodiscard]] bool moving() const { return pods == Pods::kStopping || pods == Pods::kRemoving; }

  /// All pods anew.
  Command start() {
    begin();
    return StartAttempt{.id = ++last_command_, .job = job, .epoch = epoch, .workers = workers};
  }
  /// The pods of `ranks` anew, and the script again in all others.
  Command recreate(const RankSet& ranks) {
    begin();
    return RecreatePods{.id = ++last_command_, .job = job, .epoch = epoch, .ranks = ranks};
  }
  /// The script again in every container that was kept.
  Command restart() {
    begin();
    return RestartProcesses{.id = ++last_command_, .job = job, .epoch = epoch};
  }
  /// All pods go.
  Command remove(DurationUs grace_us) {
    pods = Pods::kRemoving;
    return StopWorkers{.id = ++last_command_, .job = job, .epoch = epoch, .grace_us = grace_us};
  }
  /// All processes end; the pods of `leaving` go, the containers of all others are kept.
  Command stop(DurationUs grace_us, const RankSet& leaving) {
    pods = Pods::kStopping;
    return StopWorkers{.id = ++last_command_,
                       .job = job,
                       .epoch = epoch,
                       .grace_us = grace_us,
                       .keep_containers = true,
                       .leaving = leaving};
  }
  /// A stop was carried out. False: it is none that was asked for.
  bool stopped(const WorkersStopped& event) {
    if (!moving() || !is_current(event.job, event.epoch)) {
      return false;
    }
    pods = pods == Pods::kStopping ? Pods::kKept : Pods::kNone;
    return true;
  }
  /// New workers in the places of `ranks`, and all others go on in one attempt with them.
  Command replace(const RankSet& ranks) {
    ++epoch;
    replacing_ = ++last_command_;
    return ReplaceWorkers{.id = replacing_, .job = job, .epoch = epoch, .ranks = ranks};
  }
  /// The last replacement was refused for good: the attempt before it goes on. False: that is not
  /// what the result says.
  bool take_back(const CommandResult& result) {
    if (result.error == CommandError::kNone || !result.definite || result.command != replacing_) {
      return false;
    }
    replacing_ = 0;
    --epoch;
    return true;
  }
  /// Any other command for the job; `rest` is what it has behind that.
  template <class Asked, class... Rest>
  Command ask(Rest&&... rest) {
    return Asked{++last_command_, job, std::forward<Rest>(rest)...};
  }

 private:
  void begin() {
    ++epoch;
    pods = Pods::kLive;
    finished = {};
  }

  CommandId last_command_ = 0;
  CommandId replacing_ = 0;  ///< the command of the last replacement, 0: none
};

}  // namespace aftershock::policies
