#include "sim/hosts/environment.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "sim/hosts/hosts.h"
#include "sim/processes/process.h"
#include "sim/processes/process_end.h"
#include "sim/processes/program.h"

namespace aftershock::sim::hosts {
namespace {

namespace fs = std::filesystem;

fs::path requirements_of(const Family& host, const Places& places) {
  return places.programs / fmt::format("requirements-{}.txt", host.environment);
}

/// The steps of an environment behind its packages: one for each of its hosts that has such a step.
std::vector<fs::path> steps_of(const Family& host, const Places& places) {
  std::vector<fs::path> steps;
  for (const Family& family : families()) {
    const fs::path step = places.programs / family.name / "prepare.py";
    std::error_code error;
    if (family.environment == host.environment && fs::is_regular_file(step, error)) {
      steps.push_back(step);
    }
  }
  return steps;
}

/// True of what a build of Go reads.
bool is_built(const fs::path& file) {
  const std::string name = file.filename();
  return name == "go.mod" || name == "go.sum" ||
         (name.ends_with(".go") && !name.ends_with("_test.go"));
}

/// The files of a folder and below it that are built, by name.
std::set<fs::path> built_below(const fs::path& folder) {
  std::set<fs::path> files;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at->is_regular_file(error) && is_built(at->path())) {
      files.insert(at->path());
    }
  }
  return files;
}

/// FNV-1a, 64 bits, of one file behind the other; of no byte it is its offset.
std::uint64_t digest_of(const std::set<fs::path>& files) {
  std::uint64_t digest = 14695981039346656037ULL;
  for (const fs::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    for (auto at = std::istreambuf_iterator<char>(in); at != std::istreambuf_iterator<char>();
         ++at) {
      digest = (digest ^ static_cast<unsigned char>(*at)) * 1099511628211ULL;
    }
  }
  return digest;
}

std::set<fs::path> pins_of(const Family& host, const Places& places) {
  if (host.language == Language::kGo) {
    return built_below(places.programs / host.environment);
  }
  std::set<fs::path> pins{requirements_of(host, places)};
  for (const fs::path& step : steps_of(host, places)) {
    pins.insert(step);
  }
  return pins;
}

std::vector<std::vector<std::string>> go_commands(const Family& host, const Places& places,
                                                  const fs::path& folder) {
  const fs::path module = places.programs / host.environment;
  std::vector<std::vector<std::string>> commands{{"mkdir", "-p", (folder / "bin").string()}};
  // Without tables for debuggers, which take a third of a link's time and of its bytes, and without
  // the state of a repository that may not be there.
  std::vector<std::string> build{
      "go", "build", "-C", module.string(), "-trimpath", "-buildvcs=false", "-ldflags=-s -w"};
  std::error_code error;
  if (fs::is_directory(module / "prepare", error)) {
    commands.push_back({"go", "run", "-C", module.string(), "-trimpath", "-buildvcs=false",
                        "./prepare", folder.string()});
    build.push_back("-modfile=" + (folder / "go.mod").string());
  }
  build.insert(build.end(), {"-o", (folder / "bin").string() + "/", "./cmd/..."});
  commands.push_back(std::move(build));
  return commands;
}

std::vector<std::vector<std::string>> python_commands(const Family& host, const Places& places,
                                                      const fs::path& folder) {
  std::vector<std::vector<std::string>> commands{
      {"python3", "-m", "venv", "--clear", folder.string()},
      {(folder / "bin" / "pip").string(), "install", "--quiet", "--no-deps", "--require-hashes",
       "--only-binary=:all:", "-r", requirements_of(host, places).string()}};
  for (const fs::path& step : steps_of(host, places)) {
    commands.push_back({(folder / "bin" / "python").string(), step.string()});
  }
  return commands;
}

}  // namespace

fs::path programs_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  for (const char* place : {"../share/aftershock/hosts", "../../policies/external/hosts"}) {
    fs::path folder = (program.parent_path() / place).lexically_normal();
    if (fs::is_regular_file(folder / "run.py", error)) {
      return folder;
    }
  }
  return {};
}

fs::path environment_of(const Family& host, const Places& places) {
  if (places.programs.empty() || places.environments.empty()) {
    return {};
  }
  return places.environments /
         fmt::format("{}-{:016x}", host.environment, digest_of(pins_of(host, places)));
}

std::vector<std::vector<std::string>> setup_commands(const Family& host, const Places& places) {
  const fs::path folder = environment_of(host, places);
  std::vector<std::vector<std::string>> commands = host.language == Language::kGo
                                                       ? go_commands(host, places, folder)
                                                       : python_commands(host, places, folder);
  commands.push_back({"touch", (folder / kReady).string()});
  return commands;
}

bool compiles_in_setup(const Family& host, const Places& places) {
  return host.language == Language::kPython && !steps_of(host, places).empty();
}

bool run_command(const std::vector<std::string>& words) {
  auto started =
      processes::start_program({.words = words, .files = {-1, STDOUT_FILENO, STDERR_FILENO}});
  const auto* child = std::get_if<pid_t>(&started);
  return child != nullptr && processes::wait_for(*child) == processes::ProcessEnd{};
}

}  // namespace aftershock::sim::hosts
