#include <array>
#include <span>

#include "sim/scenario/faults/fault_entry.h"
#include "sim/scenario/shape/distribution_keys.h"
#include "sim/scenario/shape/lexicals.h"

// Faults of heads, of controllers, and of what their runs store.
namespace aftershock::sim::scenario {
namespace {

using enum TargetKind;

void read_interrupt(const Fields& fields, const PoolSpec&, FaultEffect& effect, ErrorList&) {
  effect.apart_us = fields.duration("apart");
}

void read_torn_snapshot(const Fields& fields, const PoolSpec&, FaultEffect& effect, ErrorList&) {
  effect.file = fields.text("file");
}

void read_error(const Fields& fields, const PoolSpec&, FaultEffect& effect, ErrorList&) {
  effect.error = fields.text("error");
}

void read_hook_error(const Fields& fields, const PoolSpec&, FaultEffect& effect, ErrorList&) {
  effect.error = fields.text("error");
  effect.in_shutdown = fields.text("hook") == "shutdown";
}

void read_policy_crash(const Fields& fields, const PoolSpec&, FaultEffect& effect,
                       ErrorList& errors) {
  effect.lasts = fields.distribution("lasts", errors);
  effect.state_kept = fields.text("state") == "kept";
  effect.terminated = fields.text("signal") == "SIGTERM";
}

FaultEntry head_crash() {
  return {FaultKind::kHeadCrash,
          "head_crash",
          {kHead},
          {},
          "The head stops, with every driver and controller on it; where workers_die_with_head, "
          "every worker of the cluster too.",
          "Nobody is left to see it; a new driver finds what its run left in storage.",
          "A new driver knows nothing of failures before it: every retry counter starts at zero.",
          {},
          nullptr};
}

FaultEntry host_oom() {
  return {
      FaultKind::kHostOom,
      "host_oom",
      {kHead, kNode, kPool, kJob, kRank},
      {},
      "The kernel kills for want of memory: every worker on the node, or the drivers on a head. Of "
      "the trials on the node Ray's memory monitor ends the one that was placed last.",
      "The next poll: dead processes on a node that is healthy. On a head: nobody.",
      "It looks like as many crashed workers, and comes again where the memory is not enough.",
      {.shown = ShownPlace::kNode},
      nullptr};
}

FaultEntry full_disk() {
  return {FaultKind::kFullDisk,
          "full_disk",
          {kHead, kNode, kPool, kJob, kRank},
          {{"lasts", distribution_shape(), false, "",
            "Until there is room again. Default: it stays full."}},
          "Nothing can be written: saves on the node raise, and drivers on a head end.",
          "The next save of a worker or trial on the node raises OSError in user code.",
          "It is charged like any user error, and every retry on the node meets it again.",
          {.shown = ShownPlace::kNode},
          read_lasts};
}

FaultEntry user_interrupt() {
  return {FaultKind::kUserInterrupt,
          "user_interrupt",
          {kJob, kExperiment},
          {{"times", shape::integer(1, 3), false, "1", "How often Ctrl-C is pressed in a row."},
           {"apart", shape::lexical(lexicals::positive_duration()), false, "\"1s\"",
            "How long after one press the next comes. One that finds the run ended does nothing."}},
          "A user stops the run by hand.",
          "At once, by its controller.",
          "An interrupted run has not failed: no budget is touched, and the same name goes on with "
          "it.",
          {.of_whole_run = true},
          read_interrupt};
}

FaultEntry torn_snapshot() {
  return {FaultKind::kTornSnapshot,
          "torn_snapshot",
          {kJob, kExperiment},
          {{"file", shape::word({"snapshot", "tuner.pkl", "trainer.pkl"}), false, "\"snapshot\"",
            "The torn part: the newest snapshot, or the file that Tune and Train V1 write once at "
            "the start."}},
          "The run's newest snapshot in storage is cut short, as by a crash in the middle of its "
          "write.",
          "By the next driver under the same name, which cannot read it.",
          "The checkpoints beside it are whole, and yet no driver of that name can start.",
          {.of_whole_run = true},
          read_torn_snapshot};
}

FaultEntry upload_error() {
  return {FaultKind::kUploadError,
          "upload_error",
          {kJob, kRank},
          {{"error", shape::text(), false, "\"OSError: upload failed\"",
            "The message of the file system; some errors of AWS are worth another try."},
           {"times", shape::integer(1, 1000), false, "1", "How many uploads in a row fail."}},
          "The next upload of a checkpoint fails.",
          "In report() of the rank, or in its background thread.",
          "Part of the checkpoint may stay in storage, and a later one of that name mixes with it.",
          {.shown = ShownPlace::kRank},
          read_error};
}

FaultEntry divergent_report() {
  return {FaultKind::kDivergentReport,
          "divergent_report",
          {kJob, kRank},
          {},
          "The rank reports its next checkpoint under another path than the others.",
          "By the controller, when it puts the reports of all ranks together.",
          "It is an error of the controller, not of the worker, and is never retried.",
          {.shown = ShownPlace::kRank},
          nullptr};
}

FaultEntry hook_error() {
  return {FaultKind::kHookError,
          "hook_error",
          {kJob},
          {{"error", shape::text(), false, "\"RuntimeError\"", "Class of what is raised."},
           {"hook", shape::word({"controller", "shutdown"}), false, "\"controller\"",
            "One that the controller calls now, or one of the next shutdown of the workers."}},
          "A callback hook in the run's controller raises.",
          "At once, by the controller itself; in a shutdown, when that ends.",
          "It ends the run, whatever the retry limits say.",
          {.of_whole_run = true},
          read_hook_error};
}

FaultEntry unshared_storage() {
  return {
      FaultKind::kUnsharedStorage,
      "unshared_storage",
      {kJob},
      {},
      "The job's nodes do not see one and the same storage: a local path on several nodes, or a "
      "mount that is missing.",
      "Before the first upload, when a rank looks for the storage's marker and does not find it.",
      "It is charged like any user error, and every retry meets it again.",
      {},
      nullptr};
}

FaultEntry object_store_full() {
  return {FaultKind::kObjectStoreFull,
          "object_store_full",
          {kHead},
          {},
          "Ray's object store is full: the cluster and every driver on the head end.",
          "Nobody is left to see it; a new driver finds what its run left in storage.",
          "A transient error of the cluster, which a restored experiment does not meet again.",
          {},
          nullptr};
}

FaultEntry deleted_checkpoint() {
  return {FaultKind::kDeletedCheckpoint,
          "deleted_checkpoint",
          {kJob},
          {},
          "Somebody deletes the directory of the run's newest committed checkpoint.",
          "By who needs it next: a new driver that looks for it, or workers that load it.",
          "The snapshot still lists it, so every restart asks for a checkpoint that is gone.",
          {.of_whole_run = true},
          nullptr};
}

FaultEntry unwritable_snapshot() {
  return {FaultKind::kUnwritableSnapshot,
          "unwritable_snapshot",
          {kJob},
          {},
          "The next write of the run's snapshot fails, while checkpoints can be written.",
          "At once, by the controller, when it commits the next checkpoint.",
          "It is an error of the controller, not of the workers that saved.",
          {.of_whole_run = true},
          nullptr};
}

FaultEntry policy_crash() {
  return {
      FaultKind::kPolicyCrash,
      "policy_crash",
      {kJob, kExperiment, kAgent},
      {{"lasts", distribution_shape(), false, "\"10s\"",
        "Until its process runs again. An agent's never does."},
       {"state", shape::word({"kept", "lost"}), false, "\"kept\"",
        "The state that the new process finds: the last completed persist, or nothing."},
       {"signal", shape::word({"SIGKILL", "SIGTERM"}), false, "\"SIGKILL\"",
        "Of an agent alone: killed, it leaves its workers behind, and terminated it ends them."}},
      "The process of the job's policy is killed and started again, on a head that is well: a "
      "controller that owns its workers takes them with it, one of a platform leaves its pods "
      "alone. With --policy-cmd the program itself is killed. An agent (job/agent) ends apart "
      "from its node, for good; the controller has to be one on each node (torchrun, nvrx).",
      "Nobody is left to see it; a new process finds what the old one persisted. Other agents "
      "see that the store of their rendezvous is gone, where it was the first node's.",
      "State that was in memory alone is forgotten, and the events of the meantime are unseen. "
      "Workers without an agent train on, and nobody hears how they end.",
      {.of_whole_run = true},
      read_policy_crash};
}

}  // namespace

std::span<const FaultEntry> controller_faults() {
  static const std::array kEntries{head_crash(),        host_oom(),           full_disk(),
                                   user_interrupt(),    torn_snapshot(),      upload_error(),
                                   divergent_report(),  hook_error(),         unshared_storage(),
                                   object_store_full(), deleted_checkpoint(), unwritable_snapshot(),
                                   policy_crash()};
  return kEntries;
}

}  // namespace aftershock::sim::scenario
