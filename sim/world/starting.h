#pragma once

#include <cstdint>
#include <optional>

#include "policies/api/commands.h"
#include "reports/recording/recorder.h"
#include "sim/chance/random_draw.h"
#include "sim/scenario/distribution.h"

// How an attempt comes from a start command to its first step.
namespace aftershock::sim {

enum class Stage : std::uint8_t;
struct World;
struct Job;
struct PhaseLengths;

/// From a start command to the first step.
void submit(World& world, Job& job);
void start_attempt(World& world, Job& job, const policies::StartAttempt& command);
void open_attempt(World& world, Job& job, policies::Epoch epoch,
                  const reports::Recorder::Value& about);
void begin_anew(Job& job);
void queue_up(World& world, Job& job, std::optional<std::int64_t> placement_wait_us);
void enter_stage(World& world, Job& job, Stage stage, std::optional<std::int64_t> length_us);
void stage_over(World& world, Job& job);
void begin_launching(World& world, Job& job, std::int64_t pods_us, bool in_process = false);
void begin_download(World& world, Job& job);
void begin_warming_up(World& world, Job& job);
[[nodiscard]] std::int64_t link_bound(const World& world, const Job& job);
[[nodiscard]] const PhaseLengths& lengths(const World& world, const Job& job);
[[nodiscard]] std::int64_t draw_phase(const World& world, const Job& job, const Distribution& law,
                                      Purpose purpose);

}  // namespace aftershock::sim
