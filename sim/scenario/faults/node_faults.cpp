#include <array>
#include <string>

#include <fmt/format.h>

#include "sim/scenario/faults/fault_entry.h"
#include "sim/scenario/shape/distribution_keys.h"
#include "sim/scenario/shape/lexicals.h"

// Faults that end nodes and processes, or stop them.
namespace aftershock::sim::scenario {
namespace {

using enum TargetKind;

// "repair", or a time of its own; by default the pool's repair law.
void read_node_lasts(const Fields& fields, const PoolSpec& pool, FaultEffect& effect,
                     ErrorList& errors) {
  if (!fields.has("lasts")) {
    effect.until_repaired = pool.repair.has_value();
    return;
  }
  read_lasts_or_repair(fields, effect, errors);
  if (effect.until_repaired && !pool.repair) {
    errors.add(fields.value("lasts"),
               {fmt::format("pool {} has no repair law", in_quotes(pool.name)),
                "a duration here, or \"repair\" in the pool",
                {}});
  }
}

void read_node_crash(const Fields& fields, const PoolSpec& pool, FaultEffect& effect,
                     ErrorList& errors) {
  read_node_lasts(fields, pool, effect, errors);
  effect.closes_connections = fields.text("connections") == "closed";
}

void read_crash(const Fields& fields, const PoolSpec&, FaultEffect& effect, ErrorList& errors) {
  effect.manner = fields.word<CrashManner>("how");
  constexpr std::int32_t kKilled = 137;  // as a shell reports a process that SIGKILL ended
  if (effect.manner == CrashManner::kOutOfMemory) effect.exit_code = kKilled;
  if (fields.has("during")) effect.during = fields.word<StartPoint>("during");
  if (effect.during && effect.manner == CrashManner::kErrorWithoutExit) {
    errors.add(*fields.written("during"),
               {"a worker that errs without an exit ends no start", "another \"how\"", {}});
  }
  const LocatedValue* code = fields.written("exit_code");
  if (code != nullptr && fields.integer("exit_code") == 0 && effect.during) {
    errors.add(*fields.written("during"),
               {"no script has returned before it has begun", "no \"during\"", {}});
  }
  if (code == nullptr) return;
  if (effect.manner == CrashManner::kExit) {
    effect.exit_code = static_cast<std::int32_t>(fields.integer("exit_code"));
  } else {
    errors.add(*code, {"only a worker that exits has an exit code of its own",
                       "\"how\": \"exit\" beside it",
                       {}});
  }
}

void read_notice(const Fields& fields, FaultEffect& effect, ErrorList& errors) {
  effect.notice_us = fields.optional_duration("notice");
  effect.deadline_told = fields.text("deadline") == "told";
  effect.early_us = fields.optional_duration("early").value_or(0);
  if (const LocatedValue* early = fields.written("early");
      early != nullptr && effect.early_us >= effect.notice_us.value_or(0)) {
    errors.add(*early, {"it goes before its notice", "less than \"notice\" beside it", {}});
  }
  if (const LocatedValue* deadline = fields.written("deadline");
      deadline != nullptr && !effect.notice_us) {
    errors.add(*deadline, {"without a notice nothing is told", "\"notice\" beside it", {}});
  }
}

void read_preemption(const Fields& fields, const PoolSpec& pool, FaultEffect& effect,
                     ErrorList& errors) {
  read_node_lasts(fields, pool, effect, errors);
  read_notice(fields, effect, errors);
}

void read_hang(const Fields& fields, const PoolSpec& pool, FaultEffect& effect, ErrorList& errors) {
  read_lasts(fields, pool, effect, errors);
  effect.answers = fields.boolean("answers");
}

FaultEntry node_crash() {
  return {FaultKind::kNodeCrash,
          "node_crash",
          {kNode, kPool, kJob, kRank, kExperiment, kTrial, kRack, kPowerDomain},
          {{"connections", shape::word({"silent", "closed"}), false, "\"silent\"",
            "Those that wait for its workers see nothing, as when it has no power, or see closed "
            "connections, as of a node that is reset and answers."},
           lasts_or_repair("",
                           "Until the node is healthy again; \"repair\": by the pool's repair law. "
                           "Default: that law, and for good in a pool that has none.")},
          "The node stops at once, with every process on it and all that was stored there; of a "
          "rack or a power domain, every node.",
          "Missed heartbeats, or the next poll that its workers do not answer.",
          "Until then nobody knows: to a controller it looks like a partition or a busy node.",
          {.strikes_racks = true, .shown = ShownPlace::kNode},
          read_node_crash};
}

FaultEntry preemption() {
  return {FaultKind::kPreemption,
          "preemption",
          {kNode, kPool, kJob, kRank, kHead, kExperiment, kTrial, kRack, kPowerDomain},
          {{"notice", shape::lexical(lexicals::positive_duration()), false, "",
            "Time from the announcement to the end of the node. Default: it vanishes unannounced."},
           {"deadline", shape::word({"told", "unknown"}), false, "\"told\"",
            "Whether the notice says when the node will go."},
           {"early", shape::lexical(lexicals::positive_duration()), false, "",
            "The node goes so long before the end of its notice, and without a word. Default: at "
            "its end, and announced."},
           lasts_or_repair("",
                           "Until the node is given back; \"repair\": by the pool's repair law. "
                           "Default: that law, and for good in a pool that has none.")},
          "The market takes the node back: it stops when the notice runs out.",
          "The notice, where there is one; then its death is announced as a preemption.",
          "Without notice it is a node crash, and may be charged to a budget that preemptions are "
          "exempt from.",
          {.strikes_racks = true, .shown = ShownPlace::kNode},
          read_preemption};
}

FaultEntry worker_crash() {
  return {FaultKind::kWorkerCrash,
          "worker_crash",
          {kNode, kAccelerator, kPool, kJob, kRank, kExperiment, kTrial},
          {{"how", shape::word({"exception", "oom", "exit", "error_without_exit"}), false,
            "\"exception\"",
            "A raised exception, the kernel's out-of-memory killer, or an exit of the process. "
            "error_without_exit: the script catches what it meets and waits, so that its process "
            "lives, answers and does nothing more; what ends the wait is the collective timeout of "
            "the others, a look for hangs, or a user. Ray Train too sees only what leaves the "
            "training function."},
           {"exit_code", shape::integer(0, 255), false, "",
            "Exit code of the process, with how: exit. Default: 1. 0: its script returns before "
            "the others do, as nothing that fails; these wait for it in their collective."},
           {"during", shape::word({"construction", "context_init", "backend_setup", "launch"}),
            false, "",
            "The part of a start that it hits, where it hits one. Default: construction while it "
            "is launching, the backend's set-up in the rendezvous."}},
          "One worker process ends, or errs and stays; the node is healthy.",
          "The next poll: an exception arrives with its text, a dead process as a dead actor. One "
          "that stays: nobody, as in a hang.",
          "The peers that then fail in the collective may be taken for the culprits.",
          {.of_one_accelerator = true, .shown = ShownPlace::kRank},
          read_crash};
}

FaultEntry hang() {
  return {
      FaultKind::kHang,
      "hang",
      {kNode, kAccelerator, kPool, kJob, kRank, kExperiment, kTrial},
      {{"lasts", distribution_shape(), false, "",
        "Until the worker goes on by itself. Default: never."},
       {"answers", shape::boolean(), false, "true",
        "Whether the stuck worker still answers polls."}},
      "One worker stops making progress, and the collective waits for it.",
      "Answering: only the collective timeout or a hang rule. Not answering: unanswered polls.",
      "Healthy heartbeats say nothing of it; a slow step and a hung one look the same for long.",
      {.of_one_accelerator = true, .shown = ShownPlace::kRank},
      read_hang};
}

}  // namespace

std::span<const FaultEntry> node_faults() {
  static const std::array kEntries{node_crash(), preemption(), worker_crash(), hang()};
  return kEntries;
}

}  // namespace aftershock::sim::scenario
