#include "sim/scenario/faults/fault_catalogue.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "policies/api/config.h"
#include "sim/scenario/faults/fault_entries.h"
#include "sim/scenario/shape/distribution_keys.h"
#include "sim/scenario/shape/lexicals.h"
#include "sim/scenario/text/error.h"

namespace aftershock::sim {
namespace {

using enum TargetKind;

Key lasts_or_repair(std::string_view default_text, std::string_view meaning) {
  return {"lasts", shape::either({shape::word({"repair"}), distribution_shape()}), false,
          default_text, meaning};
}

FaultEntry node_crash() {
  return {FaultKind::kNodeCrash,
          "node_crash",
          {kNode, kPool, kJob, kRank, kExperiment, kTrial, kRack, kPowerDomain},
          {lasts_or_repair("",
                           "Until the node is healthy again; \"repair\": by the pool's repair law. "
                           "Default: that law, and for good in a pool that has none.")},
          "The node stops at once, with every process on it and all that was stored there; of a "
          "rack or a power domain, every node.",
          "Missed heartbeats, or the next poll that its workers do not answer.",
          "Until then nobody knows: to a controller it looks like a partition or a busy node."};
}

FaultEntry preemption() {
  return {FaultKind::kPreemption,
          "preemption",
          {kNode, kPool, kJob, kRank, kHead, kExperiment, kTrial, kRack, kPowerDomain},
          {{"notice", shape::lexical(lexicals::positive_duration()), false, "",
            "Time from the announcement to the end of the node. Default: it vanishes unannounced."},
           {"deadline", shape::word({"told", "unknown"}), false, "\"told\"",
            "Whether the notice says when the node will go."},
           lasts_or_repair("",
                           "Until the node is given back; \"repair\": by the pool's repair law. "
                           "Default: that law, and for good in a pool that has none.")},
          "The market takes the node back: it stops when the notice runs out.",
          "The notice, where there is one; then its death is announced as a preemption.",
          "Without notice it is a node crash, and may be charged to a budget that preemptions are "
          "exempt from."};
}

FaultEntry partition() {
  return {FaultKind::kPartition,
          "partition",
          {kNode, kRack, kPool, kLink, kSwitch},
          {{"lasts", distribution_shape(), true, "", "Until the network is whole again."}},
          "Nothing passes between the target and everything outside it, either way: heads, storage "
          "and peers. What runs inside goes on running. With a link: between its two sides; with a "
          "switch: between any two of its links.",
          "Missed heartbeats and unanswered polls; inside, the collective timeout.",
          "The nodes look dead and are not: their workers live on as zombies beside those that "
          "replace them."};
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
           {"exit_code", shape::integer(1, 255), false, "",
            "Exit code of the process, with how: exit. Default: 1."},
           {"during", shape::word({"construction", "context_init", "backend_setup", "launch"}),
            false, "",
            "What of a start it hits, where it hits one. Default: construction while it is "
            "launching, the backend's set-up in the rendezvous."}},
          "One worker process ends, or errs and stays; the node is healthy.",
          "The next poll: an exception arrives with its text, a dead process as a dead actor. One "
          "that stays: nobody, as in a hang.",
          "The peers that then fail in the collective may be taken for the culprits."};
}

Key heal_key() {
  return {"heal", distribution_shape(), false, "",
          "How long it takes to heal it, for a policy that tries. Default: as the pool says."};
}

Key heal_fails_key() {
  return {"heal_fails", shape::number(0, 1), false, "",
          "Share of the tries that do not heal it. Default: as the pool says."};
}

Key needs_key() {
  return {"needs",
          shape::words({policies::kDeviceNeedNames.begin(), policies::kDeviceNeedNames.end()}),
          false, "",
          "What makes it well again when its node is isolated. Default: what the level of its code "
          "comes to, or the action of its Xid."};
}

Key lasts_of_accelerator() {
  return lasts_or_repair("\"0s\"",
                         "Until the accelerator is healthy again; \"repair\": by the pool's law "
                         "for what it needs.");
}

