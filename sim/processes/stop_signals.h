#pragma once

#include <csignal>

namespace aftershock::sim::processes {

/// Signals that ask for an orderly end: Ctrl-C, a batch system's SIGTERM, and the SIGHUP of a
/// terminal that goes away, unless this process ignores it (nohup).
sigset_t stop_signals();

}  // namespace aftershock::sim::processes
