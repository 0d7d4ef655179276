#include <array>
#include <string>

#include "sim/scenario/faults/fault_entry.h"
#include "sim/scenario/shape/distribution_keys.h"
#include "sim/scenario/shape/lexicals.h"

// Faults of the network, of storage, and of the messages that go through them.
namespace aftershock::sim::scenario {
namespace {

using enum TargetKind;

// Of some nodes or of a link, and never of switches.
constexpr FaultTraits kCut{.of_network = true, .strikes_pool = true, .strikes_racks = true};

Key until_whole() {
  return {"lasts", distribution_shape(), true, "", "Until the network is whole again."};
}

Key direction_key(bool required, std::string_view meaning) {
  return {"direction", shape::word({"both", "outwards", "inwards"}), required,
          required ? "" : "\"both\"", meaning};
}

Key message_key() {
  return {"message", shape::word({"exit", "report", "stopped", "running"}), false, "\"exit\"",
          "Which: that workers failed, that they saved a checkpoint, that they have stopped, that "
          "they run."};
}

void read_direction(const Fields& fields, const PoolSpec& pool, FaultEffect& effect,
                    ErrorList& errors) {
  read_lasts(fields, pool, effect, errors);
  const std::string direction = fields.text("direction");
  effect.network.direction = direction == "both"       ? CutDirection::kBoth
                             : direction == "outwards" ? CutDirection::kOutwards
                                                       : CutDirection::kInwards;
}

void read_flap(const Fields& fields, const PoolSpec&, FaultEffect& effect, ErrorList& errors) {
  effect.network.down = fields.distribution("down", errors);
  effect.network.up = fields.distribution("up", errors);
  effect.times = fields.count("times");
}

void read_outage(const Fields& fields, const PoolSpec& pool, FaultEffect& effect,
                 ErrorList& errors) {
  read_lasts(fields, pool, effect, errors);
  effect.network.transfers_fail = fields.text("transfers") == "fail";
}

void read_slow_storage(const Fields& fields, const PoolSpec& pool, FaultEffect& effect,
                       ErrorList& errors) {
  read_lasts(fields, pool, effect, errors);
  effect.network.factor = fields.number("factor");
}

void read_torn_checkpoint(const Fields& fields, const PoolSpec&, FaultEffect& effect, ErrorList&) {
  effect.network.found_at_restore = fields.text("found") == "at_restore";
}

void read_message(const Fields& fields, const PoolSpec&, FaultEffect& effect, ErrorList&) {
  effect.network.message = fields.word<MessageKind>("message");
}

void read_duplicate(const Fields& fields, const PoolSpec&, FaultEffect& effect, ErrorList&) {
  effect.network.delay_us = fields.duration("delay");
  effect.network.message = fields.word<MessageKind>("message");
}

FaultEntry partition() {
  return {
      FaultKind::kPartition,
      "partition",
      {kNode, kRack, kPool, kLink, kSwitch},
      {{"lasts", distribution_shape(), true, "", "Until the network is whole again."}},
      "Nothing passes between the target and everything outside it, either way: heads, storage and "
      "peers. Processes inside go on running. With a link: between its two sides; with a switch: "
      "between any two of its links.",
      "Missed heartbeats and unanswered polls; inside, the collective timeout.",
      "The nodes look dead and are not: their workers live on as zombies beside those that "
      "replace them.",
      {.of_network = true, .strikes_pool = true, .strikes_racks = true, .strikes_switches = true},
      read_lasts};
}

FaultEntry one_way_partition() {
  return {FaultKind::kOneWayPartition,
          "one_way_partition",
          {kNode, kRack, kPool, kLink},
          {{"direction", shape::word({"outwards", "inwards"}), true, "",
            "The lost direction: all that the target sends to the rest, or all that the rest sends "
            "to it."},
           until_whole()},
          "Messages from the target to everything outside it do not arrive, or the reverse. A "
          "connection needs both ways: storage and peers are out of reach either way.",
          "Outwards: missed heartbeats and unanswered polls. Inwards: heartbeats go on to arrive, "
          "and only unanswered polls and the collective timeout show it.",
          "Inwards the nodes look well while no command reaches them; outwards they look dead, and "
          "do all that they are told.",
          kCut,
          read_direction};
}

FaultEntry head_worker_partition() {
  return {FaultKind::kHeadWorkerPartition,
          "head_worker_partition",
          {kNode, kRack, kPool, kLink},
          {direction_key(false,
                         "The lost messages between the target and the heads: both ways, only "
                         "those that it sends to them, or only those that they send to it."),
           until_whole()},
          "The target and the heads cannot talk, while it reaches its peers and storage: its work "
          "goes on, and so do its saves. By its link a head is the target, and cannot talk to any "
          "worker.",
          "Missed heartbeats and unanswered polls; inwards the polls alone.",
          "The nodes look dead and work on: a job that is started elsewhere writes to the same "
          "storage as the one that was given up.",
          kCut,
          read_direction};
}

FaultEntry worker_storage_partition() {
  return {FaultKind::kWorkerStoragePartition,
          "worker_storage_partition",
          {kNode, kRack, kPool, kStorage},
          {until_whole()},
          "The target and every storage cannot talk, or no worker and the storage that is the "
          "target. Transfers that are under way die, and begin again when the network is whole.",
          "Nobody: heartbeats and polls are answered. A save that training waits for does not end.",
          "A long save looks like a hang, and a restart does not help: the restore waits as well.",
          kCut,
          read_lasts};
}

FaultEntry link_flap() {
  return {
      FaultKind::kLinkFlap,
      "link_flap",
      {kNode, kRack, kLink, kSwitch},
      {{"times", shape::integer(1, 100'000), false, "3", "How often the link goes down."},
       {"down", distribution_shape(), true, "", "How long it is down, each time."},
       {"up", distribution_shape(), false, "\"10s\"", "How long it is up before the next time."}},
      "The link of a node or of a rack towards the core goes down and up again, several times; "
      "with a switch, all of its links at once. While it is down nothing passes over it.",
      "Missed heartbeats, if one time is long enough; else nobody: ranks wait for each other, "
      "and transfers begin anew.",
      "Every time by itself is too short to be anybody's fault; a limit of misses that is "
      "reached once takes a node for dead that is back a moment later.",
      kCut,
      read_flap};
}

FaultEntry storage_outage() {
  return {FaultKind::kStorageOutage,
          "storage_outage",
          {kStorage},
          {{"lasts", distribution_shape(), false, "",
            "Until it is back. Default: it does not come back."},
           {"transfers", shape::word({"wait", "fail"}), false, "\"wait\"",
            "Whether saves and restores wait until it is back and then begin anew, or raise."}},
          "A storage can neither be read nor written; transfers that are under way die.",
          "Waiting: nobody. Failing: the ranks raise, which their next poll shows, and trials a "
          "second after they met it.",
          "A failure of the storage is charged to the workers, or to the script, that met it.",
          {},
          read_outage};
}

FaultEntry slow_storage() {
  return {FaultKind::kSlowStorage,
          "slow_storage",
          {kStorage},
          {{"factor", shape::number_above(1, 1e6), true, "",
            "How many times as long a transfer takes that has the storage for itself."},
           {"lasts", distribution_shape(), false, "",
            "Until it is as fast as before. Default: it stays slow."}},
          "The bandwidth of a storage shrinks, for reads and writes, also for transfers that are "
          "under way.",
          "Nobody: saves and restores take longer.",
          "Training that waits for its saves looks like slow training, or like a hang.",
          {},
          read_slow_storage};
}

FaultEntry torn_checkpoint() {
  return {FaultKind::kTornCheckpoint,
          "torn_checkpoint",
          {kJob},
          {{"found", shape::word({"at_commit", "at_restore"}), false, "\"at_commit\"",
            "The process that finds out: the one that commits, so that the checkpoint is never "
            "committed, or none before a restore from it."}},
          "Of the next checkpoint that is saved only a part becomes durable.",
          "At its commit, which does not take place; or by workers that cannot load it.",
          "A file in storage may look like a checkpoint without being one.",
          {.of_whole_run = true},
          read_torn_checkpoint};
}

FaultEntry corrupt_checkpoint() {
  return {FaultKind::kCorruptCheckpoint,
          "corrupt_checkpoint",
          {kJob},
          {},
          "The newest committed checkpoint cannot be read any more; it is still there and still "
          "listed.",
          "By workers that have fetched it and raise when they load it.",
          "It is charged like any user error, and whoever takes the newest one again and again "
          "meets it again and again.",
          {.of_whole_run = true},
          nullptr};
}

FaultEntry stale_message() {
  return {
      FaultKind::kStaleMessage,
      "stale_message",
      {kJob},
      {message_key()},
      "The network delivers once more the last such message that was about an attempt before "
      "the newest.",
      "At once, by the controller.",
      "A controller that ignores the attempt in the message takes it for news of the newest one.",
      {},
      read_message};
}

FaultEntry duplicate_message() {
  return {FaultKind::kDuplicateMessage,
          "duplicate_message",
          {kJob},
          {message_key(),
           {"delay", shape::lexical(lexicals::duration()), false, "\"0s\"",
            "How long after the first the second one arrives."}},
          "The next such message arrives twice.",
          "Both times, by the controller.",
          "One failure that is counted twice, or a checkpoint that is committed twice.",
          {},
          read_duplicate};
}

}  // namespace

std::span<const FaultEntry> network_faults() {
  static const std::array kEntries{partition(),
                                   one_way_partition(),
                                   head_worker_partition(),
                                   worker_storage_partition(),
                                   link_flap(),
                                   storage_outage(),
                                   slow_storage(),
                                   torn_checkpoint(),
                                   corrupt_checkpoint(),
                                   stale_message(),
                                   duplicate_message()};
  return kEntries;
}

}  // namespace aftershock::sim::scenario
