#include "reports/recording/open_file.h"

#include <filesystem>
#include <string>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace aftershock::reports {
namespace {

std::string problem_with(const std::string& path) {
  const auto read = read_text(path);
  const auto* problem = std::get_if<FileProblem>(&read);
  return problem == nullptr ? "" : problem->message;
}

TEST(OpenFile, SaysWhyItCannotBeRead) {
  EXPECT_EQ(problem_with("tests"), "is a directory, not a file");
  EXPECT_EQ(problem_with("tests/no_such_file.json"), "cannot be opened: No such file or directory");
  EXPECT_EQ(problem_with("CMakeLists.txt/x"), "cannot be opened: Not a directory");
  for (const char* endless : {"/dev/zero", "/dev/null", "/dev/full"}) {
    EXPECT_EQ(problem_with(endless), "is a device, not a file");
  }
}

/// A pipe with a name, gone with this.
struct NamedPipe {
  std::string path =
      (std::filesystem::temp_directory_path() / ("aftershock_pipe_" + std::to_string(::getpid())))
          .string();
  NamedPipe() { ::mkfifo(path.c_str(), 0600); }
  ~NamedPipe() { ::unlink(path.c_str()); }
};

TEST(OpenFile, DoesNotWaitForAPipeThatNobodyWritesTo) {
  const NamedPipe pipe;
  EXPECT_EQ(problem_with(pipe.path), "is a pipe that nobody writes to, not a file");
}

TEST(OpenFile, ReadsAPipeToItsEnd) {
  const NamedPipe pipe;
  const std::string text(300'000, 'x');  // more than a pipe holds
  std::thread writer([&] {
    const int file = ::open(pipe.path.c_str(), O_WRONLY | O_CLOEXEC);
    for (std::size_t at = 0; at < text.size();) {
      at += static_cast<std::size_t>(::write(file, text.data() + at, text.size() - at));
    }
    ::close(file);
  });
  const auto read = read_text(pipe.path);
  writer.join();
  ASSERT_TRUE(std::holds_alternative<std::string>(read));
  EXPECT_EQ(std::get<std::string>(read), text);
}

TEST(OpenFile, ReadsABeginning) {
  EXPECT_EQ(std::get<std::string>(read_beginning("LICENSE", 0)), "");
  EXPECT_EQ(std::get<std::string>(read_beginning("LICENSE", 7)).size(), 7U);
  const auto whole = std::get<std::string>(read_text("LICENSE"));
  EXPECT_EQ(std::get<std::string>(read_beginning("LICENSE", 1'000'000)), whole);
}

}  // namespace
}  // namespace aftershock::reports
