#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/engine/drive.h"
#include "sim/engine/random.h"
#include "sim/world/world_options.h"
#include "sim/world/world_state.h"

namespace aftershock::sim {

/// A cluster, its jobs, what breaks and who decides, at one moment of simulated time. A plain
/// value: a copy has the same future.
class World final : public Playable, public WorldState {
 public:
  /// `hosts`: one policy a job, then one an experiment, in order.
  World(std::shared_ptr<const Scenario> scenario, std::vector<PolicyHost> hosts,
        const WorldOptions& options);

  Calendar& calendar() override { return core_.calendar(); }
  Transfers& transfers() override { return network_.transfers(); }
  [[nodiscard]] std::int64_t now_us() const override { return core_.now_us(); }
  void play(const Entry& entry) override;
  [[nodiscard]] bool over() const override { return core_.over(); }

  /// Gives the world another future: what is drawn from now on has this branch's numbers
  /// (RandomKey::branch; no two copies may share one, and every world begins with 0). EntryKind has
  /// happened or begun stays: repairs, phases of the newest attempt, storms, bursts. The next
  /// arrival of every source is drawn anew: none may have a memory (`has_memory`). Between entries
  /// only.
  void branch(std::uint64_t branch);

  /// To be called once when the loop has ended: closes every account.
  void finish();

  /// Takes the records that close a run, too.
  [[nodiscard]] reports::Recorder& recorder() { return core_.recorder(); }
  /// Nothing was left to happen, and somebody waited for it.
  [[nodiscard]] bool stuck() const;
  [[nodiscard]] bool stuck(const Job& job) const;  ///< it was this one; of a run that is over
  [[nodiscard]] bool stuck(const Experiment& experiment) const;
  /// What is inconsistent in this world, in words. Walks over every node, so it is for tests.
  [[nodiscard]] std::vector<std::string> inconsistencies() const;

 private:
  friend class MachineTrouble;
  friend class NetworkTrouble;
  friend struct WorldMutator;  // of tests/mutants: makes worlds that go wrong

  // starting.cpp: from a start command to the first step.
  void submit(Job& job);
  void start_attempt(Job& job, const policies::StartAttempt& command);
  void open_attempt(Job& job, policies::Epoch epoch, const reports::Recorder::Value& about);
  void begin_anew(Job& job);
  void queue_up(Job& job, std::optional<std::int64_t> placement_wait_us);
  void enter_stage(Job& job, Stage stage, std::optional<std::int64_t> length_us);
  void stage_over(Job& job);
  void begin_launching(Job& job, std::int64_t pods_us, bool in_process = false);
  void begin_rendezvous(Job& job);
  void begin_running(Job& job);
  void begin_download(Job& job);
  void begin_warming_up(Job& job);
  [[nodiscard]] std::int64_t link_bound(const Job& job) const;
  [[nodiscard]] const PhaseLengths& lengths(const Job& job) const;
  [[nodiscard]] std::int64_t draw_phase(const Job& job, const Distribution& law,
                                        Purpose purpose) const;

  // queueing.cpp, unschedulable.cpp: jobs that wait for nodes, and those that do so in vain.
  bool try_place(Job& job);
  bool take_gang(Job& job, std::uint32_t count);
  void join_queue(Job& job);
  void wait_for_nodes(Job& job);
  bool ask_and_wait(Job& job);
  void ask_again(std::uint32_t pool);
  void serve_queue(std::uint32_t pool);
  void give_up_placement(Job& job);
  void give_up_on(bool& stuck);
  void count_again(bool& stuck);
  void give_up_if_unschedulable(Job& job);
  void give_up_if_unschedulable(Experiment& experiment);
  [[nodiscard]] bool unschedulable(const Job& job) const;
  [[nodiscard]] bool unschedulable(const Experiment& experiment) const;

