#include "sim/cli/arguments/arguments.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace aftershock::sim::cli {

Option& Option::required() {
  option_->required();
  return *this;
}

Option& Option::expected(int least, int most) {
  option_->expected(least, most);
  return *this;
}

Option& Option::one_value_each() {
  option_->allow_extra_args(false);
  return *this;
}

Option& Option::one_of(std::initializer_list<std::string> words) {
  option_->check(CLI::IsMember(words));
  return *this;
}

Option& Option::between(int least, int most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

Option& Option::check(std::function<std::string(const std::string&)> problem, std::string type) {
  option_->check(
      CLI::Validator([problem = std::move(problem)](std::string& value) { return problem(value); },
                     std::move(type)));
  return *this;
}

Option& Option::excludes(Option other) {
  option_->excludes(other.option_);
  return *this;
}

Option& Option::needs(Option other) {
  option_->needs(other.option_);
  return *this;
}

Option& Option::shows_default() {
  option_->capture_default_str();
  return *this;
}

Command Command::add_command(std::string name, std::string description) {
  return Command(*app_->add_subcommand(std::move(name), std::move(description)));
}

Command Command::add_choice(std::string name, std::string description) {
  CLI::Option_group* group = app_->add_option_group(std::move(name), std::move(description));
  group->require_option(1);
  return Command(*group);
}

template <class Value>
Option Command::add_option(std::string names, Value& value, std::string description) {
  return Option(*app_->add_option(std::move(names), value, std::move(description)));
}

template Option Command::add_option(std::string, int&, std::string);
template Option Command::add_option(std::string, std::optional<std::int64_t>&, std::string);
template Option Command::add_option(std::string, std::string&, std::string);
template Option Command::add_option(std::string, std::vector<std::string>&, std::string);

Option Command::add_flag(std::string name, bool& value, std::string description) {
  return Option(*app_->add_flag(std::move(name), value, std::move(description)));
}

Option Command::add_short_form(const std::string& name, std::string& of, const std::string& value,
                               std::string description) {
  return Option(*app_->add_flag(name + "{" + value + "}", of, std::move(description)));
}

Option Command::option(const std::string& name) { return Option(*app_->get_option(name)); }

void Command::requires_command() { app_->require_subcommand(1); }

void Command::footer(std::string text) { app_->footer(std::move(text)); }

void Command::callback(std::function<void()> run) { app_->callback(std::move(run)); }

bool Command::given() const { return app_->parsed(); }

bool Command::has_command(std::string_view name) const {
  return !app_->get_subcommands([&](const CLI::App* each) { return each->get_name() == name; })
              .empty();
}

}  // namespace aftershock::sim::cli
