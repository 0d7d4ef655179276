#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "reports/render/style.h"
#include "sim/cli/arguments/arguments.h"
#include "sim/scenario/text/error.h"

// Shared parts of the commands of the command line.
namespace aftershock::sim::cli {

/// Exit codes of commands that do not run a scenario (design.md 5).
inline constexpr int kOk = 0;
inline constexpr int kFailed = 1;
inline constexpr int kUnusable = 2;
inline constexpr int kPolicyProcessFailed = 5;
inline constexpr int kInternalError = 6;
inline constexpr int kOutOfMemory = 9;

/// Becomes the viewer, with these arguments: the program beside this one, else the one in PATH.
/// Returns only where there is none, with a word on standard error.
int start_viewer(const std::vector<std::string>& arguments);

/// Writes to standard output what a terminal can be shown (reports::printed_text). An error of
/// writing shows at the end: see flush_output.
void print(std::string_view text);
/// The same as it is, for programs.
void print_bytes(std::string_view bytes);
/// The same for JSON: characters that a terminal would obey are escaped, and what is not UTF-8 in
/// it (names of files) is replaced.
void print_json_text(std::string_view json);
void print_json(const nlohmann::ordered_json& json);
/// False, with a word on standard error, when standard output did not take everything.
bool flush_output();
/// One line on standard error, printable.
void complain(std::string_view text);
/// Lines of ours on standard error, each printable.
void complain_lines(std::string_view text);
void complain(const std::vector<scenario::ScenarioError>& errors);

/// Whether an MPI launcher (mpirun, srun) started this process, as one of several.
bool started_by_mpi();

/// True unless an MPI launcher started this command more than once: only `sweep` shares work among
/// ranks, and others would do all of it in each. Rank 0 has a word on standard error then.
bool in_one_process(std::string_view command);

/// Whether somebody watches standard output, or another of this process's files. An MPI launcher
/// gives its processes terminals of their own, behind which there may be a file.
bool on_terminal(int file);

/// The same of a terminal that can take back what it shows, which TERM=dumb says it cannot.
bool on_clever_terminal(int file);

/// The abilities of standard output: colour on a terminal (unless NO_COLOR is set), its width, and
/// Unicode where the locale says so.
reports::Style output_style();

/// One line that is safe on a terminal and in a log (reports::one_line).
std::string printable(std::string_view text);

/// The whole file, or nothing and a word on standard error.
bool read_text_file(const std::string& path, std::string& text);
/// The file to read for a path that was given: "-" is standard input.
std::string readable_path(const std::string& path);

/// Breaks a text into lines of at most `width` characters, each behind `indent`.
std::string wrap(std::string_view text, std::string_view indent, std::size_t width = 100);

/// False, with a word on standard error, where a page for a browser would take the place of
/// something else, or is none by its name; `option` is what the name was given with.
bool may_write_page(std::string_view option, const std::string& path);

}  // namespace aftershock::sim::cli
