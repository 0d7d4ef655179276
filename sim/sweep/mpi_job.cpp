#include "sim/sweep/mpi_job.h"

#include <climits>
#include <csignal>
#include <filesystem>

#include <dlfcn.h>
#include <fmt/format.h>

#include "base/assert.h"
#include "sim/engine/module.h"
#include "sim/processes/stop_signals.h"

namespace aftershock::sim::sweep {

std::variant<std::unique_ptr<MpiJob>, std::string> MpiJob::join() {
  const auto path = engine::module_path("aftershock_mpi.so");
  if (std::error_code error; !std::filesystem::exists(path, error)) {
    return fmt::format(
        "started by MPI, and built without it: there is no {}; build with MPI (Debian: "
        "libopenmpi-dev), or start it without mpirun, with -j or --shard",
        path.string());
  }
  // Open MPI opens plugins of its own, which look for its symbols among the global ones.
  void* module = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  void* entry = module == nullptr ? nullptr : ::dlsym(module, kMpiEntryName);
  if (entry == nullptr) {
    return fmt::format("MPI cannot be used: {}", ::dlerror());
  }
  const MpiCalls* calls = reinterpret_cast<MpiEntry>(entry)();
  if (calls == nullptr || calls->size_of_calls != sizeof(MpiCalls)) {
    return fmt::format("{} is of another version of aftershock, or of MPI", path.string());
  }
  return std::make_unique<MpiJob>(*calls);
}

MpiJob::MpiJob(const MpiCalls& calls) : calls_(calls) {
  // MPI's own threads take over this mask. A signal must not end the process behind the back of
  // whoever waits for it.
  const sigset_t stops = processes::stop_signals();
  sigprocmask(SIG_BLOCK, &stops, nullptr);
  int rank = 0;
  int ranks = 1;
  calls_.begin(&rank, &ranks);
  rank_ = static_cast<std::uint32_t>(rank);
  ranks_ = static_cast<std::uint32_t>(ranks);
}

MpiJob::~MpiJob() {
  for (std::uint32_t other = 1; rank_ == 0 && other < ranks_; ++other) {
    send(other, {});
  }
  calls_.end();
}

void MpiJob::send(std::uint32_t rank, const std::string& bytes) {
  AFTERSHOCK_ASSERT(bytes.size() < INT_MAX);
  calls_.send(static_cast<int>(rank), bytes.data(), static_cast<int>(bytes.size()));
}

std::optional<MpiJob::Message> MpiJob::take() {
  int from = 0;
  int size = 0;
  if (calls_.arrived(&from, &size) == 0) {
    return std::nullopt;
  }
  Message message{static_cast<std::uint32_t>(from), std::string(static_cast<std::size_t>(size), 0)};
  calls_.receive(from, message.bytes.data(), size);
  return message;
}

void MpiJob::end_all(int exit_code) { calls_.end_all(exit_code); }

}  // namespace aftershock::sim::sweep
