#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include "sim/hosts/hosts.h"
#include "sim/processes/file.h"
#include "sim/processes/process.h"
#include "sim/processes/process_end.h"
#include "sim/processes/program.h"

namespace aftershock::sim::hosts {
namespace {

namespace fs = std::filesystem;

/// Written last: a setup that was broken off has none.
constexpr std::string_view kReady = "ready";

fs::path requirements_of(const Family& host, const Places& places) {
  return places.programs / fmt::format("requirements-{}.txt", host.name);
}

/// FNV-1a, 64 bits.
std::uint64_t digest_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::uint64_t digest = 14695981039346656037ULL;
  for (auto at = std::istreambuf_iterator<char>(in); at != std::istreambuf_iterator<char>(); ++at) {
    digest = (digest ^ static_cast<unsigned char>(*at)) * 1099511628211ULL;
  }
  return digest;
}

/// The answer of a program that is asked something.
struct Answer {
  std::optional<std::string> text;  ///< without its last end of line; none: it failed
  std::string why{};                ///< of one that could not be asked, or did not answer
};

/// A few words, with patience for each part of them; none where the program says nothing for so
/// long, or too much.
std::optional<std::string> read_words(const File& file) {
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
  auto pipe = make_pipe();
  if (!pipe) {
    return {.text = {}, .why = "cannot be asked: no pipe is left"};
  }
  auto started = start_program({.words = words, .files = {-1, pipe->write.number(), -1}});
  const auto* child = std::get_if<pid_t>(&started);
  if (child == nullptr) {
    return {.text = {}, .why = words_of(std::get<ProcessEnd>(started))};
  }
  pipe->write.close();
  std::optional<std::string> text = read_words(pipe->read);
  if (!text) {
    kill_group(*child);
    return {.text = {}, .why = "does not answer"};
  }
  if (const ProcessEnd end = wait_for(*child); end.how == ProcessEnd::How::kNotStarted) {
    return {.text = {}, .why = words_of(end)};
  } else if (end != ProcessEnd{}) {
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
         fmt::format("{}-{:016x}", host.name, digest_of(requirements_of(host, places)));
}

std::vector<std::vector<std::string>> setup_commands(const Family& host, const Places& places) {
  const fs::path folder = environment_of(host, places);
  const std::string pip = (folder / "bin" / "pip").string();
  return {{"python3", "-m", "venv", "--clear", folder.string()},
          {pip, "install", "--quiet", "--no-deps", "--require-hashes", "--only-binary=:all:", "-r",
           requirements_of(host, places).string()},
          {"touch", (folder / kReady).string()}};
}

std::variant<Found, std::string> find(const Family& host, const Places& places) {
  if (places.programs.empty()) {
    return "the programs of hosts are not beside this program, nor in its share/aftershock/hosts";
  }
  std::string python = places.python;
  std::error_code error;
  if (python.empty()) {
    const fs::path folder = environment_of(host, places);
    if (folder.empty() || !fs::exists(folder / kReady, error)) {
      return fmt::format(
          "{}@installed has no environment yet; `aftershock hosts setup {}` makes it", host.name,
          host.name);
    }
    python = (folder / "bin" / "python").string();
  }
  Answer version = answer_of({python, "-c", version_query(host)});
  if (!version.why.empty()) {
    return fmt::format("{}: {}; expected a Python that has the package {}", python, version.why,
                       host.package);
  }
  if (!version.text || version.text->empty() || version.text->size() > 100) {
    return fmt::format(
        "{} has no package {}, which {}@installed hosts; expected a Python that has it, or no "
        "--python and no activated venv, and `aftershock hosts setup {}`",
        python, host.package, host.name, host.name);
  }
  return Found{{python, (places.programs / "run.py").string(), std::string(host.name)},
               std::move(*version.text)};
}

std::vector<std::string> missing_tools() {
  std::vector<std::string> missing;
  if (!answer_of({"python3", "-c", "import sys; sys.exit(sys.version_info < (3, 11))"}).text) {
    missing.emplace_back("python3 3.11 or newer (Debian: apt-get install python3)");
  } else if (!answer_of({"python3", "-c", "import venv, ensurepip"}).text) {
    missing.emplace_back("python3-venv (Debian: apt-get install python3-venv)");
  }
  return missing;
}

bool run_command(const std::vector<std::string>& words) {
  auto started = start_program({.words = words, .files = {-1, STDOUT_FILENO, STDERR_FILENO}});
  const auto* child = std::get_if<pid_t>(&started);
  return child != nullptr && wait_for(*child) == ProcessEnd{};
}

}  // namespace aftershock::sim::hosts
