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

/// The job is submitted: its account begins, and its driver starts. Where its head is down it waits
/// for that, or fails if it does not return.
void submit(World& world, workload::Job& job);

/// Another attempt opens and joins the queue, from the command's checkpoint, or the newest where
/// scripts count their own. Refused: an old epoch, an attempt that is not over, a wrong size, an
/// uncommitted checkpoint. Ray leaves a start that failed late behind (ray.md 1.5).
void start_attempt(World& world, workload::Job& job, const policies::StartAttempt& command);

/// An attempt begins with that epoch, whatever it keeps of the one before; the fault that made it
/// necessary counts as the cause of a restart. `about`: one more value of its span in the
/// recording.
void open_attempt(World& world, workload::Job& job, policies::Epoch epoch,
                  const reports::Recorder::Value& about);

/// The attempt begins without a process of the one before: notices, healings, interrupts and failed
/// stages that concerned these are forgotten.
void begin_anew(workload::Job& job);

/// The attempt waits for nodes; the queue is served behind all else of this microsecond, so that
/// priority decides among those that ask in it. `placement_wait_us`: its limit, none: it waits for
/// ever.
void queue_up(World& world, workload::Job& job, std::optional<std::int64_t> placement_wait_us);

/// The attempt is in the stage from now on, and entries about the one before are stale.
/// `length_us`: after which stage_over() is called; none: something else ends the stage.
void enter_stage(World& world, workload::Job& job, workload::Stage stage,
                 std::optional<std::int64_t> length_us);

/// The stage has lasted for its length, and the attempt goes on to the next. Only for stages that
/// have a length.
void stage_over(World& world, workload::Job& job);

/// The place where processes start.
enum class LaunchIn : std::uint8_t {
  kPods,        ///< pods that have just been placed, beside those that have waited for them
  kContainers,  ///< containers that have waited since the attempt before
  kProcesses,   ///< the script begins again in the processes, at once
};

/// Processes start on the placement: after `pods_us` for pods, a drawn launch and the script's
/// set-up. Ranks fail on nodes that the cluster does not know to be gone or cut off, and on those
/// that have gone while their containers waited.
void begin_launching(World& world, workload::Job& job, std::int64_t pods_us,
                     LaunchIn where = LaunchIn::kPods);

/// The ranks load their checkpoint, from storage where it has bytes to move; behind a fault the
/// transfer is held. A checkpoint that was deleted makes all of them raise, as nothing falls back
/// to an older one (ray.md 1.8).
void begin_download(World& world, workload::Job& job);

/// The attempt warms up for a drawn length; training follows.
void begin_warming_up(World& world, workload::Job& job);

/// The laws of phase lengths: of a first launch, or of a restart from the second launch on. An
/// attempt that got no nodes was none.
[[nodiscard]] const scenario::PhaseLengths& lengths(const World& world, const workload::Job& job);

/// The length of a phase in us, drawn by the job's name, its attempt and the purpose, and so the
/// same whatever else happens in the run.
[[nodiscard]] std::int64_t draw_phase(const World& world, const workload::Job& job,
                                      const scenario::Distribution& law, chance::Purpose purpose);

}  // namespace aftershock::sim::world
