#include <optional>

#include <dlfcn.h>
#include <mpi.h>

#include "sim/sweep/mpi/calls.h"

// MPI behind a few plain functions: all of the program that sees mpi.h.
//
// SimGrid has functions of the same names, for programs that it simulates, and they come first when
// this module's calls are linked. MPI's own are therefore looked up by hand, in what this module
// depends on.
namespace {

constexpr int kTag = 1;

struct Mpi {
  decltype(&MPI_Init) init = nullptr;
  decltype(&MPI_Comm_rank) comm_rank = nullptr;
  decltype(&MPI_Comm_size) comm_size = nullptr;
  decltype(&MPI_Send) send = nullptr;
  decltype(&MPI_Iprobe) iprobe = nullptr;
  decltype(&MPI_Get_count) get_count = nullptr;
  decltype(&MPI_Recv) recv = nullptr;
  decltype(&MPI_Finalize) finalize = nullptr;
  decltype(&MPI_Abort) end_all = nullptr;
};

template <typename Function>
bool find(void* module, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(module, name));
  return function != nullptr;
}

std::optional<Mpi> look_up() {
  Dl_info self{};
  dladdr(reinterpret_cast<const void*>(&look_up), &self);
  void* module = dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  Mpi found;
  const bool all =
      module != nullptr && find(module, "MPI_Init", found.init) &&
      find(module, "MPI_Comm_rank", found.comm_rank) &&
      find(module, "MPI_Comm_size", found.comm_size) && find(module, "MPI_Send", found.send) &&
      find(module, "MPI_Iprobe", found.iprobe) && find(module, "MPI_Get_count", found.get_count) &&
      find(module, "MPI_Recv", found.recv) && find(module, "MPI_Finalize", found.finalize) &&
      find(module, "MPI_Abort", found.end_all);
  return all ? std::optional(found) : std::nullopt;
}

const std::optional<Mpi>& mpi() {
  static const std::optional<Mpi> kMpi = look_up();
  return kMpi;
}

void begin(int* rank, int* ranks) {
  mpi()->init(nullptr, nullptr);
  mpi()->comm_rank(MPI_COMM_WORLD, rank);
  mpi()->comm_size(MPI_COMM_WORLD, ranks);
}

void send(int to, const char* bytes, int size) {
  mpi()->send(bytes, size, MPI_CHAR, to, kTag, MPI_COMM_WORLD);
}

int arrived(int* from, int* size) {
  int flag = 0;
  MPI_Status status;
  mpi()->iprobe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &flag, &status);
  if (flag != 0) {
    *from = status.MPI_SOURCE;
    mpi()->get_count(&status, MPI_CHAR, size);
  }
  return flag;
}

void receive(int from, char* bytes, int size) {
  mpi()->recv(bytes, size, MPI_CHAR, from, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void end() { mpi()->finalize(); }

void end_all(int code) { mpi()->end_all(MPI_COMM_WORLD, code); }

constexpr aftershock::sim::sweep::MpiCalls kCalls{
    sizeof(aftershock::sim::sweep::MpiCalls), begin, send, arrived, receive, end, end_all};

}  // namespace

extern "C" __attribute__((visibility("default"))) const aftershock::sim::sweep::MpiCalls*
aftershock_mpi_calls() {
  return mpi() ? &kCalls : nullptr;
}
