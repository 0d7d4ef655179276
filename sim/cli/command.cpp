#include "sim/cli/command.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <sstream>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "policies/api/json_as_text.h"
#include "reports/html/page.h"
#include "reports/recording/byte_source.h"
#include "reports/recording/open_file.h"
#include "reports/render/terminal_text.h"

namespace aftershock::sim::cli {

namespace {

bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') {
      const std::string_view text = value;
      return text.find("UTF-8") != text.npos || text.find("utf8") != text.npos;
    }
  }
  return false;
}

/// Standard output is a pipe whose reader has seen enough, as that of `head` has.
bool nobody_reads() {
  const int problem = errno;
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  const bool gone = ::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
  errno = problem;
  return gone;
}

}  // namespace

namespace {

void write_to(std::FILE* file, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), file);
}

}  // namespace

void print(std::string_view text) { write_to(stdout, reports::printed_text(text)); }

void print_bytes(std::string_view bytes) { write_to(stdout, bytes); }

void print_json_text(std::string_view json) { print_bytes(reports::printed_json(json)); }

void print_json(const nlohmann::ordered_json& json) {
  print_json_text(policies::text_from_json(json, {.indent = 1}) + "\n");
}

bool flush_output() {
  if ((std::fflush(stdout) == 0 && std::ferror(stdout) == 0) || nobody_reads()) {
    return true;
  }
  complain(fmt::format("standard output did not take everything: {}", std::strerror(errno)));
  return false;
}

void complain(std::string_view text) { write_to(stderr, printable(text) + "\n"); }

void complain_lines(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    complain(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void complain(const std::vector<scenario::ScenarioError>& errors) {
  for (const scenario::ScenarioError& error : errors) {
    complain(scenario::format(error));
  }
}

bool started_by_mpi() {
  // Open MPI's launcher, PMIx (srun --mpi=pmix), and those of MPICH's family.
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_SIZE"}) {
    if (std::getenv(name) != nullptr) {
      return true;
    }
  }
  return false;
}

namespace {

/// The first of these variables that is a number.
std::optional<int> number_in_environment(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const char* value = std::getenv(name);
    const std::string_view text = value == nullptr ? "" : value;
    int number = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc{}) {
      return number;
    }
  }
  return std::nullopt;
}

}  // namespace

bool in_one_process(std::string_view command) {
  if (!started_by_mpi()) {
    return true;
  }
  const int ranks =
      number_in_environment({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"})
          .value_or(1);
  const int rank =
      number_in_environment({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"}).value_or(0);
  if (ranks > 1 && rank == 0) {
    complain(
        fmt::format("{}: works in one process, and the MPI launcher started {}; start it without, "
                    "or share runs among ranks with `aftershock sweep`",
                    command, ranks));
  }
  return ranks <= 1;
}

bool on_terminal(int file) { return isatty(file) == 1 && !started_by_mpi(); }

bool on_clever_terminal(int file) {
  const char* kind = std::getenv("TERM");
  return on_terminal(file) && kind != nullptr && std::string_view(kind) != "dumb";
}

reports::Style output_style() {
  reports::Style style;
  style.unicode = locale_is_utf8();
  if (on_terminal(STDOUT_FILENO)) {
    style.terminal = true;
    const char* no_color = std::getenv("NO_COLOR");
    style.color = (no_color == nullptr || *no_color == '\0') && on_clever_terminal(STDOUT_FILENO);
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 60) {
      style.width = std::min<std::size_t>(size.ws_col, 120);
    }
  }
  return style;
}

std::string printable(std::string_view text) { return reports::one_line(text); }

std::string readable_path(const std::string& path) { return path == "-" ? "/dev/stdin" : path; }

bool read_text_file(const std::string& path, std::string& text) {
  auto read = reports::read_text(path);
  if (const auto* problem = std::get_if<reports::FileProblem>(&read)) {
    complain(fmt::format("{}: {}", path, problem->message));
    return false;
  }
  text = std::move(std::get<std::string>(read));
  return true;
}

bool may_write_page(std::string_view option, const std::string& path) {
  if (!path.ends_with(".html")) {
    complain(fmt::format("{} {}: does not have the name of a page; expected one that ends in .html",
                         option, path));
    return false;
  }
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    return true;
  }
  constexpr std::size_t kBeginning = 4096;
  const auto beginning = reports::read_beginning(path, kBeginning);
  const auto* text = std::get_if<std::string>(&beginning);
  if (text == nullptr || !reports::is_report_page(*text)) {
    complain(
        fmt::format("{}: exists and is not a report; choose another name with {}", path, option));
    return false;
  }
  return true;
}

std::string wrap(std::string_view text, std::string_view indent, std::size_t width) {
  std::string out;
  std::string line(indent);
  std::size_t words = 0;
  std::istringstream input{std::string(text)};
  for (std::string word; input >> word;) {
    if (words > 0 && line.size() + 1 + word.size() > width) {
      out += line + "\n";
      line = indent;
      words = 0;
    }
    line += (words > 0 ? " " : "") + word;
    ++words;
  }
  return out + line + "\n";
}

}  // namespace aftershock::sim::cli
