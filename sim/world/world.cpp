#include "sim/world/world.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "policies/api/assert.h"
#include "sim/workload/stories.h"
#include "sim/world/arrivals.h"
#include "sim/world/entries.h"
#include "sim/world/machine_trouble.h"
#include "sim/world/names.h"
#include "sim/world/network_trouble.h"

namespace aftershock::sim {

namespace {

bool is_fault(What what) {
  return what == What::kScripted || what == What::kArrival || what == What::kStepReached ||
         what == What::kTriggered || what == What::kFollower;
}

}  // namespace

World::World(std::shared_ptr<const Scenario> scenario, std::vector<PolicyHost> hosts,
             const WorldOptions& options)
    : WorldState(std::move(scenario), options) {
  AFTERSHOCK_ASSERT(hosts.size() == scenario_->jobs.size() + scenario_->experiments.size());
  jobs_.resize(scenario_->jobs.size());
  for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
    jobs_[i].index = i;
    jobs_[i].fresh = hosts[i];
    jobs_[i].rules_applied.resize(hosts[i].info().rules.size());
    // The order of recovery is that of a platform which says why it gives jobs up.
    if (hosts[i].info().watches_nodes && !hosts[i].info().endings.empty()) {
      jobs_[i].ordering.emplace();
    }
    jobs_[i].host = std::move(hosts[i]);
    jobs_[i].workers = scenario_->jobs[i].workers;
    calendar_.push(scenario_->jobs[i].submit_us, EntryClass::kFault,
                   static_cast<std::uint16_t>(What::kSubmit), i);
  }
  make_experiments(hosts);
  jobs_left_ = static_cast<std::uint32_t>(hosts.size());
  calendar_.push(horizon_us_, EntryClass::kHorizon, static_cast<std::uint16_t>(What::kHorizon), 0);
  for (std::uint32_t pool = 0; pool < pools_.size(); ++pool) {
    count_nodes_up(pool);
  }
  plan_faults();
}