FaultEntry accelerator_fault() {
  return {
      FaultKind::kAcceleratorFault,
      "accelerator_fault",
      {kNode, kAccelerator, kPool, kJob, kRank, kExperiment, kTrial},
      {{"code", shape::lexical(lexicals::fault_code()), true, "",
        "The vendor's code, an NVIDIA Xid or an Ascend event id, or its name; `aftershock faults "
        "list ascend` and `xid` have them."},
       {"blames", shape::lexical(lexicals::target()), false, "",
        "The node of the pool, \"node:NAME\", that the health report names in its place."},
       {"severity", shape::word({"hint", "minor", "major", "critical"}), false, "",
        "What the device says of it. Default: what the list of codes says."},
       heal_key(),
       heal_fails_key(),
       needs_key(),
       lasts_of_accelerator()},
      "The accelerator fails and the worker that uses it dies, unless its code is a hint, which "
      "no process notices.",
      "The node's health service reports the code at once; the death shows at the next poll.",
      "A policy that does not read the code sees an application error, and restarts on the same "
      "accelerator."};
}

FaultEntry corrected_ecc_storm() {
  return {
      FaultKind::kCorrectedEccStorm,
      "corrected_ecc_storm",
      {kNode, kAccelerator, kPool, kJob, kRank},
      {{"every", distribution_shape(), true, "", "Time from one error to the next."},
       {"times", shape::integer(1, 1'000'000), false, "10",
        "How many errors are corrected. The next one is not, or the storm is over."},
       {"code", shape::lexical(lexicals::fault_code()), false, "",
        "Of every corrected error; a hint. Default: 80E18401, or xid:92."},
       {"then", shape::lexical(lexicals::fault_code()), false, "",
        "Of the error that is not corrected. Default: there is none."},
       {"then_share", shape::number(0, 1), false, "1", "Share of the storms that come to it."},
       heal_key(),
       heal_fails_key(),
       needs_key(),
       lasts_of_accelerator()},
      "Memory errors of one accelerator are corrected, one after the other; after some of them one "
      "is not, and is a fault of the accelerator like any other. It ends when its node goes down "
      "or is isolated.",
      "The node's health service reports each of them at once; no process notices any that is "
      "corrected.",
      "Each by itself is harmless, and work goes on; a policy that ignores them all does not see "
      "what they announce."};
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
      "Healthy heartbeats say nothing of it; a slow step and a hung one look the same for long."};
}

}  // namespace

std::span<const FaultEntry> fault_catalogue() {
  static const std::array<FaultEntry, kFaultKinds> kCatalogue{node_crash(),
                                                              preemption(),
                                                              partition(),
                                                              worker_crash(),
                                                              accelerator_fault(),
                                                              hang(),
                                                              head_crash(),
                                                              host_oom(),
                                                              full_disk(),
                                                              user_interrupt(),
                                                              torn_snapshot(),
                                                              upload_error(),
                                                              divergent_report(),
                                                              hook_error(),
                                                              unshared_storage(),
                                                              object_store_full(),
                                                              deleted_checkpoint(),
                                                              unwritable_snapshot(),
                                                              corrected_ecc_storm(),
                                                              one_way_partition(),
                                                              head_worker_partition(),
                                                              worker_storage_partition(),
                                                              link_flap(),
                                                              storage_outage(),
                                                              slow_storage(),
                                                              torn_checkpoint(),
                                                              corrupt_checkpoint(),
                                                              stale_message(),
                                                              duplicate_message(),
                                                              straggler(),
                                                              cluster_outage(),
                                                              bad_replacement(),
                                                              capacity_denial(),
                                                              lemon_node(),
                                                              false_alarm(),
                                                              policy_crash()};
  return kCatalogue;
}

const FaultEntry& entry_of(FaultKind kind) {
  return fault_catalogue()[static_cast<std::size_t>(kind)];
}

std::string_view name_of(FaultKind kind) { return entry_of(kind).name; }

std::string_view name_of(TargetKind kind) {
  constexpr std::array<std::string_view, 14> kNames{
      "node",       "accelerator",      "rack",    "pool", "job",    "job/rank",     "head",
      "experiment", "experiment/trial", "storage", "link", "switch", "power_domain", "cluster"};
  return kNames[static_cast<std::size_t>(kind)];
}

TextProblem unknown_fault_kind(std::string_view word) {
  std::vector<std::string_view> shipped;
  for (const FaultEntry& entry : fault_catalogue()) shipped.push_back(entry.name);
  return {fmt::format("unknown kind of fault {}", in_quotes(word)),
          fmt::format("one of {}", fmt::join(shipped, ", ")),
          std::string(policies::nearest_name(word, shipped))};
}

}  // namespace aftershock::sim
