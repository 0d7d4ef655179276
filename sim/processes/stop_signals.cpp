#include "sim/processes/stop_signals.h"

namespace aftershock::sim::processes {

sigset_t stop_signals() {
  sigset_t stops;
  sigemptyset(&stops);
  sigaddset(&stops, SIGINT);
  sigaddset(&stops, SIGTERM);
  // A signal that is held back would be read even where it is ignored.
  struct sigaction hangup{};
  if (::sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler != SIG_IGN) {
    sigaddset(&stops, SIGHUP);
  }
  return stops;
}

}  // namespace aftershock::sim::processes
