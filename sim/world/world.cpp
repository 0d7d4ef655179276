#include "sim/world/world.h"

#include <algorithm>
#include <utility>

#include "policies/api/assert.h"
#include "sim/core/entry_kind.h"
#include "sim/workload/recoveries.h"
#include "sim/world/machine_trouble.h"
#include "sim/world/names.h"
#include "sim/world/network_trouble.h"

namespace aftershock::sim {

namespace {

bool is_fault(EntryKind what) {
  return what == EntryKind::kScripted || what == EntryKind::kArrival ||
         what == EntryKind::kStepReached || what == EntryKind::kTriggered ||
         what == EntryKind::kFollower;
}

}  // namespace

World::World(std::shared_ptr<const Scenario> scenario, std::vector<PolicyHost> hosts,
             const WorldOptions& options)
    : WorldState(std::move(scenario), options) {
  AFTERSHOCK_ASSERT(hosts.size() ==
                    core_.scenario().jobs.size() + core_.scenario().experiments.size());
  jobs_.resize(core_.scenario().jobs.size());
  for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
    jobs_[i].index = i;
    jobs_[i].initial_host = hosts[i];
    jobs_[i].rules_applied.resize(hosts[i].info().rules.size());
    // The order of recovery is that of a platform which says why it gives jobs up.
    if (hosts[i].info().watches_nodes && !hosts[i].info().endings.empty()) {
      jobs_[i].ordering.emplace();
    }
    jobs_[i].host = std::move(hosts[i]);
    jobs_[i].workers = core_.scenario().jobs[i].workers;
    core_.schedule(EntryKind::kSubmit, core_.scenario().jobs[i].submit_us, {.entity = i});
  }
  make_experiments(hosts);
  jobs_left_ = static_cast<std::uint32_t>(hosts.size());
  core_.schedule(EntryKind::kHorizon, core_.horizon_us());
  for (std::uint32_t pool = 0; pool < machines_.pools().size(); ++pool) {
    machines_.count_up(core_, pool);
  }
  plan_faults();
}

