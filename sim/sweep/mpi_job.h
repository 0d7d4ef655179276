#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "sim/sweep/mpi/calls.h"

namespace aftershock::sim::sweep {

/// The MPI job that this process is one rank of. Loads MPI, and leaves it in the destructor, which
/// on rank 0 tells all others first that there is no more to do.
class MpiJob {
 public:
  /// An error in words where this program was built without MPI, or its module cannot be used.
  static std::variant<std::unique_ptr<MpiJob>, std::string> join();
  /// With these calls, which `join` finds; at most one a process. From now on stop_signals()
  /// are blocked.
  explicit MpiJob(const MpiCalls& calls);
  ~MpiJob();
  MpiJob(const MpiJob&) = delete;
  MpiJob& operator=(const MpiJob&) = delete;

  [[nodiscard]] std::uint32_t rank() const { return rank_; }
  /// How many there are.
  [[nodiscard]] std::uint32_t ranks() const { return ranks_; }

  /// Bytes for another rank, less than 2 GiB; none are lost and those of one rank keep their order.
  void send(std::uint32_t rank, const std::string& bytes);
  /// Bytes, and whom they are from.
  struct Message {
    std::uint32_t from = 0;
    std::string bytes;
  };
  /// The next message that has arrived; does not wait.
  std::optional<Message> take();
  /// Ends all ranks now.
  void end_all(int exit_code);

 private:
  const MpiCalls& calls_;
  std::uint32_t rank_ = 0;
  std::uint32_t ranks_ = 1;
};

}  // namespace aftershock::sim::sweep
