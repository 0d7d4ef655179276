#pragma once

#include <cstdint>

namespace aftershock::sim::workload {
struct Checkpoint;
struct Job;
}  // namespace aftershock::sim::workload

// Steps, and the checkpoints that keep them.
namespace aftershock::sim::world {

struct World;

/// Steps and checkpoints.
void begin_training(World& world, workload::Job& job);
void open_segment(World& world, workload::Job& job);
void close_segment(World& world, workload::Job& job);
void segment_over(World& world, workload::Job& job);
void begin_snapshot(World& world, workload::Job& job);
void snapshot_over(World& world, workload::Job& job);
void begin_upload(World& world, workload::Job& job, workload::Checkpoint& checkpoint);
void upload_over(World& world, workload::Job& job);
bool upload_fails(World& world, workload::Job& job, workload::Checkpoint& checkpoint);
void retry_upload(World& world, workload::Job& job, std::uint32_t checkpoint);
void upload_failed(World& world, workload::Job& job, std::uint32_t fault);
void send_off(World& world, workload::Job& job, std::uint32_t checkpoint);
[[nodiscard]] std::int64_t work_now(const World& world, const workload::Job& job);
void report(World& world, workload::Job& job, std::uint32_t checkpoint);
void go_on_after_report(World& world, workload::Job& job);
void count_checkpoint(World& world, workload::Job& job, workload::Checkpoint& checkpoint);
void drop_old_checkpoints(World& world, workload::Job& job);
void report_taken(World& world, workload::Job& job);
void go_on_after_checkpoint(World& world, workload::Job& job);
void returned(World& world, workload::Job& job);
/// The job's script hears that a node of its will go, and returns at the end of its step where it
/// is one that does.
void return_on_notice(World& world, workload::Job& job);
void drop_checkpoint(workload::Job& job, std::uint32_t id);

}  // namespace aftershock::sim::world
