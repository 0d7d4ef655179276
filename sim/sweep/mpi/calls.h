#pragma once

namespace aftershock::sim::sweep {

/// The part of MPI that a sweep needs, as the module `aftershock_mpi.so` offers it. The program
/// does not link MPI: it loads the module when an MPI launcher started it, and starts without it
/// otherwise. MPI's own handling of errors ends all processes with a word of its own.
struct MpiCalls {
  /// Of this struct; a module with another one is of another version of the program.
  int size_of_calls;
  /// Once, first: this process's rank among how many.
  void (*begin)(int* rank, int* ranks);
  /// Waits until the bytes may be reused.
  void (*send)(int to, const char* bytes, int size);
  /// Whether a message has arrived, from whom, and how long it is; does not wait.
  int (*arrived)(int* from, int* size);
  /// Takes a message that has arrived.
  void (*receive)(int from, char* bytes, int size);
  /// Last; waits for all ranks.
  void (*end)();
  /// Ends all ranks at once, with this exit code.
  void (*end_all)(int code);
};

/// Of the module: MpiCalls that live as long as it does; null where its MPI lacks one of them.
using MpiEntry = const MpiCalls* (*)();

/// The name of the module's MpiEntry.
inline constexpr const char* kMpiEntryName = "aftershock_mpi_calls";

}  // namespace aftershock::sim::sweep
