#pragma once

#include <cstdint>
#include <vector>

#include "policies/api/commands.h"
#include "reports/ledger/ledger.h"
#include "sim/chance/random_draw.h"
#include "sim/scenario/distribution.h"
#include "sim/scenario/phase.h"

// The stages of a trial from its start to its end.
namespace aftershock::sim {

enum class TrialStage : std::uint8_t;
struct World;
struct Experiment;
struct Trial;
struct TrialCheckpoint;
struct StoredTrial;

/// The stages of a trial from its start to its end.
void start_trial(World& world, Experiment& experiment, const policies::StartTrial& command);
void stop_trials(World& world, Experiment& experiment, const policies::StopTrials& command);
void begin_launching(World& world, Experiment& experiment, Trial& trial);
void stage_over(World& world, Experiment& experiment, Trial& trial);
void begin_training(World& world, Experiment& experiment, Trial& trial);
void begin_step(World& world, Experiment& experiment, Trial& trial);
void step_computed(World& world, Experiment& experiment, Trial& trial);
void step_over(World& world, Experiment& experiment, Trial& trial);
void settle_step(World& world, Experiment& experiment, Trial& trial);
void change_pace(World& world, Experiment& experiment, Trial& trial);
void leave_attempt(World& world, Experiment& experiment, Trial& trial);
void stopped(World& world, Experiment& experiment, Trial& trial);
void enter_stage(World& world, Experiment& experiment, Trial& trial, TrialStage stage,
                 std::int64_t length_us);
void set_phase(World& world, Experiment& experiment, Trial& trial, Phase phase,
               reports::Cause cause);
std::int64_t roll_back(World& world, Experiment& experiment, Trial& trial,
                       const TrialCheckpoint* kept);
[[nodiscard]] std::vector<std::uint32_t> step_faults(const World& world,
                                                     const Experiment& experiment,
                                                     const Trial& trial);
/// When the iteration under way is computed, and whether a save comes after it.
[[nodiscard]] std::int64_t computed_at_us(const Trial& trial);
[[nodiscard]] bool saves_next(const World& world, const Experiment& experiment, const Trial& trial);
[[nodiscard]] std::int64_t draw_phase(const World& world, const Experiment& experiment,
                                      const Trial& trial, const Distribution& law, Purpose purpose);
[[nodiscard]] StoredTrial& stored(World& world, const Experiment& experiment, const Trial& trial);
[[nodiscard]] std::int64_t unsaved_us(World& world, const Experiment& experiment,
                                      const Trial& trial);

}  // namespace aftershock::sim