  // drivers.cpp: heads, and the processes on them that run controllers.
  bool head_down(std::uint32_t number);
  void lose_head(std::uint32_t head, std::uint32_t number, std::int64_t dark_us);
  void head_back(std::uint32_t head);
  void start_driver(Job& job);
  void driver_lost(Job& job, std::uint32_t fault);
  void end_driver_run(Job& job, std::optional<std::uint32_t> fault);
  void end_driver_run(Experiment& experiment, std::optional<std::uint32_t> fault);
  [[nodiscard]] std::string driver_lost_reason(std::uint32_t fault) const;
  void store_run(Job& job);
  std::string durable_of(const policies::Policy& policy, std::size_t driver_run, TornFile& file);
  bool find_run(Job& job);
  void take_up_run(Job& job);
  void forget_run(Job& job);
  void store_runs(const std::string& key, std::uint32_t holder);

  // control_plane.cpp: controllers that are a platform's.
  void start_control_plane(Job& job);
  void leave_alone(Job& job, std::uint32_t fault);
  [[nodiscard]] bool outlives_control_plane(const Job& job, bool state_kept) const;

  // replacing.cpp: some workers of an attempt are replaced; others are left behind.
  void replace_workers(Job& job, const policies::ReplaceWorkers& command);
  void stop_survivors(Job& job, const policies::StopWorkers& command);
  bool place_replacements(Job& job);
  void go_on_replaced(Job& job);
  [[nodiscard]] bool place_pods(Job& job);
  void leak_group(Job& job);
  void free_leaks(Job& job, std::optional<std::int64_t> of_us);

  // pods.cpp: containers that outlive their processes.
  void restart_processes(Job& job, const policies::RestartProcesses& command);
  void recreate_pods(Job& job, const policies::RecreatePods& command);
  [[nodiscard]] std::size_t pods_leaving(const Job& job, const policies::StopWorkers& stop) const;
  void remove_containers(Job& job, const policies::StopWorkers& command);
  void take_containers_too(Job& job, const policies::StopWorkers& command);
  void run_script_again(Job& job, bool anew);
  void start_failed_by_itself(Job& job, policies::RankSet ranks);
  void note_env(Job& job);
  [[nodiscard]] bool may_run_again(Job& job, policies::CommandId command, policies::Epoch epoch);
  void run_again(Job& job, policies::Epoch epoch, const std::vector<policies::PodEnv>& env);

  // devices.cpp: accelerators, and nodes that a policy takes out of use.
  bool break_accelerator(std::uint32_t number);
  [[nodiscard]] Job* watcher(std::uint32_t pool, std::uint32_t node);
  void fail_accelerator(std::uint32_t number, std::int64_t lasts_us);
  void isolate_node(Job& job, const policies::IsolateNode& command);
  void release_node(Job& job, const policies::ReleaseNode& command);
  void self_heal(Job& job, const policies::SelfHeal& command);
  void healing_over(Job& job, const Entry& entry);
  void tell_device_fault(Job& job, std::uint32_t fault);
  // repairing.cpp: what is bad on a node until it is repaired.
  void repair_device(std::uint32_t fault);
  void begin_repair(std::uint32_t pool, std::uint32_t node);
  void isolation_over(std::uint32_t pool, std::uint32_t node);
  void node_back(std::uint32_t pool, std::uint32_t node);
  // storms.cpp: errors that are corrected until one is not.
  bool begin_storm(std::uint32_t number);
  void storm_error(const Entry& entry);
  void storm_error(std::uint32_t number, std::uint32_t nth);

  // capacity.cpp: what elastic jobs are told of their pool.
  void watch_capacity(Job& job, const std::optional<policies::CapacityWatch>& watch);
  void capacity_changed(std::uint32_t pool);
  void look_at_capacity(Job& job);
  void wait_for_capacity(Job& job);
  void stop_watching(Job& job);
  void watch_drains(Job& job, const std::optional<policies::DrainWatch>& watch);
  void announce(Job& job, std::uint32_t fault);
  void tell_notice(Job& job, std::uint32_t fault);
  void end_drain(Job& job);

