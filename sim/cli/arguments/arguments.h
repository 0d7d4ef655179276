#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

namespace CLI {
class App;
class Option;
}  // namespace CLI

// The command line as commands declare it. CLI11 reads it: its header takes a compiler 2 s, so that
// no room but this one includes it.
namespace aftershock::sim::cli {

/// An option, a flag or a positional argument that a command has. A copy stands for the same one.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  /// The command is refused without it.
  Option& required();
  /// Takes so many values at least, and at most.
  Option& expected(int least, int most);
  /// Takes one value each time that it is given, not all words that follow.
  Option& one_value_each();
  /// Takes these words alone.
  Option& one_of(std::initializer_list<std::string> words);
  /// Takes whole numbers from `least` to `most` alone.
  Option& between(int least, int most);
  /// `problem` tells a value's fault, empty if it has none; `type` stands for the value in --help.
  Option& check(std::function<std::string(const std::string& value)> problem, std::string type);
  /// The command is refused where both are given; with `needs`, where this is given alone.
  Option& excludes(Option other);
  Option& needs(Option other);
  /// --help says the value that the variable has now.
  Option& shows_default();

 private:
  CLI::Option* option_;
};

/// A command, or a part of one. A copy stands for the same one; the Program owns them all.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  /// A command below this one.
  Command add_command(std::string name, std::string description);
  /// Of the parts of a group the user gives exactly one.
  Command add_choice(std::string name, std::string description);
  /// `names` are "--long", "-s,--long", or a word for a positional argument. `value` outlives the
  /// parse, which writes it where the option is given. Of the types that arguments.cpp lists.
  template <class Value>
  Option add_option(std::string names, Value& value, std::string description);
  /// An option without a value, which sets `value`.
  Option add_flag(std::string name, bool& value, std::string description);
  /// An option without a value, which stands for `value` as the value of another: it sets `of`.
  Option add_short_form(const std::string& name, std::string& of, const std::string& value,
                        std::string description);
  /// The one of this name, which the command has.
  Option option(const std::string& name);
  /// A command below it must be given.
  void requires_command();
  /// Lines below --help.
  void footer(std::string text);
  /// Is called when all is read and right.
  void callback(std::function<void()> run);
  /// Whether the user gave it.
  [[nodiscard]] bool given() const;
  /// Whether there is one of this name directly below it.
  [[nodiscard]] bool has_command(std::string_view name) const;

 private:
  CLI::App* app_;
};

/// The whole of a command line.
class Program {
 public:
  Program(std::string name, std::string description, std::string version);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// The program itself, to which commands are added.
  [[nodiscard]] Command top();

  /// The end of a parse; where nothing is refused, the command that was given has run, or help or
  /// the version are in `output`.
  struct Outcome {
    bool refused = false;   ///< the words made no sense; `complaint` says why
    std::string output;     ///< the help or the version that was asked for
    std::string complaint;  ///< lines for standard error
  };
  /// Reads the words and calls back the command that they give. An empty value of an option is
  /// refused: it can only be a mistake, such as a variable of a shell that is not set.
  Outcome parse(int count, char** words);

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace aftershock::sim::cli
