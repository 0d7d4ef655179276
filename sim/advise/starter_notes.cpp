#include "sim/advise/starter_notes.h"

#include <algorithm>

#include <fmt/format.h>

#include "reports/render/format.h"

namespace aftershock::sim {
namespace {

std::string units(const StarterTerms& terms) { return terms.pool == "npu" ? "NPUs" : "GPUs"; }

void add_cluster(const StarterTerms& terms, std::vector<std::string>& notes) {
  const StarterNumbers& n = terms.numbers;
  const double failures = n.failures_a_day * static_cast<double>(terms.days);
  notes.push_back(fmt::format(
      "/faults/0/source/rate: 3.789 failures per 1000 node-days, what 419 unexpected interruptions "
      "in 54 days on 2,048 nodes are (Llama 3, section 3.3.4); large fleets show 2.3 to 6.5 "
      "(Meta's RSC-2 and RSC-1). Here it is one in {:.3g} h, {:.3g} in {} days.",
      24 / n.failures_a_day, failures, terms.days));
  notes.push_back(
      terms.pool == "npu"
          ? "/faults/0/causes: an assumption, as nobody has published a mix for NPUs: the counts "
            "of "
            "that paper's table 5 as weights, each cause of a GPU put down to the part of an NPU "
            "that does the same. `aftershock faults list ascend` has the codes."
          : "/faults/0/causes: the counts of that paper's table 5 as weights; what each does is "
            "our "
            "reading. `aftershock faults list xid` has the codes.");
  if (terms.pods && terms.pool == "npu") {
    notes.push_back(
        "/cluster/pools/0/accelerators/self_healing, heal and heal_fails of a cause: one healing "
        "in "
        "ten fails, an assumption; a reset takes 150 s, the longest that MindCluster waits for "
        "one, "
        "the rest 15 s.");
  } else if (terms.pool == "npu") {
    notes.push_back(fmt::format(
        "lasts of a cause: {} does not heal chips; one that a reset brings back is there again "
        "after 150 s, the longest that MindCluster waits for one, others when they are repaired.",
        terms.other ? "the policy" : "Ray"));
  }
  notes.push_back(
      "/cluster/pools/0/repair: lognormal with the mean of 132.8 h and the median of 20.4 h of the "
      "InfiniteHBD fleet's 584 outages. /cluster/pools/0/repairs tells a reset and a reboot from a "
      "replacement; without, each takes as long.");
  notes.push_back(fmt::format(
      "/cluster/pools/0/spares: {:.3g} nodes are in repair at a time in the mean. {} spares are "
      "enough in all but a thousandth of the time when it is twice as many (Erlang's B): fleets "
      "lose nodes in bursts, and their P99 is 1.8 times what chance alone gives. `aftershock {}` "
      "tries others.",
      n.in_repair, n.spares,
      // Advice is about one job.
      terms.experiment ? "sweep FILE --out RESULTS --vary /cluster/pools/0/spares=0..4"
                       : "advise FILE --choose spares"));
  notes.push_back(
      "/cluster/pools/0/price_per_node_hour, nic, racks: assumptions; put in your own. "
      "\"market\": \"spot\" and \"replacement\": \"provision\" with \"provision\": \"5min\" make a "
      "pool that its market takes back and an autoscaler refills.");
  notes.push_back(
      "/cluster/storage/0: 1 GB/s a node, as 2 TB/s for 2,048 nodes are (Llama 3's Tectonic).");
}

void add_job(const StarterTerms& terms, std::vector<std::string>& notes) {
  const StarterNumbers& n = terms.numbers;
  notes.push_back(fmt::format(
      "/jobs/0/checkpoint: {} GB are 350 MB an accelerator, as 405 billion parameters at 14 bytes "
      "on 16,384 are. A save blocks for {} s: ByteRobust's table 8 has 7 s for 70B on 4,096 and 13 "
      "s for 256B on 16,384. /jobs/0/checkpoint/every: {}, Daly's optimum for that and this rate, "
      "rounded; `aftershock advise FILE --choose checkpoint` tries others.",
      reports::format_count(n.checkpoint_gb), n.blocking_s, whole_time(n.interval_s)));
  notes.push_back(
      "/jobs/0/phases and script/setup: some five minutes from decision to training, the restart "
      "overhead that Meta plans with (Revisiting Reliability, HPCA'25). /jobs/0/step: an "
      "assumption. /jobs/0/steps: give it a number, and the job ends when they are done.");
  notes.push_back(
      terms.pool == "npu" && terms.pods
          ? "/jobs/0/collective_timeout: HCCL's 1836 s. /jobs/0/env/MA_HANG_DETECT_TIME: 20 min is "
            "below it, so that a hang is restarted in place and costs no retry; the preset is 30."
      : terms.pool == "npu" ? "/jobs/0/collective_timeout: HCCL's 1836 s."
      : terms.pods          ? "/jobs/0/collective_timeout: 30 min, as many set NCCL's; "
                              "/jobs/0/env/MA_HANG_DETECT_TIME: 20 min is below it, so that a "
                              "hang is restarted in place and costs no retry."
                            : "/jobs/0/collective_timeout: 10 min, NCCL's watchdog under PyTorch.");
  if (terms.pods) {
    notes.push_back(fmt::format(
        "/jobs/0/policy/config: all five strategies are on. The guide's example has 8 and 3. Here "
        "job-retry-num pays for some {:.3g} plain exits and pod-retry-num for {:.3g} drained "
        "nodes, "
        "and each lasts in all but a thousandth of the runs (Poisson); job-retry-num is at most "
        "128. By default a fourth exit in a row with no hardware fault between them ends the job: "
        "\"unconditional_reset\": \"progress\" reads the guide otherwise. Annotations can be "
        "pasted "
        "as they are, below \"metadata\". `aftershock advise FILE --choose budget` tries others.",
        n.exits, n.nodes_lost));
    notes.push_back(
        "/jobs/0/volumes and MA_FAILOVER_TERMINATION_GRACE_PERIOD_SECONDS: a minute to unmount, of "
        "which 10 s are waited for, as the guide recommends on SFS Turbo.");
  } else if (terms.other) {
    notes.push_back(terms.other->note);
  } else {
    notes.push_back(fmt::format(
        "/jobs/0/policy/config/max_failures: {} retries last in all but a thousandth of the runs "
        "where each failure costs one (Poisson); Ray's default is 0, and -1 is without limit. "
        "`aftershock advise FILE --choose budget` tries others.",
        n.all_retries));
  }
}

void add_experiment(const StarterTerms& terms, std::vector<std::string>& notes) {
  notes.push_back(fmt::format(
      "/experiments/0: trials of a node each, two for every node, of {} iterations of 10 min with "
      "a report after each; two waves of them take four fifths of the {} days. "
      "resources_per_trial may be a part of an accelerator, too. Sizes and times are assumptions.",
      reports::format_count(terms.trial_steps), terms.days));
  notes.push_back(
      "/experiments/0/checkpoint: 3 GB every hour, 350 MB an accelerator. "
      "/experiments/0/policy/config/max_failures: so often a trial is restored; Ray's default is "
      "0, and -1 is without limit.");
}

}  // namespace

std::string starter_question(const StarterTerms& terms, const PolicySpec& policy) {
  const std::string many = reports::format_count(terms.accelerators);
  return terms.experiment
             ? fmt::format("{} trials on {} {} with {}: do they all end within {} days?",
                           reports::format_count(2 * std::int64_t{terms.numbers.nodes}), many,
                           units(terms), policy.name, terms.days)
             : fmt::format("{} days on {} {} with {}: what is lost, and do the retries last?",
                           terms.days, many, units(terms), policy.name);
}

std::vector<std::string> starter_notes(const StarterTerms& terms) {
  std::vector<std::string> notes;
  notes.push_back(
      "Made by `aftershock init` to be changed. Each note says where a number is from and begins "
      "with the place to change, in this file or for one run with --set PLACE=VALUE.");
  add_cluster(terms, notes);
  if (terms.experiment) {
    add_experiment(terms, notes);
  } else {
    add_job(terms, notes);
  }
  notes.push_back(
      "/expect: makes `aftershock run` exit with 1 where it does not hold; change it to what you "
      "promise, such as {\"that\": \"useful > 95%\"}.");
  return notes;
}

}  // namespace aftershock::sim
