#include "sim/invariants/invariants.h"

#include <algorithm>
#include <array>

namespace aftershock::sim::invariants {

namespace {

// Source of ids and sentences: chaos.md 5.3 (S) and 5.4 (L).
constexpr std::array<Invariant, 36> kInvariants{{
    {"S01", "the buckets of a job's ledger sum to its wall time, exactly",
     "both, at the end of every run"},
    {"S02", "every node is in one place: no two gangs hold it, and none is held by nobody",
     "each gang that is placed, and at the end all that are still held against the pool"},
    {"S03", "a job has one live incarnation, but for what a partition or a leak leaves behind",
     "processes that start while those of an earlier attempt were never ended"},
    {"S04", "committed progress never goes back, and a restart resumes at the newest of it",
     "each commit, and each restore against the newest commit that was seen"},
    {"S05", "only what is whole in storage counts, and only that is resumed from",
     "each commit against what all ranks but those to be taken away reported durable, each start "
     "against what was committed"},
    {"S06", "retention never deletes the newest checkpoint that can be restored",
     "each deletion against the newest commit that was seen"},
    {"S07", "a checkpoint that an earlier attempt wrote is never committed by a later one",
     "each commit against the attempt under which the checkpoint became durable"},
    {"S08", "a failure is charged once, to one cause, and an exempt cause never counts",
     "each move of a budget against what its step saw and how the budget stood"},
    {"S09", "no restart goes past the budget: none unpaid, none beyond the limit, none by a reset",
     "each start after a failed attempt against the moves since, each move against the last one"},
    {"S10", "an end is final, and has one reason of a closed set",
     "the reason against scenario.md decision 12 and the policy's own rules and budgets"},
    {"S11", "a budget is exhausted only when what was charged to it is more than its limit",
     "each move that says so, and each end by it, against charges that were counted apart"},
    {"S12", "attempts are at least the configured backoff apart",
     "each start against the backoff that the policy has said, and that against its cap"},
    {"S13", "an error of the application is not retried beyond its own budget",
     "starts after failures of the application without a commit between, against the limit"},
    {"S14", "nothing is launched on a node that is isolated, lost, draining or out of order",
     "the nodes that a gang gets, against what became of each node since"},
    {"S15", "the recovery of one job never touches another",
     "the target of a command: its job, and the holder of the node that it isolates"},
    {"S16", "a gang holds all its nodes or none",
     "the nodes of a gang at each launch, and that none are left when its attempt is gone"},
    {"S17", "the size of an attempt is within what the job allows",
     "each start against the job's workers and the least size of an elastic group"},
    {"S18", "a rule of spread over racks or power domains holds after every recovery",
     "the nodes of a gang at each launch, domain by domain"},
    {"S19", "nothing meant for an earlier attempt takes effect, and no command does so twice",
     "each command's attempt and number against what it changed"},
    {"S20", "news of an earlier attempt changes nothing about a newer one",
     "steps that charge, stop or start, and cite only what was heard of earlier attempts"},
    {"S21", "workers are stopped, and nodes isolated, only on evidence",
     "each such command against what the policy was told since the attempt began"},
    {"S22", "no tracker of one attempt is left in the next",
     "reports, uploads, failures and watches, as each attempt begins"},
    {"S23", "nothing of a node is used after the deadline of its drain",
     "nodes that were to be gone, at every change of stage of the job that holds them"},
    {"S24", "a controller that comes back knows all that its policy says is durable",
     "budgets, or the checkpoint that it resumes from, before and after"},
    {"S25", "events come in order, and what waits to be played is bounded",
     "the time of each entry, and the length of the calendar"},
    {"L1", "after the last fault a recoverable job trains again within a bound",
     "jobs that do not train when the run is over, and what excuses them"},
    {"L2", "a rank that hangs is answered within the timeouts that are set",
     "each decision after a hang against the earliest of what would show it"},
    {"L3", "attempts do not follow each other for ever without a commit",
     "launches in a row without a commit in which no fault struck"},
    {"L4", "free nodes are given to jobs that wait for them",
     "jobs that wait, as long as enough are free for the whole gang"},
    {"L5", "an isolated node is released or retired when it is well",
     "nodes at the end of the run, against when their repair was over"},
    {"L6", "a rendezvous ends, whoever joins or leaves",
     "each against its length, and one that broke against the bound of L1"},
    {"L7", "a node that was announced to go is gone by its deadline",
     "every such node when its time is over, used or not"},
    {"L8", "a controller that fails over decides again within a bound",
     "its first decision against when its head is back"},
    {"L9", "a stop that a user asks for frees all nodes within a bound",
     "the end of the job against what stopping its workers may take"},
    {"L10", "failures at the same time are not handled one after the other",
     "attempts that follow four or more of them without a commit, against their number"},
    {"L11", "an elastic job grows back when there is room",
     "its action after news, against how often it says it looks"},
}};

}  // namespace

std::span<const Invariant> invariants() { return kInvariants; }

const Invariant* find_invariant(std::string_view id) {
  const auto* const found = std::ranges::find(kInvariants, id, &Invariant::id);
  return found != kInvariants.end() ? found : nullptr;
}

std::int64_t checked_invariants() {
  return std::ranges::count(kInvariants, true, &Invariant::checked);
}

}  // namespace aftershock::sim::invariants
