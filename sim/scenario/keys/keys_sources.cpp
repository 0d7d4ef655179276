#include "sim/scenario/keys/keys.h"
#include "sim/scenario/shape/lexicals.h"

namespace aftershock::sim::scenario::keys {
namespace {

using Kind = KeyRule::Kind;

Shape unit_shape() {
  return shape::word(
      {"node", "accelerator", "job", "pool", "rack", "power_domain", "cluster", "switch"});
}

Key unit_key() {
  return {"per", unit_shape(), true, "",
          "The unit. A rack, a power domain or the switch of a rack is struck as a whole."};
}

Key mtbf_key(bool required) {
  return {"mtbf", shape::lexical(lexicals::mean_time()), required, "",
          "Mean time between failures of one unit."};
}

}  // namespace

const ObjectShape& exponential_source() {
  static const ObjectShape kObject{
      "exponential_source", "Exponential gaps.", {mtbf_key(true), unit_key()}, {}};
  return kObject;
}

const ObjectShape& weibull_source() {
  static const ObjectShape kObject{
      "weibull_source",
      "Weibull gaps of each unit, which is new at the start and after every occurrence.",
      {mtbf_key(true),
       {"shape", shape::number(0.1, 1000), true, "", "Below 1 fails early, above 1 wears out."},
       unit_key()},
      {}};
  return kObject;
}

const ObjectShape& lognormal_source() {
  static const ObjectShape kObject{
      "lognormal_source",
      "Lognormal gaps of each unit, from the start on and after every occurrence.",
      {mtbf_key(false),
       {"median", shape::lexical(lexicals::mean_time()), false, "", "Their median, instead."},
       {"sigma", shape::number_above(0, 10), true, "", "Standard deviation of the logarithm."},
       unit_key()},
      {{Kind::kExactlyOne, {"mtbf", "median"}}}};
  return kObject;
}

const ObjectShape& gamma_source() {
  static const ObjectShape kObject{
      "gamma_source",
      "Gamma gaps of each unit, from the start on and after every occurrence.",
      {mtbf_key(true),
       {"shape", shape::number(0.01, 1e6), true, "", "Above 1 they are more even."},
       unit_key()},
      {}};
  return kObject;
}

const ObjectShape& empirical_source() {
  static const ObjectShape kObject{
      "empirical_source",
      "Gaps of each unit that were seen, each as likely as the others.",
      {{"gaps", shape::list(shape::lexical(lexicals::mean_time()), 1), true, "", "These."},
       unit_key()},
      {}};
  return kObject;
}

const ObjectShape& maintenance_source() {
  static const ObjectShape kObject{
      "maintenance_source",
      "Planned work on so many nodes of a pool every time, in turn. How long they are away is the "
      "fault's \"lasts\"; with \"notice\" of a preemption they are drained before.",
      {{"every", shape::lexical(lexicals::positive_duration()), true, "",
        "From one window to the next."},
       {"first", shape::lexical(lexicals::duration()), false, "",
        "When the first one is. Default: after one such time."},
       {"nodes", shape::integer(1, kMostNodes), false, "1", "How many nodes at a time."}},
      {}};
  return kObject;
}

const ObjectShape& mixed_rates() {
  static const ObjectShape kObject{
      "mixed_rates",
      "Units are not alike: each has a rate of its own for the whole run, drawn from a gamma law "
      "around the mean.",
      {{"shape", shape::number(0.01, 1e6), true, "",
        "Of that law; the smaller, the more of the failures are those of a few."}},
      {}};
  return kObject;
}

const ObjectShape& bursts() {
  static const ObjectShape kObject{
      "bursts",
      "An occurrence brings others with it, of the same kind and at other places.",
      {{"more", shape::integer(1, 10'000), true, "", "How many others."},
       {"within", shape::lexical(lexicals::positive_duration()), true, "",
        "Each comes at any time from then on until so long after."},
       {"share", shape::number_above(0, 1), false, "1", "Of the occurrences that bring others."}},
      {}};
  return kObject;
}

const ObjectShape& occurrence() {
  static const ObjectShape kObject{
      "occurrence",
      "One time that a source struck in a run.",
      {{"nth", shape::integer(0, 100'000'000'000'000), true, "",
        "Which of its occurrences it was: what is not said here is drawn by that number."},
       {"at", shape::lexical(lexicals::duration()), true, "", "When."},
       {"target", shape::lexical(lexicals::target()), false, "",
        "The target within the fault's own; of a node the accelerator that was drawn. Default: it "
        "found nobody."},
       {"cause", shape::integer(0, kMostThings), false, "",
        "Which of the fault's causes, from 0. Default: drawn."},
       {"lasts", shape::lexical(lexicals::duration()), false, "",
        "For how long. Default: as the fault says."}},
      {}};
  return kObject;
}

const ObjectShape& source() {
  static const ObjectShape kObject{
      "source",
      "A random process.",
      {{"exponential", shape::object(exponential_source()), false, "", "By mean time."},
       {"rate", shape::lexical(lexicals::failure_rate()), false, "",
        "By rate, e.g. \"3.79/1000 node-days\"."},
       {"weibull", shape::object(weibull_source()), false, "", "Units that age."},
       {"lognormal", shape::object(lognormal_source()), false, "", "The same."},
       {"gamma", shape::object(gamma_source()), false, "", "The same."},
       {"empirical", shape::object(empirical_source()), false, "", "The same."},
       {"maintenance", shape::object(maintenance_source()), false, "", "Planned."},
       {"occurrences", shape::list(shape::object(occurrence()), 0, kMostFaults), false, "",
        "The faults that it sent in a run, in the order of time, as `aftershock export --faults` "
        "writes it."},
       {"per", unit_shape(), false, "\"node\"",
        "Of \"occurrences\", what unit their rate was of: one of accelerators slows one of them, "
        "and "
        "not its node."},
       {"clock", shape::word({"calendar", "powered", "allocated", "training"}), false,
        "\"calendar\"",
        "When its time goes on: always; for a node that is up, or that somebody holds; or only "
        "while a job trains, which is the target's job or the only one of its pool. A save that "
        "training waits for is part of it; recovering and waiting are not. But on the calendar the "
        "n-th gap is what is fixed, not its date. In training, of a pool only what the job uses is "
        "struck, and the rate is that of the job's nodes."},
       {"mixed", shape::object(mixed_rates()), false, "", "Units that differ. Default: all alike."},
       {"bursts", shape::object(bursts()), false, "", "Default: each occurrence by itself."}},
      {{Kind::kExactlyOne,
        {"exponential", "rate", "weibull", "lognormal", "gamma", "empirical", "maintenance",
         "occurrences"}},
       {Kind::kExcludes, {"maintenance", "clock", "mixed", "bursts"}},
       {Kind::kExcludes, {"occurrences", "mixed", "bursts"}},
       {Kind::kNeeds, {"per", "occurrences"}}}};
  return kObject;
}

}  // namespace aftershock::sim::scenario::keys
