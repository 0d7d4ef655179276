#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <unistd.h>

#include "sim/cli/command.h"
#include "sim/cli/commands.h"
#include "sim/cli/files.h"

namespace aftershock::sim::cli {

int start_viewer(const std::vector<std::string>& arguments) {
  const std::string name = "aftershock-viewer";
  std::vector<char*> words;
  std::string program = name;
  std::vector<std::string> storage = arguments;
  words.push_back(program.data());
  for (std::string& word : storage) {
    words.push_back(word.data());
  }
  words.push_back(nullptr);
  flush_output();
  // A program that is started inherits what is ignored.
  std::signal(SIGPIPE, SIG_DFL);
  std::signal(SIGXFSZ, SIG_DFL);
  std::error_code no_self;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", no_self);
  if (!no_self) {
    ::execv((self.parent_path() / name).c_str(), words.data());
  }
  if (no_self || errno == ENOENT) {
    ::execvp(name.c_str(), words.data());
  }
  complain(errno == ENOENT
               ? fmt::format("{} is neither beside aftershock nor in PATH: the viewer is not "
                             "installed",
                             name)
               : fmt::format("{} cannot be started: {}", name, std::strerror(errno)));
  return kUnusable;
}

void add_view(Command app, int& exit_code) {
  Command command = app.add_command("view", "show a recording in a window, or compare two");
  const auto files = std::make_shared<std::vector<std::string>>();
  command.add_option("FILE", *files, "a recording, or a scenario, which is run first")
      .required()
      .expected(1, 2);
  command.callback([files, &exit_code] {
    if (!files_alone(*files, "the viewer reads files; expected one, or `run - --record FILE`")) {
      exit_code = kUnusable;
      return;
    }
    std::vector<std::string> words{"--"};
    words.insert(words.end(), files->begin(), files->end());
    exit_code = start_viewer(words);
  });
}

}  // namespace aftershock::sim::cli
