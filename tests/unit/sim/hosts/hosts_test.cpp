#include "sim/hosts/hosts.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "policies/registry.h"

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
    write(places.programs / "requirements-ray.txt", "ray==1\n");
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

TEST(Families, OfPortsAreHostedAsTheRegistrySays) {
  for (const policies::PolicyEntry& entry : policies::shipped_policies()) {
    EXPECT_NE(find_family(entry.name), nullptr) << entry.name;
    EXPECT_EQ(find_host(entry.name) != nullptr, entry.hosted) << entry.name;
  }
}

TEST_F(Hosts, HaveAnEnvironmentByWhatIsPinned) {
  // FNV-1a of no byte is its offset.
  write(places.programs / "requirements-ray.txt", "");
  EXPECT_EQ(environment_of(host, places), places.environments / "ray-cbf29ce484222325");
  write(places.programs / "requirements-ray.txt", "a");
  EXPECT_EQ(environment_of(host, places), places.environments / "ray-af63dc4c8601ec8c");
  EXPECT_TRUE(environment_of(host, {}).empty());
}

TEST_F(Hosts, AreSetUpInTheirEnvironment) {
  const auto commands = setup_commands(host, places);
  ASSERT_EQ(commands.size(), 3U);
  const std::string environment = environment_of(host, places);
  EXPECT_EQ(commands[0].back(), environment);
  EXPECT_EQ(commands[1].front(), environment + "/bin/pip");
  EXPECT_EQ(commands[1].back(), (places.programs / "requirements-ray.txt").string());
  EXPECT_EQ(commands[2].back(), environment + "/ready");
}

TEST_F(Hosts, OfOneEnvironmentPrepareItTogether) {
  const fs::path before = environment_of(host, places);
  write(places.programs / "kubeflow" / "prepare.py", "");
  EXPECT_EQ(setup_commands(host, places).size(), 3U) << "a family without a host has no step";
  write(places.programs / "ray_train" / "prepare.py", "pass");
  const fs::path environment = environment_of(host, places);
  EXPECT_NE(environment, before);
  const auto commands = setup_commands(host, places);
  ASSERT_EQ(commands.size(), 4U);
  EXPECT_EQ(commands[2], (std::vector<std::string>{environment / "bin" / "python",
                                                   places.programs / "ray_train" / "prepare.py"}));
}

TEST_F(Hosts, OfTorchPrepareItForEachOther) {
  const Family& nvrx = *find_host("nvrx");
  const Family& torchrun = *find_host("torchrun");
  write(places.programs / "torchrun" / "prepare.py", "pass");
  const fs::path before = environment_of(nvrx, places);
  write(places.programs / "nvrx" / "prepare.py", "pass");
  EXPECT_NE(environment_of(torchrun, places), before);
  EXPECT_EQ(setup_commands(nvrx, places).size(), 5U);
  EXPECT_EQ(setup_commands(nvrx, places), setup_commands(torchrun, places));
}

TEST_F(Hosts, InGoAreBuiltFromTheirModule) {
  const Family& go = *find_host("job");
  EXPECT_EQ(find_host("jobset")->environment, go.environment);
  const fs::path module = places.programs / "kubernetes";
  write(module / "go.mod", "module a\n");
  const fs::path before = environment_of(go, places);
  write(module / "cmd" / "job" / "main.go", "package main\n");
  const fs::path environment = environment_of(go, places);
  EXPECT_NE(environment, before) << "a host is built from its sources";
  write(module / "README.md", "changed\n");
  write(module / "job" / "run_test.go", "package job\n");
  EXPECT_EQ(environment_of(go, places), environment) << "it is the same program";
  EXPECT_EQ(setup_commands(go, places),
            (std::vector<std::vector<std::string>>{
                {"mkdir", "-p", environment / "bin"},
                {"go", "build", "-C", module, "-trimpath", "-buildvcs=false", "-ldflags=-s -w",
                 "-o", (environment / "bin").string() + "/", "./cmd/..."},
                {"touch", environment / "ready"}}));

  EXPECT_EQ(std::get<std::string>(find(go, places)),
            "job@installed has no environment yet; `aftershock hosts setup job` makes it");
  write(environment / "ready", "");
  write_python(environment / "bin" / "job", "echo kubernetes 1.36.3");
  places.python = "/no/such/python";
  EXPECT_EQ(std::get<Found>(find(go, places)).version, "1.36.3");
  EXPECT_EQ(std::get<Found>(find(go, places)).command,
            (std::vector<std::string>{environment / "bin" / "job"}));
  write_python(environment / "bin" / "job", "exit 1");
  EXPECT_EQ(std::get<std::string>(find(go, places)),
            (environment / "bin" / "job").string() +
                ": does not tell its version; `aftershock hosts setup job` builds it anew");
}

TEST_F(Hosts, InGoAreBuiltBesideWhatTheirModulePrepares) {
  const Family& go = *find_host("volcano");
  const fs::path module = places.programs / "kubernetes";
  write(module / "go.mod", "module a\n");
  write(module / "prepare" / "main.go", "package main\n");
  const fs::path environment = environment_of(go, places);
  const auto commands = setup_commands(go, places);
  ASSERT_EQ(commands.size(), 4U);
  EXPECT_EQ(commands[1], (std::vector<std::string>{"go", "run", "-C", module, "-trimpath",
                                                   "-buildvcs=false", "./prepare", environment}));
  EXPECT_EQ(std::ranges::count(commands[2], "-modfile=" + (environment / "go.mod").string()), 1);
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
