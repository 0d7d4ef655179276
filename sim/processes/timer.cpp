#include "sim/processes/timer.h"

#include <ctime>

#include <sys/timerfd.h>

namespace aftershock::sim::processes {

Timer::Timer() : file_(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC)) {}

void Timer::set(std::int64_t ms) {
  constexpr std::int64_t kThousand = 1000;
  itimerspec when{};
  when.it_value.tv_sec = ms / kThousand;
  // Of no time at all the system would never tell the end.
  when.it_value.tv_nsec = ms > 0 ? ms % kThousand * kThousand * kThousand : 1;
  ::timerfd_settime(file_.number(), 0, &when, nullptr);
}

}  // namespace aftershock::sim::processes
