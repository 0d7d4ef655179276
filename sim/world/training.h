#pragma once

#include <cstdint>

namespace aftershock::sim::workload {
struct Checkpoint;
struct Job;
}  // namespace aftershock::sim::workload

// Steps, and the checkpoints that keep them.
namespace aftershock::sim::world {

struct World;

/// The attempt trains from now on: its recovery has an end, artifacts are written, and ranks on
/// accelerators out of order fail their first kernel.
void begin_training(World& world, workload::Job& job);

/// A segment of training begins: it lasts until the next save or the last step, at the pace of the
/// slowest worker. Faults that wait for a step within it are planned.
void open_segment(World& world, workload::Job& job);

/// The work of the segment so far is accounted for, a straggler's share apart, and another begins
/// at this time. Only while the job is in training.
void close_segment(World& world, workload::Job& job);

/// The segment has lasted for its length: a checkpoint is due, also `at_end` if work is not covered
/// by one, or training goes on or ends.
void segment_over(World& world, workload::Job& job);

/// The part of a save that blocks training begins; without a length it is over at once.
void begin_snapshot(World& world, workload::Job& job);

/// The blocking part of the newest save is over: its upload begins, and training waits for that
/// unless uploads are asynchronous.
void snapshot_over(World& world, workload::Job& job);

/// The checkpoint's transfer to storage begins, or is held where a fault is in its way. For jobs
/// with a storage.
void begin_upload(World& world, workload::Job& job, workload::Checkpoint& checkpoint);

/// The job's transfer has arrived: its checkpoint is reported.
void upload_over(World& world, workload::Job& job);

/// Whether something stops the upload, and then what follows is arranged for: ranks raise at a
/// storage that fails, a full disk or an unshared path, and Ray tries up to 3 times at some errors
/// of AWS (ray.md 1.8).
bool upload_fails(World& world, workload::Job& job, workload::Checkpoint& checkpoint);

/// The upload that has failed is tried once more; that of a broken attempt is held until the
/// attempt goes on. Nothing happens where the checkpoint is gone or on its way.
void retry_upload(World& world, workload::Job& job, std::uint32_t checkpoint);

/// The upload has failed for good: the fault's rank raises its error in the thread that trains, and
/// the checkpoint is dropped. That of a broken attempt is held instead.
void upload_failed(World& world, workload::Job& job, std::uint32_t fault);

/// The checkpoint goes to storage; without a storage or bytes it is there at once.
void send_off(World& world, workload::Job& job, std::uint32_t checkpoint);

/// The work that the job has done by now, in us of training at full size, that of the open segment
/// included.
[[nodiscard]] std::int64_t work_now(const World& world, const workload::Job& job);

/// The checkpoint is in storage: a script that counts its own commits it at once; otherwise ranks
/// report it, and a second report waits until a poll has taken the first (one a rank and poll,
/// ray.md 1.8).
void report(World& world, workload::Job& job, std::uint32_t checkpoint);

/// Training that waited for the upload or the report goes on: with the save that waits, with
/// another segment, or with its return. Nothing happens to a broken attempt.
void go_on_after_report(World& world, workload::Job& job);

/// The checkpoint is committed: the job goes on from it from now on. A policy that watches progress
/// hears of the first of its attempt.
void count_checkpoint(World& world, workload::Job& job, workload::Checkpoint& checkpoint);

/// Committed checkpoints beyond the newest `keep`, 1 where that is not set, are removed: for
/// scripts that count their own.
void drop_old_checkpoints(World& world, workload::Job& job);

/// The controller has taken the report of all ranks: the next one that waits shows at a later poll,
/// and ranks that have returned show then if none does.
void report_taken(World& world, workload::Job& job);

/// Training goes on with another segment, or ends where its last step is done.
void go_on_after_checkpoint(World& world, workload::Job& job);

/// The training function has returned on every rank. An upload under way is waited for, and a rank
/// whose report is not taken still counts as running (ray.md 1.5).
void returned(World& world, workload::Job& job);

/// The job's script hears that a node of its will go, and returns at the end of its step where it
/// is one that does.
void return_on_notice(World& world, workload::Job& job);

/// The checkpoint is on the job's list no more, if it was there.
void drop_checkpoint(workload::Job& job, std::uint32_t id);

}  // namespace aftershock::sim::world
