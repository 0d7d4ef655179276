#include <array>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include "sim/hosts/environment.h"
#include "sim/hosts/hosts.h"
#include "sim/processes/file.h"
#include "sim/processes/process.h"
#include "sim/processes/process_end.h"
#include "sim/processes/program.h"

namespace aftershock::sim::hosts {
namespace {

namespace fs = std::filesystem;

/// The answer of a program that is asked something.
struct Answer {
  std::optional<std::string> text;  ///< without its last end of line; none: it failed
  std::string why{};                ///< of one that could not be asked, or did not answer
};

/// A few words, with patience for each part of them; none where the program says nothing for so
/// long, or too much.
std::optional<std::string> read_words(const processes::File& file) {
  constexpr int kPatienceMs = 30'000;
  constexpr int kMostParts = 16;
  std::string text;
  std::array<char, 4096> bytes{};
  for (int part = 0; part < kMostParts; ++part) {
    ::pollfd ready{.fd = file.number(), .events = POLLIN, .revents = 0};
    if (::poll(&ready, 1, kPatienceMs) <= 0) {
      return std::nullopt;
    }
    const ::ssize_t count = ::read(file.number(), bytes.data(), bytes.size());
    if (count <= 0) {
      return text;
    }
    text.append(bytes.data(), static_cast<std::size_t>(count));
  }
  return std::nullopt;
}

Answer answer_of(const std::vector<std::string>& words) {
  auto pipe = processes::make_pipe();
  if (!pipe) {
    return {.text = {}, .why = "cannot be asked: no pipe is left"};
  }
  auto started =
      processes::start_program({.words = words, .files = {-1, pipe->write.number(), -1}});
  const auto* child = std::get_if<pid_t>(&started);
  if (child == nullptr) {
    return {.text = {}, .why = processes::words_of(std::get<processes::ProcessEnd>(started))};
  }
  pipe->write.close();
  std::optional<std::string> text = read_words(pipe->read);
  if (!text) {
    processes::kill_group(*child);
    return {.text = {}, .why = "does not answer"};
  }
  if (const processes::ProcessEnd end = processes::wait_for(*child);
      end.how == processes::ProcessEnd::How::kNotStarted) {
    return {.text = {}, .why = processes::words_of(end)};
  } else if (end != processes::ProcessEnd{}) {
    return {};
  }
  while (!text->empty() && text->back() == '\n') {
    text->pop_back();
  }
  return {.text = std::move(text)};
}

std::string version_query(const Family& host) {
  return fmt::format("import importlib.metadata as m; print(m.version('{}'))", host.package);
}

std::string without_environment(const Family& host) {
  return fmt::format("{}@installed has no environment yet; `aftershock hosts setup {}` makes it",
                     host.name, host.name);
}

bool is_version(const std::optional<std::string>& text) {
  constexpr std::size_t kLongest = 100;
  return text && !text->empty() && text->size() <= kLongest;
}

std::variant<Found, std::string> find_python(const Family& host, const Places& places) {
  std::string python = places.python;
  std::error_code error;
  if (python.empty()) {
    const fs::path folder = environment_of(host, places);
    if (folder.empty() || !fs::exists(folder / kReady, error)) {
      return without_environment(host);
    }
    python = (folder / "bin" / "python").string();
  }
  Answer version = answer_of({python, "-c", version_query(host)});
  if (!version.why.empty()) {
    return fmt::format("{}: {}; expected a Python that has the package {}", python, version.why,
                       host.package);
  }
  if (!is_version(version.text)) {
    return fmt::format(
        "{} has no package {}, which {}@installed hosts; expected a Python that has it, or no "
        "--python and no activated venv, and `aftershock hosts setup {}`",
        python, host.package, host.name, host.name);
  }
  return Found{{python, (places.programs / "run.py").string(), std::string(host.name)},
               std::move(*version.text)};
}

std::variant<Found, std::string> find_program(const Family& host, const Places& places) {
  const fs::path folder = environment_of(host, places);
  std::error_code error;
  if (folder.empty() || !fs::exists(folder / kReady, error)) {
    return without_environment(host);
  }
  const std::string program = (folder / "bin" / host.name).string();
  Answer version = answer_of({program, "--version"});
  if (!version.why.empty() || !is_version(version.text)) {
    return fmt::format("{}: {}; `aftershock hosts setup {}` builds it anew", program,
                       version.why.empty() ? "does not tell its version" : version.why, host.name);
  }
  std::string told = std::move(*version.text);
  if (const std::string package = std::string(host.package) + " "; told.starts_with(package)) {
    told.erase(0, package.size());
  }
  return Found{{program}, std::move(told)};
}

/// "go1.26.8" is {1, 26}; none for any other text.
std::optional<std::pair<int, int>> go_version(const std::string& text) {
  std::pair<int, int> version{};
  if (std::sscanf(text.c_str(), "go%d.%d", &version.first, &version.second) != 2) {
    return std::nullopt;
  }
  return version;
}

void add_missing_go(std::vector<std::string>& missing) {
  constexpr std::pair<int, int> kOldest{1, 26};  // k8s.io/kubernetes 1.36 asks for it
  const std::optional<std::string> told = answer_of({"go", "env", "GOVERSION"}).text;
  const auto version = told ? go_version(*told) : std::nullopt;
  if (!version || *version < kOldest) {
    missing.emplace_back(fmt::format(
        "go {}.{} or newer{} (from go.dev/dl; Debian 12 has 1.19)", kOldest.first, kOldest.second,
        told && !told->empty() ? fmt::format(", where `go env GOVERSION` says {},", *told) : ""));
  }
}

}  // namespace

std::variant<Found, std::string> find(const Family& host, const Places& places) {
  if (places.programs.empty()) {
    return "the programs of hosts are not beside this program, nor in its share/aftershock/hosts";
  }
  return host.language == Language::kGo ? find_program(host, places) : find_python(host, places);
}

std::vector<std::string> missing_tools(const Family& host, const Places& places) {
  std::vector<std::string> missing;
  if (host.language == Language::kGo) {
    add_missing_go(missing);
    return missing;
  }
  if (!answer_of({"python3", "-c", "import sys; sys.exit(sys.version_info < (3, 11))"}).text) {
    missing.emplace_back("python3 3.11 or newer (Debian: apt-get install python3)");
  } else if (!answer_of({"python3", "-c", "import venv, ensurepip"}).text) {
    missing.emplace_back("python3-venv (Debian: apt-get install python3-venv)");
  }
  if (compiles_in_setup(host, places)) {
    for (const auto& [tool, package] :
         {std::pair("gcc", "gcc"), std::pair("readelf", "binutils"), std::pair("nm", "binutils")}) {
      if (!answer_of({tool, "--version"}).text) {
        missing.emplace_back(fmt::format("{} (Debian: apt-get install {})", tool, package));
      }
    }
  }
  return missing;
}

}  // namespace aftershock::sim::hosts
