#include "sim/control/external/same_cpu.h"

#include <fstream>
#include <string>
#include <variant>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/control/external/guardian.h"
#include "sim/processes/process.h"

namespace aftershock::sim::control {
namespace {

/// More than there are between two looks at a program.
constexpr int kMany = 2100;

int allowed_cpus(pid_t process) {
  cpu_set_t cpus;
  return ::sched_getaffinity(process, sizeof(cpus), &cpus) == 0 ? CPU_COUNT(&cpus) : 0;
}

pid_t child_of(pid_t guardian) {
  pid_t child = -1;
  std::ifstream(fmt::format("/proc/{0}/task/{0}/children", guardian)) >> child;
  return child;
}

/// A shell's commands under a guardian, which answers what they are sent.
class Answering {
 public:
  explicit Answering(std::string commands)
      : program_(std::get<Guarded>(start_guarded({"/bin/sh", "-c", std::move(commands)}, {}))),
        same_(program_.guardian) {}
  Answering(const Answering&) = delete;
  Answering& operator=(const Answering&) = delete;
  ~Answering() {
    ::kill(program_.guardian, SIGQUIT);
    processes::wait_for(program_.guardian);
  }

  /// False where no answer came.
  bool ask() {
    const SameCpu::Turn turn(same_);
    char text = '\n';
    pollfd answered{program_.from.number(), POLLIN, 0};
    constexpr int kPatienceMs = 20'000;
    return ::write(program_.to.number(), &text, 1) == 1 && ::poll(&answered, 1, kPatienceMs) == 1 &&
           ::read(program_.from.number(), &text, 1) == 1;
  }

  [[nodiscard]] pid_t program() const { return child_of(program_.guardian); }

 private:
  Guarded program_;
  SameCpu same_;
};

class SameCpuTest : public testing::Test {
 protected:
  void SetUp() override {
    if (cpus_ < 2) {
      GTEST_SKIP() << "there is but one CPU";
    }
  }
  int cpus_ = allowed_cpus(0);
};

TEST_F(SameCpuTest, AProgramStaysWithItsThreadWhichIsFreeBetweenQuestions) {
  Answering cat("exec cat");
  for (int i = 0; i < kMany; ++i) {
    ASSERT_TRUE(cat.ask());
    ASSERT_EQ(allowed_cpus(0), cpus_) << "after question " << i;
  }
  EXPECT_EQ(allowed_cpus(cat.program()), 1);
}

TEST_F(SameCpuTest, AProgramWithAChildIsNotMoved) {
  Answering two("sleep 600 & exec cat");
  for (int i = 0; i < kMany; ++i) {
    ASSERT_TRUE(two.ask());
  }
  EXPECT_EQ(allowed_cpus(two.program()), cpus_);
}

TEST_F(SameCpuTest, AChildThatComesLaterFreesBoth) {
  // The shell answers itself, with the blanks of what it reads, until it becomes another.
  Answering later("for i in 1 2 3 4 5 6 7 8 9; do read x; echo; done; sleep 600 & exec cat");
  for (int i = 0; i < 9; ++i) {
    ASSERT_TRUE(later.ask());
  }
  EXPECT_EQ(allowed_cpus(later.program()), 1);
  for (int i = 0; i < kMany; ++i) {
    ASSERT_TRUE(later.ask());
  }
  EXPECT_EQ(allowed_cpus(later.program()), cpus_);
  EXPECT_EQ(allowed_cpus(child_of(later.program())), cpus_);
}

}  // namespace
}  // namespace aftershock::sim::control
