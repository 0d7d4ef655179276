#pragma once

#include "sim/scenario/check_spec.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/text/error_list.h"
#include "sim/scenario/text/located_json.h"

// The sections of a scenario, from values of the right form to checked ones. Each needs those
// before it.
namespace aftershock::sim::scenario {

/// Each fills its part of the scenario and tells `errors` what is wrong.
void read_cluster(const LocatedValue& value, ClusterSpec& cluster, ErrorList& errors);
void read_jobs(const LocatedValue& list, Scenario& scenario, ErrorList& errors);
void read_experiments(const LocatedValue& list, Scenario& scenario, ErrorList& errors);
void read_faults(const LocatedValue& list, Scenario& scenario, ErrorList& errors);
void read_expectations(const LocatedValue& list, Scenario& scenario, ErrorList& errors);
void read_check(const LocatedValue& value, const Scenario& scenario, CheckSpec& check,
                ErrorList& errors);

/// The policy that a job or an experiment names.
PolicySpec read_policy(const LocatedValue& value);
/// Builds the policy of a job or an experiment once, to hear what is wrong with its configuration.
void check_policy(const LocatedValue& written, const JobSpec& job, const Scenario& scenario,
                  ErrorList& errors);
void check_policy(const LocatedValue& written, const ExperimentSpec& experiment,
                  const Scenario& scenario, ErrorList& errors);

}  // namespace aftershock::sim::scenario