void World::play(const Entry& entry) {
  if (kind_of(entry) == EntryKind::kHorizon && nothing_can_change()) {
    stuck_ = true;  // since the last thing that happened
    core_.end();
    return;
  }
  core_.begin(entry);
  checker_.play(core_.now_us(), core_.calendar().size());
  checker_.look_around(jobs_, machines_.pools());
  const std::uint32_t left_before = jobs_left_;
  const auto job_entry = [&]() -> Job& { return jobs_[entry.entity]; };
  const auto pool_of_entry = static_cast<std::uint32_t>(entry.arg);
  const auto node_entry_is_live = [&] {
    return machines_.pool(pool_of_entry).node(entry.entity).epoch == entry.epoch;
  };
  switch (kind_of(entry)) {
    case EntryKind::kHorizon:
      if (!core_.scenario().until_us) {
        core_.cut_short("no end within the longest time that can be simulated");
      }
      core_.end();
      break;
    case EntryKind::kSubmit:
      submit(job_entry());
      break;
    case EntryKind::kScripted:
      faults_.spend(entry.entity);
      strike(entry.entity, 0);
      break;
    case EntryKind::kArrival:
      if (const auto arrival = arrivals_.arrive(core_, entry)) {
        strike(arrival->spec, arrival->nth, {}, arrival->unit);
      }
      break;
    case EntryKind::kStepReached: {
      const FaultSpec& fault = core_.scenario().faults[entry.entity];
      Job& job = jobs_[*fault.step_job];
      const std::int64_t done_us = work_now(job);
      if (job.epoch == entry.epoch && done_us >= entry.arg && !job.broken &&
          !faults_.spent(entry.entity)) {
        faults_.spend(entry.entity, !fault.every_attempt);
        strike(entry.entity, job.epoch);
      }
      break;
    }
    case EntryKind::kTriggered: {
      faults_.spend(entry.entity);
      const PhaseTrigger& trigger = *core_.scenario().faults[entry.entity].when;
      const Job& job = jobs_[trigger.job];
      const TriggerProbe& probe = faults_.probe(entry.entity);
      // The offset may be the whole phase, which has then just ended.
      const bool still_there =
          !probe.length_us || *probe.began_us + *probe.length_us == core_.now_us();
      if (job.phase_count[static_cast<std::size_t>(trigger.phase)] == entry.epoch && still_there) {
        strike(entry.entity, 0);
      }
      break;
    }
    case EntryKind::kNoticeOver:
      if (const FaultRecord fault = faults_[static_cast<std::size_t>(entry.arg)];
          machines_.pool(*fault.pool).node(entry.entity).epoch == entry.epoch &&
          machines_.pool(*fault.pool).node(entry.entity).draining) {
        node_down(*fault.pool, entry.entity, static_cast<std::uint32_t>(entry.arg),
                  draw_lasts_together(core_.scenario(), fault), true);
        ask_again(*fault.pool);
      }
      break;
    case EntryKind::kHangOver:
      hang_over(static_cast<std::uint32_t>(entry.arg));
      break;
    case EntryKind::kPartitionOver:
      NetworkTrouble(*this).heal(static_cast<std::uint32_t>(entry.arg));
      break;
    case EntryKind::kHeartbeatsMissed:
      // A node that was silent, came back and fell silent again has a later deadline.
      if (node_entry_is_live() && core_.now_us() >= declared_us(pool_of_entry, entry.entity)) {
        node_dead_known(pool_of_entry, entry.entity);
        ask_again(pool_of_entry);
      }
      break;
    case EntryKind::kNodeBack:
      if (node_entry_is_live()) {
        node_back(pool_of_entry, entry.entity);
      }
      break;
    case EntryKind::kNodeProvisioned:
      if (machines_.pool(pool_of_entry).node(entry.entity).provisioning) {
        new_node(pool_of_entry, entry.entity);
      }
      break;
    case EntryKind::kAcceleratorBack:
      repair_device(static_cast<std::uint32_t>(entry.arg));
      break;
    case EntryKind::kHealed:
      healing_over(job_entry(), entry);
      break;
    case EntryKind::kIsolationOver:
      if (const Node& node = machines_.pool(pool_of_entry).node(entry.entity);
          node.isolations == entry.epoch && node.isolated && node.up) {
        isolation_over(pool_of_entry, entry.entity);
      }
      break;
    case EntryKind::kStormError:
      storm_error(entry);
      break;
    case EntryKind::kStageOver:
      if (job_entry().stage_epoch == entry.epoch) {
        stage_over(job_entry());
      }
      break;
    case EntryKind::kTransferOver: {
      TransferRequest request;
      if (network_.transfers().take_completion(entry, request)) {
        Job& job = jobs_[request.entity];
        if (job.upload == entry.entity) {
          upload_over(job);
        } else {
          download_over(job);
        }
      }
      break;
    }
    case EntryKind::kPlacementLimit:
      if (job_entry().stage_epoch == entry.epoch) {
        give_up_placement(job_entry());
      }
      break;
    case EntryKind::kStartFailureSeen:
      if (Job& job = job_entry();
          job.epoch == entry.epoch && starting(job) && job.broken && !job.start_failure_told) {
        job.start_failure_told = true;
        faults_.detect(job.broken_fault);
        if (Recovery* found = find_recovery(job, job.broken_fault); found != nullptr) {
          found->detected_us = core_.now_us();
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
    case EntryKind::kCollectiveTimeout:
      if (job_entry().stage_epoch == entry.epoch) {
        collective_timed_out(job_entry());
      }
      break;
    case EntryKind::kHangRule:
      if (Job& job = job_entry(); job.stage_epoch == entry.epoch && job.broken) {
        if (job.hang) {
          note_detected(job, job.broken_fault);
        }
        notify(job, policies::HangSuspected{
                        .job = job.index, .epoch = job.epoch, .since_us = job.broken_us});
      }
      break;
    case EntryKind::kActivityTimeout:
      if (job_entry().activity_epoch == entry.epoch) {
        on_activity_timeout(job_entry());
      }
      break;
    case EntryKind::kCaughtUp:
      if (job_entry().stage_epoch == entry.epoch) {
        job_entry().catching_up = false;
        leave_instance(job_entry(), Phase::kCatchingUp);
      }
      break;
    case EntryKind::kDeliver:
      job_entry().deliver_pending = false;
      if (!job_entry().pending.empty() && !left_alone(job_entry())) {
        deliver(job_entry());
      }
      break;
    case EntryKind::kPoll:
      if (job_entry().poll_epoch == entry.epoch) {
        poll(job_entry());
      }
      break;
    case EntryKind::kServeQueue:
      serve_queue(entry.entity);
      break;
    case EntryKind::kHeadBack:
      head_back(entry.entity);
      break;
    case EntryKind::kPolicyBack:
      policy_back(entry.entity, entry.epoch);
      break;
    case EntryKind::kCapacityLook:
      look_at_capacity(job_entry());
      break;
    case EntryKind::kNoticeSeen:
      if (job_entry().epoch == entry.epoch && has_processes(job_entry())) {
        tell_notice(job_entry(), static_cast<std::uint32_t>(entry.arg));
      }
      break;
    case EntryKind::kUploadRetry:
      if (Job& job = job_entry(); job.epoch == entry.epoch) {
        retry_upload(job, static_cast<std::uint32_t>(entry.arg));
      }
      break;
    case EntryKind::kUploadFailed:
      if (Job& job = job_entry(); job.epoch == entry.epoch && has_processes(job)) {
        upload_failed(job, static_cast<std::uint32_t>(entry.arg));
      }
      break;
    case EntryKind::kReclaim:
      free_leaks(job_entry(), entry.arg);
      serve_queue(spec(job_entry()).pool);
      break;
    case EntryKind::kDiskFreed:
      if (node_entry_is_live()) {
        machines_.pool(pool_of_entry).update(entry.entity, core_.now_us(), [](Node& node) {
          node.full_disk.reset();
        });
      }
      break;
    case EntryKind::kPressed:
      press(static_cast<std::uint32_t>(entry.arg), entry.epoch, entry.entity);
      break;
    case EntryKind::kLinkTurns:
      NetworkTrouble(*this).link_turns(static_cast<std::uint32_t>(entry.arg), entry.entity);
      break;
    case EntryKind::kStorageBack:
      NetworkTrouble(*this).storage_back(static_cast<std::uint32_t>(entry.arg));
      break;
    case EntryKind::kLateMessage:
      NetworkTrouble(*this).late_message(job_entry(), static_cast<std::uint32_t>(entry.arg));
      break;
    case EntryKind::kOrphanWrites:
      orphan_writes(entry.entity);
      break;
    case EntryKind::kExperimentSubmit:
    case EntryKind::kExperimentDeliver:
    case EntryKind::kExperimentTimer:
    case EntryKind::kTrialStageOver:
      play_of_experiment(entry);
      break;
    case EntryKind::kFollower:
      strike(entry.entity, Arrivals::follow(entry).nth);
      break;
    case EntryKind::kSlownessOver:
      MachineTrouble(*this).slowness_over(static_cast<std::uint32_t>(entry.arg));
      break;
    case EntryKind::kDefectShows:
      MachineTrouble(*this).defect_shows(entry);
      break;
    case EntryKind::kDenialOver:
      MachineTrouble(*this).denial_over(static_cast<std::uint32_t>(entry.arg));
      break;
  }
  if (arrivals_.has_clocks()) {
    expose_clocks();
  }
  // There may be less to come now for those whom nothing else can help.
  if (holding_out_ && (jobs_left_ != left_before || is_fault(kind_of(entry)))) {
    for (std::uint32_t pool = 0; pool < machines_.pools().size(); ++pool) {
      plan_serving(pool);
    }
  }
  if (checker_.found()) {
    report_findings();
  }
  if (jobs_left_ == 0) {
    core_.end();
  }
  core_.check_length();
}

void World::branch(std::uint64_t branch) {
  core_.set_branch(branch);
  arrivals_.branch(core_);
}

void World::report_findings() {
  for (Finding& finding : checker_.take()) {
    violate(std::string(finding.id), std::move(finding.what));
  }
}

void World::violate(std::string id, std::string what) {
  constexpr std::size_t kEnough = 100;
  if (violations_.size() < kEnough) {
    violations_.push_back({std::move(id), std::move(what), core_.now_us()});
  }
}

}  // namespace aftershock::sim
