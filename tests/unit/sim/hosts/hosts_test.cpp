#include "sim/hosts/hosts.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

namespace aftershock::sim::hosts {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

/// A Python that answers every question alike.
void write_python(const fs::path& file, const std::string& body) {
  write(file, "#!/bin/sh\n" + body + "\n");
  fs::permissions(file, fs::perms::owner_all);
}

/// A folder of this test's own, gone with this.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("aftershock_hosts_" + std::to_string(::getpid()))) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

class Hosts : public ::testing::Test {
 protected:
  Hosts() {
    write(places.programs / "requirements-ray_train.txt", "ray==1\n");
    write(places.programs / "run.py", "");
  }

  Folder folder;
  Places places{.programs = folder.path() / "programs",
                .environments = folder.path() / "environments",
                .python = {}};
  const Family& host = *find_host("ray_train");
};

TEST(Families, HaveAHostOrAReason) {
  for (const Family& family : families()) {
    EXPECT_NE(family.package.empty(), family.without.empty()) << family.name;
    EXPECT_EQ(find_host(family.name) == nullptr, family.package.empty()) << family.name;
  }
  EXPECT_EQ(find_host("ray"), nullptr);
}

TEST_F(Hosts, HaveAnEnvironmentByWhatIsPinned) {
  // FNV-1a of no byte is its offset.
  write(places.programs / "requirements-ray_train.txt", "");
  EXPECT_EQ(environment_of(host, places), places.environments / "ray_train-cbf29ce484222325");
  write(places.programs / "requirements-ray_train.txt", "a");
  EXPECT_EQ(environment_of(host, places), places.environments / "ray_train-af63dc4c8601ec8c");
  EXPECT_TRUE(environment_of(host, {}).empty());
}

TEST_F(Hosts, AreSetUpInTheirEnvironment) {
  const auto commands = setup_commands(host, places);
  ASSERT_EQ(commands.size(), 3U);
  const std::string environment = environment_of(host, places);
  EXPECT_EQ(commands[0].back(), environment);
  EXPECT_EQ(commands[1].front(), environment + "/bin/pip");
  EXPECT_EQ(commands[1].back(), (places.programs / "requirements-ray_train.txt").string());
  EXPECT_EQ(commands[2].back(), environment + "/ready");
}

TEST_F(Hosts, AreNotThereBeforeTheirSetupHasEnded) {
  const fs::path environment = environment_of(host, places);
  write_python(environment / "bin" / "python", "echo 2.60.0");
  EXPECT_EQ(std::get<std::string>(find(host, places)),
            "ray_train@installed has no environment yet; `aftershock hosts setup ray_train` makes "
            "it");
  write(environment / "ready", "");
  const auto found = std::get<Found>(find(host, places));
  EXPECT_EQ(found.version, "2.60.0");
  EXPECT_EQ(found.command, (std::vector<std::string>{environment / "bin" / "python",
                                                     places.programs / "run.py", "ray_train"}));
}

TEST_F(Hosts, RunByTheUsersOwnPython) {
  places.python = folder.path() / "mine";
  write_python(places.python, "echo 2.49.2");
  EXPECT_EQ(std::get<Found>(find(host, places)).version, "2.49.2");
  write_python(places.python, "exit 1");
  EXPECT_NE(std::get<std::string>(find(host, places)).find("has no package ray"),
            std::string::npos);
}

TEST_F(Hosts, SayThatTheirProgramsAreMissing) {
  places.programs.clear();
  EXPECT_NE(std::get<std::string>(find(host, places)).find("share/aftershock/hosts"),
            std::string::npos);
}

TEST(RunCommand, SaysWhetherItSucceeded) {
  EXPECT_TRUE(run_command({"true"}));
  EXPECT_FALSE(run_command({"false"}));
  EXPECT_FALSE(run_command({"/no/such/program"}));
}

}  // namespace
}  // namespace aftershock::sim::hosts
