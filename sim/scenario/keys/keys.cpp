#include "sim/scenario/keys/keys.h"

#include "sim/scenario/shape/lexicals.h"

namespace aftershock::sim::scenario::keys {

Shape duration() { return shape::lexical(lexicals::duration()); }

const ObjectShape& scenario() {
  static const ObjectShape kObject{
      "scenario",
      "One question to a failing cluster.",
      {{"$schema", shape::text(), false, "", "The JSON Schema, for editors."},
       {"schema", shape::integer(1, 1), true, "", "Version of this format."},
       {"name", shape::lexical(lexicals::name()), true, "", "Name of the scenario."},
       {"question", shape::text(), false, "\"\"",
        "The question that the scenario asks, in one sentence."},
       {"notes", shape::either({shape::text(), shape::list(shape::text())}), false, "",
        "Where the numbers come from; anything worth knowing."},
       {"seed", shape::integer(0, std::numeric_limits<std::uint64_t>::max()), false, "1",
        "Everything random follows from it."},
       {"start", shape::lexical(lexicals::date_time()), false, "",
        "Date and time of clock zero, for people: nothing depends on it but names made from a "
        "date."},
       {"until", shape::lexical(lexicals::positive_duration()), false, "",
        "The simulation ends here at the latest. Default: when every job has ended."},
       {"tags", shape::list(shape::lexical(lexicals::name())), false, "[]", "Words to select by."},
       {"check", shape::object(check()), false, "{}", "How `aftershock check` judges this one."},
       {"extends", shape::text(), false, "",
        "A scenario file, relative to this one, that this one is a JSON merge patch over."},
       {"cluster", shape::object(cluster()), true, "", "The cluster that the jobs run on."},
       {"jobs", shape::list(shape::object(job()), 1, kMostJobs), false, "", "The jobs to run."},
       {"experiments", shape::list(shape::object(experiment()), 1, kMostExperiments), false, "",
        "Experiments that run too: many small trainings under one controller."},
       {"faults", shape::list(shape::tagged(fault()), 0, kMostFaults), false, "[]",
        "Faults of the run."},
       {"expect", shape::list(shape::object(expectation()), 0, kMostExpectations), false, "[]",
        "The conditions on the summary for the run to pass."}},
      {{KeyRule::Kind::kAtLeastOne, {"jobs", "experiments"}}}};
  return kObject;
}

const ObjectShape& check() {
  static const ObjectShape kObject{
      "check",
      "With which seeds `aftershock check` runs a scenario, and what it lets pass.",
      {{"seeds", shape::integer(1, kMostCheckSeeds), false, "",
        "So many seeds, from the scenario's upwards. Default: 8 where anything in it is random, "
        "else 1."},
       {"margins",
        shape::map(shape::either({shape::lexical(lexicals::duration()),
                                  shape::lexical(lexicals::percentage()), shape::number(0)}),
                   kMostThings),
        false, "{}",
        "By metric, how much worse than the baseline it may become: an amount in the metric's "
        "unit, a duration, or a share of the baseline's value."},
       {"that", shape::list(shape::text(), 0, kMostExpectations), false, "[]",
        "Conditions on the runs of all seeds together, written as for `sweep --until`, such as "
        "`p(alive) > 90%` and `useful > 80%`. With any, single runs may be stuck or miss what is "
        "expected: p(passed) is the share of those that pass."}},
      {}};
  return kObject;
}

const ObjectShape& expectation() {
  using Kind = KeyRule::Kind;
  static const ObjectShape kObject{
      "expectation",
      "The condition on one value of the summary, or on several.",
      {{"at", shape::lexical(lexicals::summary_pointer()), false, "",
        "JSON Pointer to the value in the summary."},
       {"is", shape::any(), false, "", "It equals this."},
       {"min", shape::any_number(), false, "", "It is at least this."},
       {"max", shape::any_number(), false, "", "It is at most this."},
       {"near", shape::any_number(), false, "", "It differs from this by at most `within`."},
       {"within", shape::number(0), false, "", "How far it may be from `near`."},
       {"that", shape::text(), false, "",
        "A condition on values of the summary and metrics of the run, called as in `sweep "
        "--until`, such as `ettr > 90% and lost_us < 2h`."}},
      {{Kind::kExactlyOne, {"at", "that"}},
       {Kind::kExcludes, {"that", "is", "min", "max", "near", "within"}},
       {Kind::kNeeds, {"at", "is", "min", "max", "near"}},
       {Kind::kExcludes, {"is", "min", "max", "near"}},
       {Kind::kExcludes, {"near", "min", "max"}},
       {Kind::kNeeds, {"near", "within"}},
       {Kind::kNeeds, {"within", "near"}}}};
  return kObject;
}

}  // namespace aftershock::sim::scenario::keys
