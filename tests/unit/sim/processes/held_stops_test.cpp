#include "sim/processes/held_stops.h"

#include <csignal>

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include "sim/processes/process.h"

namespace aftershock::sim::processes {
namespace {

TEST(HeldStops, AreReadInsteadOfEndingTheProcess) {
  HeldStops stops;
  EXPECT_EQ(stops.take(), 0);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    ::kill(::getpid(), signal);
    pollfd came{stops.file().number(), POLLIN, 0};
    EXPECT_EQ(::poll(&came, 1, 0), 1);
    EXPECT_EQ(stops.take(), signal);
    EXPECT_EQ(stops.take(), 0);
  }
}

TEST(HeldStops, AHangUpThatIsIgnoredIsNotRead) {
  auto* const before = ::signal(SIGHUP, SIG_IGN);
  {
    HeldStops stops;
    ::kill(::getpid(), SIGHUP);
    EXPECT_EQ(stops.take(), 0);
  }
  ::signal(SIGHUP, before);
}

TEST(HeldStops, OneThatNobodyReadActsAfterwards) {
  const pid_t child = start_process({}, [] {
    {
      const HeldStops stops;
      ::raise(SIGTERM);
    }
    return 0;
  });
  EXPECT_EQ(wait_for(child), (ProcessEnd{ProcessEnd::How::kKilled, SIGTERM}));
}

}  // namespace
}  // namespace aftershock::sim::processes
