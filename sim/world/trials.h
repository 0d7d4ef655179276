#pragma once

#include <cstdint>
#include <vector>

#include "policies/api/commands.h"
#include "reports/ledger/ledger.h"
#include "sim/chance/random_draw.h"
#include "sim/scenario/distribution.h"
#include "sim/scenario/phase.h"

namespace aftershock::sim::workload {
enum class TrialStage : std::uint8_t;
struct Experiment;
struct StoredTrial;
struct Trial;
struct TrialCheckpoint;
}  // namespace aftershock::sim::workload

// The stages of a trial from its start to its end.
namespace aftershock::sim::world {

struct World;

/// The stages of a trial from its start to its end.
void start_trial(World& world, workload::Experiment& experiment,
                 const policies::StartTrial& command);
void stop_trials(World& world, workload::Experiment& experiment,
                 const policies::StopTrials& command);
void begin_launching(World& world, workload::Experiment& experiment, workload::Trial& trial);
void stage_over(World& world, workload::Experiment& experiment, workload::Trial& trial);
void begin_training(World& world, workload::Experiment& experiment, workload::Trial& trial);
void begin_step(World& world, workload::Experiment& experiment, workload::Trial& trial);
void step_computed(World& world, workload::Experiment& experiment, workload::Trial& trial);
void step_over(World& world, workload::Experiment& experiment, workload::Trial& trial);
void settle_step(World& world, workload::Experiment& experiment, workload::Trial& trial);
void change_pace(World& world, workload::Experiment& experiment, workload::Trial& trial);
void leave_attempt(World& world, workload::Experiment& experiment, workload::Trial& trial);
void stopped(World& world, workload::Experiment& experiment, workload::Trial& trial);
void enter_stage(World& world, workload::Experiment& experiment, workload::Trial& trial,
                 workload::TrialStage stage, std::int64_t length_us);
void set_phase(World& world, workload::Experiment& experiment, workload::Trial& trial,
               scenario::Phase phase, reports::Cause cause);
std::int64_t roll_back(World& world, workload::Experiment& experiment, workload::Trial& trial,
                       const workload::TrialCheckpoint* kept);
[[nodiscard]] std::vector<std::uint32_t> step_faults(const World& world,
                                                     const workload::Experiment& experiment,
                                                     const workload::Trial& trial);
/// When the iteration under way is computed, and whether a save comes after it.
[[nodiscard]] std::int64_t computed_at_us(const workload::Trial& trial);
[[nodiscard]] bool saves_next(const World& world, const workload::Experiment& experiment,
                              const workload::Trial& trial);
[[nodiscard]] std::int64_t draw_phase(const World& world, const workload::Experiment& experiment,
                                      const workload::Trial& trial,
                                      const scenario::Distribution& law, chance::Purpose purpose);
[[nodiscard]] workload::StoredTrial& stored(World& world, const workload::Experiment& experiment,
                                            const workload::Trial& trial);
[[nodiscard]] std::int64_t unsaved_us(World& world, const workload::Experiment& experiment,
                                      const workload::Trial& trial);

}  // namespace aftershock::sim::world
