#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// The installed code of other projects as policies: programs under policies/external/hosts, run by
// a Python that has the project's package, or built with the project's module by Go.
namespace aftershock::sim::hosts {

/// The language of a host: its program is run by a Python, or built by Go.
enum class Language : std::uint8_t { kPython, kGo };

/// A family of policies, and its host where there is one.
struct Family {
  std::string_view name;         ///< of the policies, e.g. "ray_train"
  std::string_view package;      ///< the hosted one, e.g. "ray"; empty for a family without a host
  std::string_view environment;  ///< which hosts of the same pins share, e.g. "ray"
  Language language = Language::kPython;
  std::string_view profile;  ///< of the port that is held to the pinned version; empty: no port
  std::string_view without;  ///< why there is no host
};

/// All families, those with a host first.
std::span<const Family> families();

/// The family of that name, with a host or without; null for any other name.
const Family* find_family(std::string_view name);

/// The family of that name that has a host; null for any other name.
const Family* find_host(std::string_view name);

/// The places in which hosts and their environments are looked for.
struct Places {
  std::filesystem::path programs;  ///< the folder with run.py; empty: it was not found
  std::filesystem::path
      environments;    ///< in the user's cache folder; empty: there is no such folder
  std::string python;  ///< of --python, or of an activated venv; empty: neither
};

/// The folder with run.py, beside this process's program or where an installation puts it; empty
/// where it is in neither.
std::filesystem::path programs_folder();

/// The host's environment: a folder whose name has a digest of what is pinned and, for Go, of what
/// is built, so that another pin is another environment. An empty path where a place is missing.
std::filesystem::path environment_of(const Family& host, const Places& places);

/// The commands that make the environment, in order, each as a list of words.
std::vector<std::vector<std::string>> setup_commands(const Family& host, const Places& places);

/// A host that can be started.
struct Found {
  std::vector<std::string> command;  ///< the program and its words
  std::string version;               ///< of the package
};

/// The host with the program that runs it, or why it cannot be started and what would help.
std::variant<Found, std::string> find(const Family& host, const Places& places);

/// The tools that the setup of the host needs and this machine does not have: a line each, with
/// what brings it.
std::vector<std::string> missing_tools(const Family& host, const Places& places);

/// Runs the command with this process's output; false where it failed.
bool run_command(const std::vector<std::string>& words);

}  // namespace aftershock::sim::hosts
