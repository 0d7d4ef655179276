#include "sim/scenario/keys/keys.h"
#include "sim/scenario/shape/distribution_keys.h"
#include "sim/scenario/shape/lexicals.h"

namespace aftershock::sim::scenario::keys {
namespace {

constexpr std::uint64_t kMostSteps = 1'000'000'000'000;
constexpr std::uint64_t kMostWorkers = 64'000'000;

Shape positive_duration() { return shape::lexical(lexicals::positive_duration()); }

}  // namespace

const ObjectShape& job() {
  static const ObjectShape kObject{
      "job",
      "A synchronous training job.",
      {{"name", shape::lexical(lexicals::name()), true, "", "Its name."},
       {"pool", shape::lexical(lexicals::name()), false, "",
        "Pool that it runs in. Default: the only one."},
       {"workers", shape::integer(1, kMostWorkers), true, "",
        "Number of workers, one an accelerator."},
       {"steps", shape::integer(1, kMostSteps), false, "",
        "Training steps to do. Default: it trains until the scenario ends."},
       {"step", positive_duration(), true, "", "Length of a training step."},
       {"priority", shape::integer(-2'147'483'648, 2'147'483'647), false, "0",
        "Where capacity is short the higher goes first."},
       {"spread", shape::object(spread()), false, "",
        "How its nodes are spread over what fails together. Default: any will do."},
       {"head", shape::lexical(lexicals::name()), false, "",
        "Head that its controller runs on. Default: the first one."},
       {"submit", duration(), false, "\"0s\"", "When it is submitted."},
       {"initial_checkpoint", shape::object(initial_checkpoint()), false, "",
        "The configuration that the training loop starts with."},
       {"checkpoint", shape::object(checkpoint()), false, "",
        "When and how it saves. Default: never."},
       {"phases", shape::object(phases()), false, "{}",
        "Lengths of the phases of a start or stop."},
       {"restart_phases", shape::object(phases()), false, "{}",
        "Where they differ in every start after the first."},
       {"collective_timeout",
        shape::either({positive_duration(), shape::word({"none"}), shape::only_false()}), false,
        "\"30min\"",
        "After which workers that wait for another one fail; \"none\" or false: never. "
        "HCCL_EXEC_TIMEOUT in env, in seconds, says the same of NPUs."},
       {"collectives", shape::object(collectives()), false, "",
        "The library that carries its collectives, and what ranks learn there of one that has "
        "ended."},
       {"hang_detection", shape::object(hang_detection()), false, "",
        "The job's own rule, in place of one that its policy may have. Default: none."},
       {"detection", shape::object(detection()), false, "",
        "Replaces polls, heartbeats and timeouts, to compare with formulas. Reports of "
        "accelerators about themselves come at once all the same."},
       {"script", shape::object(script()), false, "{}", "The training script's behaviour."},
       {"volumes", shape::object(volumes()), false, "{}", "The mounts of its containers."},
       {"pods", shape::object(pods()), false, "{}",
        "The time that pods take to start, longer the more of them start; part of launching, "
        "beside its phase."},
       {"control_plane", shape::object(control_plane()), false, "{}",
        "Where the controller runs that a platform has for the job (ModelArts); Ray's is the job's "
        "driver, on its head."},
       {"run", shape::object(run()), false, "{}", "Where the run is stored."},
       {"env", shape::map(shape::text(), kMostThings), false, "{}", "Environment variables."},
       {"policy", shape::object(policy()), true, "",
        "The policy that decides when something breaks."}},
      {}};
  return kObject;
}

const ObjectShape& checkpoint() {
  static const ObjectShape kObject{
      "checkpoint",
      "When and how a job saves.",
      {{"every", positive_duration(), false, "",
        "Compute time since the last checkpoint began or the attempt started training."},
       {"every_steps", shape::integer(1, kMostSteps), false, "", "The same in steps."},
       {"bytes", shape::lexical(lexicals::size()), false, "\"0B\"",
        "Size of a whole checkpoint, spread evenly over the ranks."},
       {"blocking", duration(), false, "\"0s\"", "Training stands still for this long."},
       {"upload", shape::word({"blocking", "async"}), false, "\"blocking\"",
        "Whether training waits for the upload or goes on beside it."},
       {"keep", shape::integer(1, 1'000'000), false, "",
        "Checkpoints to keep. Default: what the policy says."},
       {"download", shape::word({"shards", "as_directory", "to_directory"}), false, "\"shards\"",
        "The files that a restart fetches: every rank its share, or every node the whole "
        "directory."},
       {"overlapping", shape::boolean(), false, "true",
        "Whether the ranks of a node ask for the directory at once and share one download; else "
        "each "
        "fetches its own."},
       {"scores", shape::list(shape::number(-2147, 2147), 1, kMostThings), false, "",
        "Metric of the first checkpoint, the second, and so on; the last one goes on. Default: "
        "none "
        "is reported."},
       {"at_end", shape::boolean(), false, "true",
        "One more after the last step when there is work not yet saved."}},
      {{KeyRule::Kind::kExactlyOne, {"every", "every_steps"}}}};
  return kObject;
}

const ObjectShape& initial_checkpoint() {
  static const ObjectShape kObject{
      "initial_checkpoint",
      "A checkpoint of another run, which the script loads where its own run has none yet.",
      {{"steps", shape::integer(1, kMostSteps), true, "", "Training steps that it holds."}},
      {}};
  return kObject;
}

const ObjectShape& phases() {
  static const ObjectShape kObject{
      "phases",
      "Lengths of the phases of a start or stop.",
      {{"launching", distribution_shape(), false, "\"0s\"", "Containers and processes start."},
       {"rendezvous", distribution_shape(), false, "\"0s\"", "Workers find each other."},
       {"restoring", distribution_shape(), false, "\"0s\"",
        "Selecting and validating a checkpoint, beside its download."},
       {"warming_up", distribution_shape(), false, "\"0s\"", "From restored to the first step."},
       {"tearing_down", distribution_shape(), false, "\"0s\"", "The rest of an attempt stops."},
       {"finalizing", distribution_shape(), false, "\"0s\"", "After the last step."}},
      {}};
  return kObject;
}

const ObjectShape& collectives() {
  static const ObjectShape kObject{
      "collectives",
      "The library, and what the ranks that are left see there of one that has ended, where a "
      "policy "
      "leaves them to it (torchrun, Job, JobSet, Kubeflow, Volcano).",
      {{"transport", shape::word({"gloo", "nccl", "nccl_unhandled", "hccl"}), false, "",
        "The library, which the other keys have their defaults from; nccl_unhandled is NCCL "
        "without "
        "asynchronous error handling, where nothing ends a wait. Default: nccl on GPUs, hccl on "
        "NPUs."},
       {"peer_ended", shape::either({shape::word({"unseen"}), distribution_shape()}), false, "",
        "Until they see a process that ended and closed its connections; unseen: only the "
        "collective timeout shows it. Default: of gloo 0.1 to 0.5 s, of nccl between nodes 30.065 "
        "s, else unseen."},
       {"peer_vanished", shape::either({shape::word({"unseen"}), distribution_shape()}), false, "",
        "The same of a node that went, or was cut off, without a word. Default: of nccl between "
        "nodes 30.065 s, else unseen."},
       {"gone_after", distribution_shape(), false, "",
        "From there, or from the collective timeout, until their own processes are gone. Default: "
        "of gloo 1 to 3 s, of nccl 60 s, else 0 s."}},
      {}};
  return kObject;
}

const ObjectShape& hang_detection() {
  static const ObjectShape kObject{
      "hang_detection",
      "A rule that suspects a hang.",
      {{"after", positive_duration(), true, "", "Time without progress."}},
      {}};
  return kObject;
}

const ObjectShape& detection() {
  static const ObjectShape kObject{
      "detection",
      "How failures are seen, instead of by all that would see them.",
      {{"fixed", duration(), true, "", "Every failure is seen this long after it struck."}},
      {}};
  return kObject;
}

const ObjectShape& script() {
  static const ObjectShape kObject{
      "script",
      "The training script's use of checkpoints and of its container.",
      {{"saves", shape::boolean(), false, "true", "It saves checkpoints."},
       {"resumes", shape::boolean(), false, "true", "It starts from the latest checkpoint."},
       {"reentrant", shape::boolean(), false, "true", "It can run again in a kept container."},
       {"falls_back", shape::boolean(), false, "false",
        "Where it cannot read its newest checkpoint it takes the one before. Default: it raises."},
       {"steps_per", shape::word({"job", "attempt"}), false, "\"job\"",
        "The owner of \"steps\": the job, of which an attempt does those that are left, or each "
        "attempt, which does as many again on top of what it loaded."},
       {"on_notice", shape::word({"goes_on", "returns"}), false, "\"goes_on\"",
        "Its answer to the notice that a node of it will be taken away, once the controller has "
        "heard of that: none, or all its workers return at the end of the step, as after the last "
        "one."},
       {"setup", duration(), false, "\"0s\"", "Set-up in a fresh container, part of launching."},
       {"active",
        shape::list(shape::word({"restoring", "warming_up", "checkpointing", "finalizing"}), 1, 4),
        false, "",
        "Phases beside training that keep its accelerators busy. A policy that detects hangs by "
        "activity, as ModelArts does, takes a longer one for a hang where it is not among them. "
        "Default: none."}},
      {}};
  return kObject;
}

const ObjectShape& volumes() {
  static const ObjectShape kObject{
      "volumes",
      "The file systems that are mounted into the containers of a job, and unmounted with them "
      "(ModelArts).",
      {{"unmount", duration(), false, "\"0s\"",
        "The time that unmounting takes, however large the job."},
       {"per_pod", duration(), false, "\"0s\"", "And more for each pod, which is a node."}},
      {}};
  return kObject;
}

const ObjectShape& pods() {
  static const ObjectShape kObject{
      "pods",
      "Start of pods, one a node: all at the first start and where the job is scheduled anew, "
      "those "
      "of lost nodes where a policy makes them anew beside the others, none in place.",
      {{"image", shape::lexical(lexicals::size()), false, "\"0B\"",
        "Fetched by each node that has not run a pod of the job yet."},
       {"registry", shape::lexical(lexicals::rate()), false, "",
        "Bandwidth that the nodes which fetch it share, each up to its nic. Default: as much as "
        "they take."},
       {"each", duration(), false, "\"0s\"",
        "The time that the platform takes to make a pod, one after the other."},
       {"rank_table", duration(), false, "\"0s\"",
        "And for each pod of the job, kept or not, once any of them is new: the table of ranks is "
        "written again."}},
      {}};
  return kObject;
}

const ObjectShape& spread() {
  static const ObjectShape kObject{
      "spread",
      "Anti-affinity of a job's nodes, before and after a recovery.",
      {{"over", shape::word({"rack", "power_domain"}), true, "", "The failure domain."},
       {"most", shape::integer(1, kMostNodes), true, "",
        "How many of its nodes may be in any one of them. A job that finds too few nodes by that "
        "rule waits."}},
      {}};
  return kObject;
}

const ObjectShape& control_plane() {
  static const ObjectShape kObject{
      "control_plane",
      "Where a platform's controller runs, and what it knows when it comes back.",
      {{"on", shape::word({"managed", "head"}), false, "\"managed\"",
        "Kept up by somebody else, or on the job's head: it is lost with that, and the job's pods "
        "with it."},
       {"state", shape::word({"restored", "lost"}), false, "\"restored\"",
        "Whether it comes back with its counters, or the job begins as one that it never saw."}},
      {}};
  return kObject;
}

const ObjectShape& run() {
  static const ObjectShape kObject{
      "run",
      "Where a run is stored, and under which name.",
      {{"storage", shape::lexical(lexicals::name()), false, "",
        "Storage of the cluster. Default: the only one."},
       {"storage_path", shape::text(), false, "\"\"",
        "Path within it; with a protocol, such as s3://bucket?endpoint_override=URL, unless there "
        "is a "
        "filesystem."},
       {"name", shape::text(), false, "\"\"",
        "Name of the run, by which a new driver finds it; {uuid} in it is another one for every "
        "driver. Default: made from the date, so that no driver finds it again."},
       {"filesystem", shape::object(filesystem()), false, "",
        "A file system of one's own, with which the path has no protocol."},
       {"sync_artifacts", shape::boolean(), false, "false",
        "Whether what workers leave in their working directories is stored (Train V1)."},
       {"sync_period", positive_duration(), false, "\"300s\"", "How often (Train V1)."}},
      {}};
  return kObject;
}

const ObjectShape& filesystem() {
  static const ObjectShape kObject{
      "filesystem",
      "A file system that the script makes itself.",
      {{"class", shape::text(), true, "",
        "Such as pyarrow.fs.S3FileSystem or s3fs.S3FileSystem; those of pyarrow and fsspec that "
        "are known "
        "are held against the storage's kind and the endpoint's spelling."},
       {"endpoint_override", shape::text(), false, "", "Of pyarrow's: where the service is."},
       {"endpoint_url", shape::text(), false, "", "Of fsspec's: the same."}},
      {}};
  return kObject;
}

const ObjectShape& policy() {
  static const ObjectShape kObject{
      "policy",
      "A recovery policy.",
      {{"name", shape::text(), true, "", "Which; `aftershock policies` lists them."},
       {"profile", shape::text(), false, "\"\"",
        "Which version of it; \"installed\": the code of its project itself, see `aftershock "
        "hosts`. "
        "Default: the first that `aftershock policies list` names."},
       {"config", shape::map(shape::any(), kMostThings), false, "{}",
        "Its settings; `aftershock policies show NAME` lists them."}},
      {}};
  return kObject;
}

}  // namespace aftershock::sim::scenario::keys
