#pragma once

#include <cstdint>
#include <optional>

#include "policies/api/commands.h"
#include "reports/recording/recorder.h"
#include "sim/chance/random_draw.h"
#include "sim/scenario/distribution.h"

namespace aftershock::sim::scenario {
struct PhaseLengths;
}  // namespace aftershock::sim::scenario

namespace aftershock::sim::workload {
enum class Stage : std::uint8_t;
struct Job;
}  // namespace aftershock::sim::workload

// How an attempt comes from a start command to its first step.
namespace aftershock::sim::world {

struct World;

/// From a start command to the first step.
void submit(World& world, workload::Job& job);
void start_attempt(World& world, workload::Job& job, const policies::StartAttempt& command);
void open_attempt(World& world, workload::Job& job, policies::Epoch epoch,
                  const reports::Recorder::Value& about);
void begin_anew(workload::Job& job);
void queue_up(World& world, workload::Job& job, std::optional<std::int64_t> placement_wait_us);
void enter_stage(World& world, workload::Job& job, workload::Stage stage,
                 std::optional<std::int64_t> length_us);
void stage_over(World& world, workload::Job& job);
void begin_launching(World& world, workload::Job& job, std::int64_t pods_us,
                     bool in_process = false);
void begin_download(World& world, workload::Job& job);
void begin_warming_up(World& world, workload::Job& job);
[[nodiscard]] std::int64_t link_bound(const World& world, const workload::Job& job);
[[nodiscard]] const scenario::PhaseLengths& lengths(const World& world, const workload::Job& job);
[[nodiscard]] std::int64_t draw_phase(const World& world, const workload::Job& job,
                                      const scenario::Distribution& law, chance::Purpose purpose);

}  // namespace aftershock::sim::world