  // training.cpp: steps and checkpoints.
  void begin_training(Job& job);
  void open_segment(Job& job);
  void close_segment(Job& job);
  void segment_over(Job& job);
  void begin_checkpoint(Job& job);
  void begin_snapshot(Job& job);
  void snapshot_over(Job& job);
  void begin_upload(Job& job, Checkpoint& checkpoint);
  void upload_over(Job& job);
  bool upload_fails(Job& job, Checkpoint& checkpoint);
  void retry_upload(Job& job, std::uint32_t checkpoint);
  void upload_failed(Job& job, std::uint32_t fault);
  void send_off(Job& job, std::uint32_t checkpoint);
  [[nodiscard]] std::int64_t work_now(const Job& job) const;
  void report(Job& job, std::uint32_t checkpoint);
  void go_on_after_report(Job& job);
  void count_checkpoint(Job& job, Checkpoint& checkpoint);
  void drop_old_checkpoints(Job& job);
  void report_taken(Job& job);
  void go_on_after_checkpoint(Job& job);
  void end_training(Job& job);
  void returned(Job& job);
  void drop_checkpoint(Job& job, std::uint32_t id);

  // failure.cpp: what a fault does to an attempt, and how it ends.
  void fail_ranks(Job& job, RankFailure failure);
  void failure_shows(Job& job, RankFailure& failure);
  void forget_failures(Job& job, std::uint32_t fault);
  void break_attempt(Job& job, std::uint32_t fault);
  void wait_for_peer(Job& job);
  void stall(Job& job, std::uint32_t fault);
  void collective_timed_out(Job& job);
  void give_up_behind_cuts(Job& job);
  void resume_stalled(Job& job);
  void node_known_down(Job& job, std::uint32_t node);
  void cancel_transfers(Job& job, bool keep_upload);
  // activity_watch.cpp: what those see who look at activity and not at progress.
  void watch_activity(Job& job) {
    // Most have never looked, and never will.
    if (job.hang || job.inactive_since_us || job.alarmed) {
      update_activity_watch(job);
    }
  }
  void update_activity_watch(Job& job);
  void on_activity_timeout(Job& job);

  // stopping.cpp: how an attempt is stopped.
  void stop_workers(Job& job, const policies::StopWorkers& command);
  void torn_down(Job& job);
  void stop_healthy(Job& job);
  void hold_work(Job& job);
  void end_job(Job& job, Outcome outcome, std::string reason);
  [[nodiscard]] policies::RankSet ranks_on(const Job& job, std::uint32_t slot) const;

  // injection.cpp: faults.
  void plan_faults();
  void expose_clocks();
  void turn_clocks(const Job& job, bool trains);
  /// `trial`: whose step it is, of a fault that waits for the steps of trials. `unit`: of its
  /// source, where that is known.
  void strike(std::uint32_t spec, std::uint64_t nth, std::optional<std::uint32_t> trial = {},
              std::optional<std::uint32_t> unit = {});
  /// Whether the occurrence found something to strike.
  bool strike_as(FaultKind kind, std::uint32_t number);
  // By kind. machine_trouble.h has those that are no end of a node, network_trouble.h those of what
  // is between them; node_faults.cpp: ends of nodes.
  bool crash_node(std::uint32_t number);
  bool preempt(std::uint32_t number);
  bool crash_worker(std::uint32_t number);
  bool hang(std::uint32_t number);
  // bad_checkpoints, orphaned_attempts.cpp: each says what it has.
  bool spoil_checkpoint(std::uint32_t number);
  [[nodiscard]] bool torn_on_its_way(Job& job, std::uint32_t checkpoint);
  void download_over(Job& job);
  void orphan_attempt(Job& job);
  void leave_behind(Job& job);
  void orphan_writes(std::uint32_t index);
  // mishaps.cpp: what befalls drivers, storage and reports.
  bool exhaust_memory(std::uint32_t number);
  bool fill_disk(std::uint32_t number);
  bool interrupt(std::uint32_t number);
  void press(std::uint32_t number, std::uint32_t driver_run, std::uint32_t left);
  bool tear_snapshot(std::uint32_t number);
  void tear_stored(const std::string& key, std::size_t driver_run, const std::string& file);
  bool arm_upload_fault(std::uint32_t number);
  bool arm_report_fault(std::uint32_t number);
  bool break_hook(std::uint32_t number);
  bool unshare_storage(std::uint32_t number);
  bool delete_checkpoint(std::uint32_t number);
  bool spoil_snapshot(std::uint32_t number);
  bool crash_policy(std::uint32_t number);                     // policy_crash.cpp
  void policy_back(std::uint32_t job, std::uint32_t drivers);  // there, too
  void raise_in(Job& job, policies::RankSet ranks, std::uint32_t fault, std::string error);
  void hang_over(std::uint32_t number);
  void fire(std::uint32_t number);
  [[nodiscard]] Job* job_on(const FaultRecord& fault);
  void show_process_failure(const FaultRecord& fault, RankFailure& failure) const;
  void stay_down(std::uint32_t pool, std::uint32_t node, std::optional<std::int64_t> lasts_us);

