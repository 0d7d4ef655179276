#include "sim/advise/starter_notes.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "reports/render/format.h"

namespace aftershock::sim::advise {
namespace {

std::string units(const StarterTerms& terms) { return terms.pool == "npu" ? "NPUs" : "GPUs"; }

void add_request(const StarterTerms& terms, const scenario::PolicySpec& policy,
                 std::vector<std::string>& notes) {
  notes.push_back(fmt::format(
      "/cluster/pools/0/nodes{}: --{} {}, on nodes of 8. /cluster/pools/0/accelerators/per_node: "
      "an assumption: 8, as on the nodes of all published rates. /until: --days {}{}. /seed: an "
      "assumption: any other does as well.",
      terms.experiment ? "" : ", /jobs/0/workers", terms.pool, terms.accelerators, terms.days,
      terms.days_told ? "" : ", as none are given"));
  const char* subject = terms.experiment ? "experiments" : "jobs";
  notes.push_back(
      fmt::format("/{}/0/policy/name, profile: --policy {}@{}{}.{}", subject, policy.name,
                  policy.profile, terms.policy_told ? "" : ", as none is given",
                  terms.with_env ? fmt::format(" /{}/0/env/RAY_TRAIN_V2_ENABLED: 1, "
                                               "without which this version runs another "
                                               "Ray Train (Ray 2.43, 2025).",
                                               subject)
                                 : ""));
}

void add_causes(const StarterTerms& terms, std::vector<std::string>& notes) {
  const StarterNumbers& n = terms.numbers;
  const double failures = n.failures_a_day * static_cast<double>(terms.days);
  notes.push_back(fmt::format(
      "/faults/0/source/rate: 3.789 failures per 1000 node-days, what 419 unexpected interruptions "
      "in 54 days on 2,048 nodes are (Llama 3, 2024, section 3.3.4); large fleets show 2.3 to 6.5 "
      "(Meta's RSC-2 and RSC-1, HPCA 2025). Here it is one in {:.3g} h, {:.3g} in {} days.",
      24 / n.failures_a_day, failures, terms.days));
  notes.push_back(
      terms.pool == "npu"
          ? "/faults/0/causes: an assumption, as nobody has published a mix for NPUs: the counts "
            "of "
            "table 5 of that paper (Llama 3, 2024) as weights, each cause of a GPU put down to the "
            "part of an NPU that does the same. `aftershock faults list ascend` has the codes."
          : "/faults/0/causes: the counts of table 5 of that paper (Llama 3, 2024) as weights; "
            "what "
            "each does is an assumption. `aftershock faults list xid` has the codes.");
  if (terms.pods && terms.pool == "npu") {
    notes.push_back(
        "/faults/0/causes: heal_fails, an assumption: one healing in ten fails; "
        "/cluster/pools/0/accelerators/self_healing says the same of a whole pool. heal: a reset "
        "takes 150 s, the longest that MindCluster (2026) waits for one, all else 15 s.");
  } else if (terms.pool == "npu") {
    notes.push_back(fmt::format(
        "/faults/0/causes: lasts: {} does not heal chips; one that a reset brings back is there "
        "again after 150 s, the longest that MindCluster (2026) waits for one, others when they "
        "are repaired.",
        terms.other ? "the policy" : "Ray"));
  }
}

/// Why a pool that is refilled has room for more nodes than the job asks for.
std::string places_note(const StarterNumbers& n, std::int64_t days) {
  std::string note = fmt::format(
      "/cluster/pools/0/max_nodes: an assumption: {} places more for machines that come while "
      "others are repaired or a job still holds the places of those that are gone",
      n.places);
  if (n.leaked_groups > 0) {
    note += fmt::format(
        ", and room for the nodes that Ray keeps of starts that fail in the backend's set-up: some "
        "{:.3g} groups of {} are expected in {} days and more in some, and no other machine could "
        "come in their place. They are paid for. /cluster/reclaim_leaked gives them back, and {} "
        "nodes are "
        "enough",
        n.leaked_groups, n.nodes, days, n.nodes + n.places);
  }
  return note + ". The job uses no more than it asks for.";
}

void add_cluster(const StarterTerms& terms, std::vector<std::string>& notes) {
  const StarterNumbers& n = terms.numbers;
  add_causes(terms, notes);
  notes.push_back(
      "/cluster/pools/0/repair: lognormal with the mean of 132.8 h and the median of 20.4 h of the "
      "InfiniteHBD fleet's 584 outages (2025). /cluster/pools/0/repairs tells a reset and a reboot "
      "from a replacement; without, each takes as long.");
  // Advice is about one job.
  const char* others = terms.experiment
                           ? "sweep FILE --out RESULTS --vary /cluster/pools/0/spares=0..4"
                           : "advise FILE --choose spares";
  notes.push_back(
      terms.spot
          ? fmt::format(
                "/cluster/pools/0/spares: an assumption: 0, as the market has another "
                "machine soon, and takes spares back like the others. `aftershock {}` tries "
                "some.",
                others)
          : fmt::format(
                "/cluster/pools/0/spares: {:.3g} nodes are in repair at a time in the mean. {} "
                "spares are enough in all but a thousandth of the time when it is twice as many, "
                "an assumption (Erlang's B): fleets lose nodes in bursts, and their P99 is 1.8 "
                "times what chance alone gives. `aftershock {}` tries others.",
                n.in_repair, n.spares, others));
  if (terms.spot) {
    if (!terms.experiment) {
      notes.push_back(places_note(n, terms.days));
    }
    std::ranges::copy(spot_notes(*terms.spot), std::back_inserter(notes));
  } else {
    notes.push_back(
        "/cluster/pools/0/price_per_node_hour, nic, racks: assumptions; put in your own. With "
        "--spot `aftershock init` makes a pool that its market takes back and refills.");
  }
  notes.push_back(
      "/cluster/heartbeat: an assumption: a node that misses three beats of 5 s is taken for "
      "dead.");
  notes.push_back(
      "/cluster/health_check: an assumption: a node with an accelerator out of order gets no new "
      "work. With \"none\" a policy that takes no node out itself starts on it again and again.");
  notes.push_back(
      "/cluster/storage/0: 1 GB/s a node, as 2 TB/s for 2,048 nodes are (Llama 3's Tectonic, "
      "2024).");
}

void add_phases(const StarterTerms& terms, std::vector<std::string>& notes) {
  notes.push_back(
      "/jobs/0/phases, script/setup: assumptions that make some five minutes from decision to "
      "training, the restart overhead that Meta plans with (Revisiting Reliability, HPCA 2025). "
      "/jobs/0/step: an assumption. /jobs/0/steps: give it a number, and the job ends when they "
      "are done.");
  constexpr std::string_view kHangTime =
      " /jobs/0/env/MA_HANG_DETECT_TIME: an assumption: 20 min is below it, so that a hang is "
      "restarted in place and costs no retry; the preset is 30.";
  notes.push_back(fmt::format("/jobs/0/collective_timeout: {}{}",
                              terms.pool == "npu" ? "HCCL's 1836 s (CANN, 2026)."
                              : terms.pods        ? "an assumption: 30 min, as many set NCCL's."
                                                  : "10 min, NCCL's watchdog under PyTorch (2026).",
                              terms.pods ? kHangTime : ""));
}

std::string annotations_note(const StarterTerms& terms) {
  const StarterNumbers& n = terms.numbers;
  constexpr std::string_view kMore =
      " By default a fourth exit in a row with no hardware fault between them ends the job: "
      "\"unconditional_reset\": \"progress\" reads the guide otherwise. `aftershock advise FILE "
      "--choose budget` tries others.";
  if (terms.annotations_told) {
    return fmt::format(
        "/jobs/0/policy/config/metadata/annotations: --annotation, and no other strategy is on. "
        "Some "
        "{:.3g} plain exits and {:.3g} drained nodes are expected in {} days.{}",
        n.exits, n.nodes_lost, terms.days, kMore);
  }
  return fmt::format(
      "/jobs/0/policy/config/metadata/annotations: all five strategies are on; --annotation "
      "KEY=VALUE takes your own. The guide's example (ModelArts, 2026) has 8 and 3. Here "
      "job-retry-num pays for some {:.3g} plain exits and pod-retry-num for {:.3g} drained nodes, "
      "and each lasts in all but a thousandth of the runs (Poisson); job-retry-num is at most "
      "128.{}",
      n.exits, n.nodes_lost, kMore);
}

void add_job(const StarterTerms& terms, std::vector<std::string>& notes) {
  const StarterNumbers& n = terms.numbers;
  notes.push_back(fmt::format(
      "/jobs/0/checkpoint/bytes: {} GB are 350 MB an accelerator, as 405 billion parameters at 14 "
      "bytes on 16,384 are (Llama 3, 2024). /jobs/0/checkpoint/blocking: {} s, where ByteRobust's "
      "table 8 (2025) has 7 s for 70B on 4,096 and 13 s for 256B on 16,384. "
      "/jobs/0/checkpoint/keep: an assumption. /jobs/0/checkpoint/every: {}, Daly's optimum (2006) "
      "for that and {}, rounded; `aftershock advise FILE --choose checkpoint` tries others.",
      reports::format_count(n.checkpoint_gb), n.blocking_s, whole_time(n.interval_s),
      terms.spot ? "both rates" : "this rate"));
  add_phases(terms, notes);
  if (terms.makes_pods) {
    notes.push_back(fmt::format(
        "/jobs/0/pods/each: 175 ms for a pod, one after the other, as ByteRobust's requeue takes "
        "454 s on 256 nodes and 768 s on 2,048 (2025, table 7): it is what a job that starts all "
        "pods pays more than one that makes a lost node's anew. /jobs/0/pods/image, registry: "
        "assumptions: nodes that have not run the job yet fetch 20 GB.{}",
        terms.pool == "npu"
            ? " /jobs/0/pods/rank_table: an assumption: a request a pod, at the 100 a second that "
              "a controller may make of Huawei's CCE (2025)."
            : ""));
  }
  if (terms.pods) {
    notes.push_back(annotations_note(terms));
    notes.push_back(
        "/jobs/0/volumes: an assumption: a minute to unmount. "
        "/jobs/0/env/MA_FAILOVER_TERMINATION_GRACE_PERIOD_SECONDS: 10 s of it are waited for, as "
        "the guide recommends on SFS Turbo (ModelArts, 2026).");
  } else if (terms.other) {
    notes.push_back(terms.other->note);
  } else {
    notes.push_back(fmt::format(
        "/jobs/0/policy/config/max_failures: {} retries last in all but a thousandth of the runs, "
        "an assumption, where each {} costs one (Poisson); Ray's default is 0, and -1 is without "
        "limit. `aftershock advise FILE --choose budget` tries others.",
        n.all_retries, terms.spot ? "failure and each preemption" : "failure"));
  }
}

void add_experiment(const StarterTerms& terms, std::vector<std::string>& notes) {
  notes.push_back(fmt::format(
      "/experiments/0: trials of a node each, two for every node, of {} iterations of 10 min with "
      "a report after each; two waves of them take four fifths of the {} days. "
      "resources_per_trial may be a part of an accelerator, too. Sizes and times are assumptions.",
      reports::format_count(terms.trial_steps), terms.days));
  notes.push_back(fmt::format(
      "/experiments/0/checkpoint: 3 GB every hour, 350 MB an accelerator (Llama 3, 2024). "
      "/experiments/0/policy/config/max_failures: an assumption: so often a trial is restored{}; "
      "Ray's default is 0, and -1 is without limit.",
      terms.spot ? ", which lasts for all in all but a thousandth of the runs (Poisson)" : ""));
}

}  // namespace

std::string starter_question(const StarterTerms& terms, const scenario::PolicySpec& policy) {
  const std::string many =
      fmt::format("{}{}", reports::format_count(terms.accelerators), terms.spot ? " spot" : "");
  return terms.experiment
             ? fmt::format("{} trials on {} {} with {}: do they all end within {} days?",
                           reports::format_count(2 * std::int64_t{terms.numbers.nodes}), many,
                           units(terms), policy.name, terms.days)
             : fmt::format("{} days on {} {} with {}: what is lost, {}do the retries last?",
                           terms.days, many, units(terms), policy.name,
                           terms.spot ? "does it pay, and " : "and ");
}

std::vector<std::string> starter_notes(const StarterTerms& terms,
                                       const scenario::PolicySpec& policy) {
  std::vector<std::string> notes;
  notes.push_back(
      "Made by `aftershock init` to be changed. Each note says where a number is from (what was "
      "asked for, a source with its year, or an assumption) and begins with the place to change, "
      "in this file or for one run with --set PLACE=VALUE.");
  add_request(terms, policy, notes);
  add_cluster(terms, notes);
  if (terms.experiment) {
    add_experiment(terms, notes);
  } else {
    add_job(terms, notes);
  }
  notes.push_back(
      terms.spot && !terms.experiment
          ? "/expect: makes `aftershock run` exit with 1 where it does not hold. That 40 % is "
            "useful is an assumption: it is the price of these machines by that of reserved ones, "
            "and below it as many of those do the same work for less. A useful accelerator-hour "
            "for less than 4 is, too: a reserved one costs that, and machines that come beside "
            "those that are asked for, such as for what Ray leaves reserved, are paid as well."
          : "/expect: makes `aftershock run` exit with 1 where it does not hold, an assumption; "
            "change it to what you promise, such as {\"that\": \"useful > 95%\"}.");
  return notes;
}

}  // namespace aftershock::sim::advise
