#include "sim/processes/process_end.h"

#include <cstring>

#include <fmt/format.h>

namespace aftershock::sim::processes {

std::string words_of(const ProcessEnd& end) {
  switch (end.how) {
    case ProcessEnd::How::kExited:
      return fmt::format("ended with exit code {}", end.code);
    case ProcessEnd::How::kKilled:
      return fmt::format("killed by signal {} ({})", end.code, strsignal(end.code));
    case ProcessEnd::How::kNotStarted:
      break;
  }
  return fmt::format("cannot be started: {}", std::strerror(end.code));
}

}  // namespace aftershock::sim::processes