  // nodes.cpp: the fate of nodes.
  void node_down(std::uint32_t pool, std::uint32_t node, std::uint32_t fault,
                 std::optional<std::int64_t> lasts_us, bool announced);
  void node_dead_known(std::uint32_t pool, std::uint32_t node);
  void ask_replacements(const Job& job);
  void ask_replacements(std::uint32_t pool, std::uint32_t needed);
  void new_node(std::uint32_t pool, std::uint32_t node);
  void watch_heartbeats(std::uint32_t pool, std::uint32_t node);
  [[nodiscard]] std::int64_t declared_us(std::uint32_t pool, std::uint32_t node);
  [[nodiscard]] bool capacity_may_come(const Job& job) const;
  [[nodiscard]] bool capacity_may_come(std::uint32_t pool, std::uint32_t holder) const;
  [[nodiscard]] Job* holder(std::uint32_t pool, std::uint32_t node);

  // controlling.cpp: events in, decisions out.
  void notify(Job& job, policies::Event event);
  void deliver(Job& job);
  void note_wait(Job& job, const std::optional<policies::Backoff>& backoff);
  void poll(Job& job);
  void collect_report(Job& job);
  void collect_failures(Job& job);
  void note_detected(Job& job, std::uint32_t fault);
  void diverge(Job& job, policies::CheckpointReported& reported);
  void plan_poll(Job& job);
  [[nodiscard]] bool lost_policy(const PolicyHost& host);
  void carry_out(Job& job, const policies::Decision& decision, reports::Cause about);
  void carry_out(Job& job, const policies::Command& command);
  void charge(Job& job, const policies::Step& step, reports::Cause about);
  void commit(Job& job, const policies::CommitCheckpoint& command);
  void persist(Job& job, const policies::Persist& command);
  void discard(Job& job, const policies::DeleteCheckpoints& command);
  void refuse(Job& job, policies::CommandId command, policies::CommandError error);
  void record_decision(reports::Entity on, const PolicyHost& host, reports::Cause cause,
                       const policies::Decision& decision);

  // ordering.cpp: policies of pods are held to the order of recovery.
  void check_order(Job& job);
  void check_order(Job& job, const policies::Step& step);
  void check_order(Job& job, const policies::Command& command);
  void check_budgets(Job& job);
  void check_removed(Job& job);
  void check_survivors(const Job& job, const std::vector<std::uint32_t>& before);
  [[nodiscard]] Ground ground_of(const Job& job) const;

  // experiments.cpp: the controllers of experiments.
  void make_experiments(std::vector<PolicyHost>& hosts);
  void play_of_experiment(const Entry& entry);
  void submit_experiment(Experiment& experiment);
  void start_controller(Experiment& experiment);
  void experiment_driver_lost(Experiment& experiment, std::uint32_t fault);
  void experiment_driver_started(Experiment& experiment);
  void end_absences(Experiment& experiment);
  void notify(Experiment& experiment, policies::Event event, std::int32_t fault = -1);
  void deliver(Experiment& experiment);
  void note_restore(Experiment& experiment);
  void carry_out(Experiment& experiment, const policies::Command& command);
  void refuse(Experiment& experiment, policies::CommandId command, policies::CommandError error);
  void charge(Experiment& experiment, const policies::Step& step,
              const std::vector<std::int32_t>& event_faults);
  void end_experiment(Experiment& experiment, Outcome outcome, std::string reason);
  void store_run(Experiment& experiment);
  void finish_experiments();

