#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "policies/device_codes/device_need.h"
#include "sim/scenario/faults/fault_code.h"
#include "sim/scenario/faults/fault_entry.h"
#include "sim/scenario/shape/distribution_keys.h"
#include "sim/scenario/shape/lexicals.h"

// Faults of machines that are bad in other ways than by ending, and of pools that give them out.
namespace aftershock::sim::scenario {
namespace {

using enum TargetKind;

void read_straggler(const Fields& fields, const PoolSpec& pool, FaultEffect& effect,
                    ErrorList& errors) {
  read_lasts(fields, pool, effect, errors);
  effect.machine.slowdown_ppm = std::llround(fields.number("slowdown") * 1e6);
}

void read_bad_replacement(const Fields& fields, const PoolSpec& pool, FaultEffect& effect,
                          ErrorList& errors) {
  read_lasts(fields, pool, effect, errors);
  effect.times = fields.count("times");
  effect.machine.machines = fields.word<NewMachines>("machines");
  effect.every = fields.distribution("after", errors);
  if (fields.has("code")) {
    effect.then = read_code(fields, "code", pool, std::nullopt, errors);
    effect.needs = policies::need_of_code(effect.then, std::nullopt);
    if (!effect.lasts) last_as_needed(pool, effect);
  } else {
    effect.until_repaired = !effect.lasts && pool.repair.has_value();
  }
  const bool provisions = pool.replacement != Replacement::kNone;
  if ((effect.machine.machines == NewMachines::kSpares && pool.spares == 0) ||
      (effect.machine.machines == NewMachines::kProvisioned && !provisions) ||
      (effect.machine.machines == NewMachines::kAny && !provisions && pool.spares == 0)) {
    errors.add(fields.blame("machines"),
               {fmt::format("pool {} has no such machines", in_quotes(pool.name)),
                R"("spares" or "replacement" in the pool)",
                {}});
  }
}

void read_denial(const Fields& fields, const PoolSpec& pool, FaultEffect& effect,
                 ErrorList& errors) {
  read_lasts(fields, pool, effect, errors);
  effect.machine.spares_too = fields.boolean("spares");
}

void read_lemon(const Fields& fields, const PoolSpec& pool, FaultEffect& effect,
                ErrorList& errors) {
  read_lasts(fields, pool, effect, errors);
  effect.every = fields.distribution("every", errors);
  effect.machine.for_ever = !fields.has("times");
  effect.machine.cured_ppm = fields.millionths("cured_by_repair");
  effect.until_repaired = !effect.lasts && pool.repair.has_value();
}

void read_alarm(const Fields& fields, const PoolSpec& pool, FaultEffect& effect,
                ErrorList& errors) {
  effect.machine.alarm = fields.word<Alarm>("alarm");
  if (effect.machine.alarm == Alarm::kHang) {
    if (const LocatedValue* code = fields.written("code")) {
      errors.add(*code, {"a hang has no code", R"("alarm": "device_fault" beside it)", {}});
    }
    return;
  }
  if (!fields.has("code")) {
    errors.add(fields.object(), {"missing key \"code\"", "what the device is said to have", {}});
    return;
  }
  effect.code = read_code(fields, "code", pool, std::nullopt, errors);
  effect.needs = policies::need_of_code(effect.code, std::nullopt);
}

FaultEntry straggler() {
  return {FaultKind::kStraggler,
          "straggler",
          {kNode, kAccelerator, kPool, kJob, kRank},
          {{"slowdown", shape::number(1.000001, 1000), true, "",
            "How many times as long a step takes its workers."},
           {"lasts", distribution_shape(), false, "",
            "Until it is as fast as the others. Default: until its machine is repaired or "
            "replaced."}},
          "Workers on the node or the accelerator are slow, and the whole job with them, since "
          "every step waits for the slowest.",
          "Nobody: heartbeats, polls and progress go on. Only the time of a step tells.",
          "That the job is as fast as it can be, or, of a step that takes very long, that it "
          "hangs.",
          {.of_one_accelerator = true, .shown = ShownPlace::kNode},
          read_straggler};
}

FaultEntry cluster_outage() {
  return {FaultKind::kClusterOutage,
          "cluster_outage",
          {kCluster},
          {{"lasts", distribution_shape(), true, "",
            "Until there is power again. A head then needs its \"restart\" on top."}},
          "Every node and every head stops at once. Storage, and the control plane of a platform "
          "that keeps it elsewhere, go on.",
          "Nobody is left to see it; new drivers find what their runs left in storage.",
          "That many nodes have failed, each for a reason of its own, and each charged.",
          {},
          read_lasts};
}

FaultEntry bad_replacement() {
  return {FaultKind::kBadReplacement,
          "bad_replacement",
          {kPool},
          {{"times", shape::integer(1, 1'000'000), false, "1", "How many machines are bad."},
           {"machines", shape::word({"any", "provisioned", "spares"}), false, "\"any\"",
            "Which of those that are put to use: new ones that come, spares, or both."},
           {"after", distribution_shape(), false, "\"0s\"",
            "How long after the launch of work on it the machine fails."},
           {"code", shape::lexical(lexicals::fault_code()), false, "",
            "Of the accelerator on it that fails. Default: the whole node stops."},
           {"lasts", distribution_shape(), false, "",
            "Until it is healthy again. Default: the pool's repair law for a node, and for an "
            "accelerator as the fault of one."}},
          "The next machines of the pool that take the place of others are bad, too: each fails "
          "as soon as work is launched on it.",
          "As the crash of a node or the fault of an accelerator, in a start that has just begun.",
          "That what the job does breaks machines, or that a healthy part of it is at fault.",
          {.strikes_pool = true, .shown = ShownPlace::kNode},
          read_bad_replacement};
}

FaultEntry capacity_denial() {
  return {FaultKind::kCapacityDenial,
          "capacity_denial",
          {kPool},
          {{"lasts", distribution_shape(), true, "", "Until machines are given out again."},
           {"spares", shape::boolean(), false, "false",
            "Whether idle spares are not given out either."}},
          "No new machine is asked for with success: whoever waits goes on waiting, and what was "
          "under way still comes.",
          "Only by nothing coming: a start that finds no nodes in time.",
          "That capacity will never come, and that it is time to shrink or to give up.",
          {.strikes_pool = true},
          read_denial};
}

FaultEntry lemon_node() {
  return {FaultKind::kLemonNode,
          "lemon_node",
          {kNode, kPool},
          {{"every", distribution_shape(), true, "",
            "How long it runs, each time that it is back, until it fails again."},
           {"times", shape::integer(1, 1'000'000), false, "",
            "How often it fails altogether. Default: for ever."},
           {"lasts", distribution_shape(), false, "",
            "Until it is back. Default: the pool's repair law, and for good without."},
           {"cured_by_repair", shape::number(0, 1), false, "0",
            "The chance of each repair to make it good."}},
          "The node stops, comes back from its repair still bad, and stops again. Only another "
          "machine in its place ends that, or a repair that cures it.",
          "As the crash of a node, each time.",
          "Each failure by itself is like any other: a policy that does not count them by node "
          "takes it back every time.",
          {.shown = ShownPlace::kNode},
          read_lemon};
}

FaultEntry false_alarm() {
  return {FaultKind::kFalseAlarm,
          "false_alarm",
          {kNode, kAccelerator, kPool, kJob, kRank},
          {{"alarm", shape::word({"device_fault", "hang"}), false, "\"device_fault\"",
            "The reported trouble: a fault of an accelerator, or a hang of the job on it."},
           {"code", shape::lexical(lexicals::fault_code()), false, "",
            "Of the accelerator that is said to be at fault."}},
          "Nothing: what is reported as broken is healthy.",
          "At once, by a policy that hears of such things: of device faults one that watches "
          "nodes, of hangs one that looks for them.",
          "Everything: that a healthy node is bad and must go, or that a job that trains must be "
          "restarted.",
          {.of_one_accelerator = true, .shown = ShownPlace::kNode},
          read_alarm};
}

}  // namespace

std::span<const FaultEntry> machine_faults() {
  static const std::array kEntries{straggler(),       cluster_outage(), bad_replacement(),
                                   capacity_denial(), lemon_node(),     false_alarm()};
  return kEntries;
}

}  // namespace aftershock::sim::scenario
