#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "policies/api/commands.h"
#include "policies/api/decision.h"
#include "policies/api/events.h"
#include "sim/control/policy_host.h"
#include "sim/engine/calendar.h"

namespace aftershock::sim::workload {
enum class Outcome : std::uint8_t;
struct Experiment;
}  // namespace aftershock::sim::workload

// The controllers of experiments.
namespace aftershock::sim::world {

struct World;

/// The controllers of experiments.
void make_experiments(World& world, std::vector<control::PolicyHost>& hosts);
void play_of_experiment(World& world, const engine::Entry& entry);
void experiment_driver_lost(World& world, workload::Experiment& experiment, std::uint32_t fault);
void experiment_driver_started(World& world, workload::Experiment& experiment);
void notify(World& world, workload::Experiment& experiment, policies::Event event,
            std::int32_t fault = -1);
void deliver(World& world, workload::Experiment& experiment);
void carry_out(World& world, workload::Experiment& experiment, const policies::Command& command);
void charge(World& world, workload::Experiment& experiment, const policies::Step& step,
            const std::vector<std::int32_t>& event_faults);
void end_experiment(World& world, workload::Experiment& experiment, workload::Outcome outcome,
                    std::string reason);
void finish_experiments(World& world);

}  // namespace aftershock::sim::world
