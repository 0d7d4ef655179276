#pragma once

#include <cstdint>

// Steps, and the checkpoints that keep them.
namespace aftershock::sim {

struct World;
struct Job;
struct Checkpoint;

/// Steps and checkpoints.
void begin_training(World& world, Job& job);
void open_segment(World& world, Job& job);
void close_segment(World& world, Job& job);
void segment_over(World& world, Job& job);
void begin_snapshot(World& world, Job& job);
void snapshot_over(World& world, Job& job);
void begin_upload(World& world, Job& job, Checkpoint& checkpoint);
void upload_over(World& world, Job& job);
bool upload_fails(World& world, Job& job, Checkpoint& checkpoint);
void retry_upload(World& world, Job& job, std::uint32_t checkpoint);
void upload_failed(World& world, Job& job, std::uint32_t fault);
void send_off(World& world, Job& job, std::uint32_t checkpoint);
[[nodiscard]] std::int64_t work_now(const World& world, const Job& job);
void report(World& world, Job& job, std::uint32_t checkpoint);
void go_on_after_report(World& world, Job& job);
void count_checkpoint(World& world, Job& job, Checkpoint& checkpoint);
void drop_old_checkpoints(World& world, Job& job);
void report_taken(World& world, Job& job);
void go_on_after_checkpoint(World& world, Job& job);
void returned(World& world, Job& job);
/// The job's script hears that a node of its will go, and returns at the end of its step where it
/// is one that does.
void return_on_notice(World& world, Job& job);
void drop_checkpoint(Job& job, std::uint32_t id);

}  // namespace aftershock::sim
