#include "sim/scenario/keys/keys.h"
#include "sim/scenario/shape/distribution_keys.h"
#include "sim/scenario/shape/lexicals.h"

namespace aftershock::sim::scenario::keys {
namespace {

constexpr std::uint64_t kMostTrials = 100'000;
constexpr std::uint64_t kMostIterations = 1'000'000'000;
constexpr double kLeastPart = 0.0001;
constexpr double kMostAccelerators = 64e6;

}  // namespace

const ObjectShape& experiment() {
  static const ObjectShape kObject{
      "experiment",
      "Many small trainings, all alike, under one controller.",
      {{"name", shape::lexical(lexicals::name()), true, "", "Its name."},
       {"pool", shape::lexical(lexicals::name()), false, "",
        "Pool that it runs in. Default: the only one."},
       {"trials", shape::integer(1, kMostTrials), true, "", "How many trials, numbered from 0."},
       {"resources_per_trial", shape::object(trial_resources()), false, R"({"accelerators": 1})",
        "The resources of the pool that one trial takes."},
       {"steps", shape::integer(1, kMostIterations), true, "",
        "Training iterations of a trial; each ends with a report."},
       {"step", distribution_shape(), true, "",
        "Length of a training iteration, drawn once for each trial."},
       {"priority", shape::integer(-2'147'483'648, 2'147'483'647), false, "0",
        "Where capacity is short the higher goes first."},
       {"submit", duration(), false, "\"0s\"", "When it is submitted."},
       {"checkpoint", shape::object(trial_checkpoint()), false, "",
        "When and how a trial saves. Default: never."},
       {"initial_checkpoint", shape::object(initial_checkpoint()), false, "",
        "The checkpoint that every trial begins from where it does not resume. Default: from "
        "nothing."},
       {"phases", shape::object(trial_phases()), false, "{}", "Lengths of the phases of a start."},
       {"script", shape::object(trial_script()), false, "{}", "The trainable's behaviour."},
       {"run", shape::object(run()), false, "{}",
        "Where it is stored; who comes later under the same path and name finds it there."},
       {"head", shape::lexical(lexicals::name()), false, "",
        "Head that its driver runs on. Default: the first one."},
       {"env", shape::map(shape::text(), kMostThings), false, "{}", "Environment variables."},
       {"policy", shape::object(policy()), true, "",
        "The policy that decides when something breaks."}},
      {}};
  return kObject;
}

const ObjectShape& trial_resources() {
  static const ObjectShape kObject{
      "trial_resources",
      "A part of an accelerator, accelerators of one node, or whole nodes.",
      {{"accelerators", shape::number(kLeastPart, kMostAccelerators), false, "",
        "So many, in parts of 10,000; whole ones from 1 on."},
       {"nodes", shape::number(kLeastPart, double{kMostNodes}), false, "",
        "The accelerators of so many nodes."}},
      {{KeyRule::Kind::kExactlyOne, {"accelerators", "nodes"}}}};
  return kObject;
}

const ObjectShape& trial_checkpoint() {
  static const ObjectShape kObject{
      "trial_checkpoint",
      "When and how a trial saves: with its report, which waits until the checkpoint is stored.",
      {{"every_steps", shape::integer(1, kMostIterations), false, "1",
        "With the report of every so many iterations."},
       {"bytes", shape::lexical(lexicals::size()), false, "\"0B\"", "Size of one checkpoint."},
       {"blocking", duration(), false, "\"0s\"", "The time that a save takes beside the upload."}},
      {}};
  return kObject;
}

const ObjectShape& trial_phases() {
  static const ObjectShape kObject{
      "trial_phases",
      "Lengths of the phases of a trial's start, drawn for each.",
      {{"launching", distribution_shape(), false, "\"0s\"", "Its process starts."},
       {"restoring", distribution_shape(), false, "\"0s\"",
        "It loads its checkpoint, beside the download."}},
      {}};
  return kObject;
}

const ObjectShape& trial_script() {
  static const ObjectShape kObject{
      "trial_script",
      "The trainable's behaviour: whether it saves and resumes.",
      {{"saves", shape::boolean(), false, "true", "It reports with checkpoints."},
       {"resumes", shape::boolean(), false, "true", "It goes on from the checkpoint it is given."}},
      {}};
  return kObject;
}

}  // namespace aftershock::sim::scenario::keys