void World::play(const Entry& entry) {
  AFTERSHOCK_ASSERT(entry.t_us >= now_us_);
  if (static_cast<What>(entry.kind) == What::kHorizon && nothing_can_change()) {
    stuck_ = true;  // since the last thing that happened
    over_ = true;
    return;
  }
  now_us_ = entry.t_us;
  ++entries_played_;
  watchman_.play(now_us_, calendar_.size());
  watchman_.look_around(jobs_, pools_);
  const std::uint32_t left_before = jobs_left_;
  const auto job_entry = [&]() -> Job& { return jobs_[entry.entity]; };
  const auto node_entry_is_live = [&] {
    return pools_[static_cast<std::size_t>(entry.arg)].node(entry.entity).epoch == entry.epoch;
  };
  const auto pool_of_entry = static_cast<std::uint32_t>(entry.arg);
  switch (static_cast<What>(entry.kind)) {
    case What::kHorizon:
      if (!scenario_->until_us) {
        cut_short_ = "no end within the longest time that can be simulated";
      }
      over_ = true;
      break;
    case What::kSubmit:
      submit(job_entry());
      break;
    case What::kScripted:
      fault_spent_[entry.entity] = true;
      strike(entry.entity, 0);
      break;
    case What::kArrival:
      Arrivals(*this).arrive(entry);
      break;
    case What::kStepReached: {
      const FaultSpec& fault = scenario_->faults[entry.entity];
      Job& job = jobs_[*fault.step_job];
      const std::int64_t done_us = work_now(job);
      if (job.epoch == entry.epoch && done_us >= entry.arg && !job.broken &&
          !fault_spent_[entry.entity]) {
        fault_spent_[entry.entity] = !fault.every_attempt;
        strike(entry.entity, job.epoch);
      }
      break;
    }
    case What::kTriggered: {
      fault_spent_[entry.entity] = true;
      const PhaseTrigger& trigger = *scenario_->faults[entry.entity].when;
      const Job& job = jobs_[trigger.job];
      const TriggerProbe& probe = probes_[entry.entity];
      // The offset may be the whole phase, which has then just ended.
      const bool still_there = !probe.length_us || *probe.began_us + *probe.length_us == now_us_;
      if (job.phase_count[static_cast<std::size_t>(trigger.phase)] == entry.epoch && still_there) {
        strike(entry.entity, 0);
      }
      break;
    }
    case What::kNoticeOver:
      if (const FaultRecord fault = faults_[static_cast<std::size_t>(entry.arg)];
          pools_[*fault.pool].node(entry.entity).epoch == entry.epoch &&
          pools_[*fault.pool].node(entry.entity).draining) {
        node_down(*fault.pool, entry.entity, static_cast<std::uint32_t>(entry.arg),
                  draw_lasts_together(fault), true);
        ask_again(*fault.pool);
      }
      break;
    case What::kHangOver:
      hang_over(static_cast<std::uint32_t>(entry.arg));
      break;
    case What::kPartitionOver:
      NetworkTrouble(*this).heal(static_cast<std::uint32_t>(entry.arg));
      break;
    case What::kHeartbeatsMissed:
      // A node that was silent, came back and fell silent again has a later deadline.
      if (node_entry_is_live() && now_us_ >= declared_us(pool_of_entry, entry.entity)) {
        node_dead_known(pool_of_entry, entry.entity);
        ask_again(pool_of_entry);
      }
      break;
    case What::kNodeBack:
      if (node_entry_is_live()) {
        node_back(pool_of_entry, entry.entity);
      }
      break;
    case What::kNodeProvisioned:
      if (pools_[pool_of_entry].node(entry.entity).provisioning) {
        new_node(pool_of_entry, entry.entity);
      }
      break;
    case What::kAcceleratorBack:
      cure(static_cast<std::uint32_t>(entry.arg));
      break;
    case What::kHealed:
      healing_over(job_entry(), entry);
      break;
    case What::kIsolationOver:
      if (const Node& node = pools_[pool_of_entry].node(entry.entity);
          node.isolations == entry.epoch && node.isolated && node.up) {
        isolation_over(pool_of_entry, entry.entity);
      }
      break;
    case What::kStormError:
      storm_error(entry);
      break;
    case What::kStageOver:
      if (job_entry().stage_epoch == entry.epoch) {
        stage_over(job_entry());
      }
      break;
    case What::kTransferOver: {
      TransferRequest request;
      if (transfers_.take_completion(entry, request)) {
        Job& job = jobs_[request.entity];
        if (job.upload == entry.entity) {
          upload_over(job);
        } else {
          download_over(job);
        }
      }
      break;
    }
    case What::kPlacementLimit:
      if (job_entry().stage_epoch == entry.epoch) {
        give_up_placement(job_entry());
      }
      break;
    case What::kStartFailureSeen:
      if (Job& job = job_entry();
          job.epoch == entry.epoch && starting(job) && job.broken && !job.start_failure_told) {
        job.start_failure_told = true;
        faults_[job.broken_fault].detected = true;
        if (RecoveryStory* found = find_story(job, job.broken_fault); found != nullptr) {
          found->detected_us = now_us_;
        }
        for (const RankFailure& failure : job.failures) {
          if (failure.node) {
            node_known_down(job, *failure.node);
          }
        }
        set_phase(job, Phase::kDeciding, reports::Cause::fault(job.broken_fault));
        // No user code runs yet: what raises is a set-up hook that was said to, or a collective
        // that gave up. Everything else ends the process.
        const bool raised = job.failures.back().answers &&
                            (job.start_stage || job.failures.back().kind ==
                                                    policies::WorkerFailure::kCollectiveTimeout);
        notify(job, policies::AttemptStartFailed{
                        .job = job.index,
                        .epoch = job.epoch,
                        .stage = job.start_stage.value_or(
                            job.stage == Stage::kLaunching ? policies::StartStage::kConstruction
                                                           : policies::StartStage::kBackendSetup),
                        .why = raised ? policies::StartFailure::kError
                                      : policies::StartFailure::kWorkerDied,
                        .ranks = job.failures.front().ranks});
      }
      break;
    case What::kCollectiveTimeout:
      if (job_entry().stage_epoch == entry.epoch) {
        collective_timed_out(job_entry());
      }
      break;
    case What::kHangRule:
      if (Job& job = job_entry(); job.stage_epoch == entry.epoch && job.broken) {
        if (job.hang) {
          note_detected(job, job.broken_fault);
        }
        notify(job, policies::HangSuspected{
                        .job = job.index, .epoch = job.epoch, .since_us = job.broken_us});
      }
      break;
    case What::kStill:
      if (job_entry().still_epoch == entry.epoch) {
        still_for_too_long(job_entry());
      }
      break;
    case What::kCaughtUp:
      if (job_entry().stage_epoch == entry.epoch) {
        job_entry().catching_up = false;
        leave_instance(job_entry(), Phase::kCatchingUp);
      }
      break;
    case What::kDeliver:
      job_entry().deliver_pending = false;
      if (!job_entry().pending.empty() && !left_alone(job_entry())) {
        deliver(job_entry());
      }
      break;
    case What::kPoll:
      if (job_entry().poll_epoch == entry.epoch) {
        poll(job_entry());
      }
      break;
    case What::kServeQueue:
      serve_queue(entry.entity);
      break;
    case What::kHeadBack:
      head_back(entry.entity);
      break;
    case What::kPolicyBack:
      policy_back(entry.entity, entry.epoch);
      break;
    case What::kCapacityLook:
      look_at_capacity(job_entry());
      break;
    case What::kNoticeSeen:
      if (job_entry().epoch == entry.epoch && has_processes(job_entry())) {
        tell_notice(job_entry(), static_cast<std::uint32_t>(entry.arg));
      }
      break;
    case What::kUploadRetry:
      if (Job& job = job_entry(); job.epoch == entry.epoch) {
        retry_upload(job, static_cast<std::uint32_t>(entry.arg));
      }
      break;
    case What::kUploadFailed:
      if (Job& job = job_entry(); job.epoch == entry.epoch && has_processes(job)) {
        upload_failed(job, static_cast<std::uint32_t>(entry.arg));
      }
      break;
    case What::kReclaim:
      free_leaks(job_entry(), entry.arg);
      serve_queue(spec(job_entry()).pool);
      break;
    case What::kDiskFreed:
      if (node_entry_is_live()) {
        pools_[pool_of_entry].update(entry.entity, now_us_,
                                     [](Node& node) { node.full_disk.reset(); });
      }
      break;
    case What::kPressed:
      press(static_cast<std::uint32_t>(entry.arg), entry.epoch, entry.entity);
      break;
    case What::kLinkTurns:
      NetworkTrouble(*this).link_turns(static_cast<std::uint32_t>(entry.arg), entry.entity);
      break;
    case What::kStorageBack:
      NetworkTrouble(*this).storage_back(static_cast<std::uint32_t>(entry.arg));
      break;
    case What::kLateMessage:
      NetworkTrouble(*this).late_message(job_entry(), static_cast<std::uint32_t>(entry.arg));
      break;
    case What::kCastawayWrites:
      castaway_writes(entry.entity);
      break;
    case What::kExperimentSubmit:
    case What::kExperimentDeliver:
    case What::kExperimentTimer:
    case What::kTrialStageOver:
      play_of_experiment(entry);
      break;
    case What::kFollower:
      Arrivals(*this).follow(entry);
      break;
    case What::kSlownessOver:
      MachineTrouble(*this).slowness_over(static_cast<std::uint32_t>(entry.arg));
      break;
    case What::kDefectShows:
      MachineTrouble(*this).defect_shows(entry);
      break;
    case What::kDenialOver:
      MachineTrouble(*this).denial_over(static_cast<std::uint32_t>(entry.arg));
      break;
  }
  if (!source_clocks_.empty()) {
    Arrivals(*this).expose();
  }
  // There may be less to come now for those whom nothing else can help.
  if (holding_out_ && (jobs_left_ != left_before || is_fault(static_cast<What>(entry.kind)))) {
    for (std::uint32_t pool = 0; pool < pools_.size(); ++pool) {
      plan_serving(pool);
    }
  }
  if (watchman_.found()) {
    report_findings();
  }
  over_ = over_ || jobs_left_ == 0;
  if (entries_played_ >= max_entries_ && !over_) {
    cut_short_ = fmt::format("stopped after {} calendar entries (--max-events)", entries_played_);
    over_ = true;
  }
}

void World::branch(std::uint64_t branch) {
  branch_ = branch;
  Arrivals(*this).branch();
}

void World::report_findings() {
  for (Finding& finding : watchman_.take()) {
    violate(std::string(finding.id), std::move(finding.what));
  }
}

void World::violate(std::string id, std::string what) {
  constexpr std::size_t kEnough = 100;
  if (violations_.size() < kEnough) {
    violations_.push_back({std::move(id), std::move(what), now_us_});
  }
}

}  // namespace aftershock::sim
