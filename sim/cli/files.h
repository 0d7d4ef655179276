#pragma once

#include <string>
#include <string_view>
#include <vector>

// The files that a command is told to read and to write: none of them takes the place of another.
namespace aftershock::sim::cli {

/// A file as it was named on the command line; an empty path is none.
struct NamedFile {
  std::string_view what;  ///< "--junit", or "the scenario" where no option names it
  std::string_view path;
};

/// False, with a word on standard error, where a file that is to be written is one of the others,
/// by whatever way to it: it would be lost.
bool files_apart(const std::vector<NamedFile>& read, const std::vector<NamedFile>& written);

/// False, with a word on standard error, where "-" is among them more than once: what comes from
/// standard input is there once.
bool standard_input_once(const std::vector<std::string>& paths);

/// False, with a word on standard error, where "-" is among the files of a command that reads
/// files alone; `why` says why, and what to do.
bool files_alone(const std::vector<std::string>& paths, std::string_view why);

/// False, with a word on standard error, where something of that name is there that keeps what is
/// written to it. An empty path is standard output, which may always be written to.
bool is_new_file(std::string_view option, const std::string& path);

}  // namespace aftershock::sim::cli
