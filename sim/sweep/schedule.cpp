#include "sim/sweep/schedule.h"

#include <algorithm>
#include <utility>

namespace aftershock::sim::sweep {

Schedule::Schedule(std::uint32_t cells, std::uint32_t replicas, std::uint32_t most,
                   std::function<bool(std::uint32_t, std::uint32_t)> wanted)
    : cells_(cells), replicas_(replicas), most_(most), wanted_(std::move(wanted)) {}

bool Schedule::advance() {
  ++replica_;
  if (replica_ < std::min(replicas_, block_ + kBlock)) {
    return false;
  }
  replica_ = block_;
  if (++cell_ == cells_) {
    cell_ = 0;
    block_ += kBlock;
    replica_ = block_;
  }
  return true;
}

std::optional<Task> Schedule::next() {
  Task task;
  while (block_ < replicas_) {
    const bool wanted = wanted_(cell_, replica_);
    if (wanted && task.count == 0) {
      task = {cell_, replica_, 1, false};
    } else if (wanted && task.first + task.count == replica_) {
      ++task.count;
    } else if (wanted) {
      return task;  // a gap: this one is asked for again
    }
    const bool other_cell = advance();
    if (task.count == most_ || (other_cell && task.count > 0)) {
      return task;
    }
  }
  return task.count > 0 ? std::optional(task) : std::nullopt;
}

std::uint32_t runs_a_task(std::uint64_t runs, std::uint32_t workers) {
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(runs / (std::uint64_t{8} * workers), 1, kBlock));
}

}  // namespace aftershock::sim::sweep
