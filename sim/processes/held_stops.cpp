#include "sim/processes/held_stops.h"

#include <sys/signalfd.h>
#include <unistd.h>

#include "sim/processes/stop_signals.h"

namespace aftershock::sim::processes {

HeldStops::HeldStops() {
  const sigset_t stops = stop_signals();
  ::sigprocmask(SIG_BLOCK, &stops, &before_);
  file_ = File(::signalfd(-1, &stops, SFD_CLOEXEC | SFD_NONBLOCK));
}

HeldStops::~HeldStops() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }

int HeldStops::take() {
  signalfd_siginfo taken{};
  const bool came = ::read(file_.number(), &taken, sizeof(taken)) == sizeof(taken);
  return came ? static_cast<int>(taken.ssi_signo) : 0;
}

}  // namespace aftershock::sim::processes
