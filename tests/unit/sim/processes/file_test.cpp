#include "sim/processes/file.h"

#include <csignal>
#include <string>
#include <utility>

#include <fcntl.h>
#include <gtest/gtest.h>

#include "sim/processes/process.h"

namespace aftershock::sim::processes {
namespace {

bool system_has(int number) { return ::fcntl(number, F_GETFD) >= 0; }

TEST(File, IsClosedOnceWithItsLastOwner) {
  auto pipe = make_pipe();
  ASSERT_TRUE(pipe);
  const int number = pipe->read.number();
  EXPECT_EQ(::fcntl(number, F_GETFD), FD_CLOEXEC);
  File owner = std::move(pipe->read);
  EXPECT_FALSE(pipe->read.is_open());
  EXPECT_EQ(owner.number(), number);
  {
    File last;
    last = std::move(owner);
    EXPECT_TRUE(system_has(number));
  }
  EXPECT_FALSE(system_has(number));
  const int other = pipe->write.number();
  pipe->write.close();
  pipe->write.close();
  EXPECT_FALSE(system_has(other));
}

TEST(File, MoreThanAPipeHoldsComesWhole) {
  auto pipe = make_pipe();
  ASSERT_TRUE(pipe);
  const std::string bytes(300'000, 'x');
  const pid_t child = start_process({}, [&] { return write_all(pipe->write, bytes) ? 0 : 1; });
  ASSERT_GT(child, 0);
  pipe->write.close();
  EXPECT_EQ(read_all(pipe->read), bytes);
  EXPECT_EQ(wait_for(child), ProcessEnd{});
}

TEST(File, AReaderThatIsGoneIsTold) {
  auto pipe = make_pipe();
  ASSERT_TRUE(pipe);
  pipe->read.close();
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  EXPECT_FALSE(write_all(pipe->write, "x"));
  EXPECT_TRUE(write_all(pipe->write, ""));
  std::signal(SIGPIPE, before);
}

}  // namespace
}  // namespace aftershock::sim::processes