  // trials.cpp: what a trial does from its start to its end.
  void start_trial(Experiment& experiment, const policies::StartTrial& command);
  void stop_trials(Experiment& experiment, const policies::StopTrials& command);
  void begin_launching(Experiment& experiment, Trial& trial);
  void stage_over(Experiment& experiment, Trial& trial);
  void begin_restoring(Experiment& experiment, Trial& trial);
  void begin_training(Experiment& experiment, Trial& trial);
  void begin_step(Experiment& experiment, Trial& trial);
  void step_computed(Experiment& experiment, Trial& trial);
  void step_over(Experiment& experiment, Trial& trial);
  void settle_step(Experiment& experiment, Trial& trial);
  void leave_attempt(Experiment& experiment, Trial& trial);
  void stopped(Experiment& experiment, Trial& trial);
  void enter_stage(Experiment& experiment, Trial& trial, TrialStage stage, std::int64_t length_us);
  void set_phase(Experiment& experiment, Trial& trial, Phase phase, reports::Cause cause);
  std::int64_t roll_back(Experiment& experiment, Trial& trial, const TrialCheckpoint* kept);
  [[nodiscard]] bool saves_after(const Experiment& experiment, std::int64_t steps) const;
  [[nodiscard]] std::vector<std::uint32_t> step_faults(const Experiment& experiment,
                                                       const Trial& trial) const;
  [[nodiscard]] std::int64_t draw_phase(const Experiment& experiment, const Trial& trial,
                                        const Distribution& law, Purpose purpose) const;
  [[nodiscard]] StoredTrial& stored(const Experiment& experiment, const Trial& trial);
  [[nodiscard]] std::int64_t unsaved_us(const Experiment& experiment, const Trial& trial);

  // trial_places.cpp: nodes for trials.
  void wait_for_place(Experiment& experiment, Trial& trial, bool first);
  void plan_serving(std::uint32_t pool);
  bool serve_trials(Experiment& experiment);
  bool place(Experiment& experiment, Trial& trial);
  void leave_place(Experiment& experiment, Trial& trial);
  void ask_nodes(Experiment& experiment);
  [[nodiscard]] std::uint32_t hold_node(Experiment& experiment);
  [[nodiscard]] bool capacity_may_come(const Experiment& experiment) const;
  [[nodiscard]] std::int32_t priority_of(std::uint32_t holder) const;
  [[nodiscard]] Experiment* experiment_on(std::uint32_t pool, std::uint32_t node);
  [[nodiscard]] bool cut_off(const Experiment& experiment, const Trial& trial) const;
  void check_held(std::uint32_t pool, std::vector<int>& holders,
                  std::vector<std::string>& found) const;

  // trial_faults.cpp: what faults do to trials.
  void break_trial(Experiment& experiment, Trial& trial, std::uint32_t fault);
  void fail_trial(Experiment& experiment, Trial& trial, policies::WorkerFailure kind,
                  std::int32_t fault, bool preempted = false, std::string error = {});
  void process_failed(Experiment& experiment, Trial& trial, policies::WorkerFailure kind,
                      std::uint32_t fault);
  void trials_lost_node(std::uint32_t pool, std::uint32_t node, std::uint32_t fault,
                        bool announced);
  void trials_on_dead_node(std::uint32_t pool, std::uint32_t node);
  void trials_reachable_again();
  bool crash_trial(std::uint32_t fault);
  bool hang_trial(std::uint32_t fault);
  void trial_hang_over(std::uint32_t fault);
  bool fail_trials_of(std::uint32_t fault);
  [[nodiscard]] std::vector<std::uint32_t> trials_on(const Experiment& experiment,
                                                     std::uint32_t pool, std::uint32_t node) const;

  void set_phase(Job& job, Phase phase, reports::Cause cause);  // world.cpp, from here on
  void enter_instance(Job& job, Phase phase);
  void leave_instance(Job& job, Phase phase);
  void count_restart_loop(Job& job, std::uint32_t workers);
  [[nodiscard]] bool all_in_restart_loops() const;
  void report_findings();
  void violate(std::string id, std::string what);
  void violate(const Job& job, const std::vector<Breach>& breaches);
  void account_zombie(const Zombies& zombies);
};

}  // namespace aftershock::sim
