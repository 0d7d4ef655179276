#pragma once

#include <array>
#include <string_view>

#include "sim/cli/arguments/arguments.h"

// The commands of the command line, which run/, many/, search/, inspect/ and live/ implement. A new
// one is a declaration and a row here, and a source of its own.
namespace aftershock::sim::cli {

/// Each adds one command to the program; its callback leaves the exit code in `exit_code`.
void add_run(Command app, int& exit_code);
void add_live(Command app, int& exit_code);
void add_sweep(Command app, int& exit_code);
void add_compare(Command app, int& exit_code);
void add_report(Command app, int& exit_code);
void add_check(Command app, int& exit_code);
void add_matrix(Command app, int& exit_code);
void add_explore(Command app, int& exit_code);
void add_shrink(Command app, int& exit_code);
void add_init(Command app, int& exit_code);
void add_advise(Command app, int& exit_code);
void add_why(Command app, int& exit_code);
void add_validate(Command app, int& exit_code);
void add_schema(Command app, int& exit_code);
void add_scenarios(Command app, int& exit_code);
void add_policies(Command app, int& exit_code);
void add_hosts(Command app, int& exit_code);
void add_faults(Command app, int& exit_code);
void add_export(Command app, int& exit_code);
void add_replay(Command app, int& exit_code);
void add_import(Command app, int& exit_code);
void add_invariants(Command app, int& exit_code);
void add_view(Command app, int& exit_code);

/// A command by its name.
struct CommandRow {
  std::string_view name;
  void (*add)(Command app, int& exit_code);
};

/// All of them, in the order in which --help lists them.
inline constexpr auto kCommands = std::to_array<CommandRow>({
    {"run", add_run},
    {"live", add_live},
    {"sweep", add_sweep},
    {"compare", add_compare},
    {"report", add_report},
    {"check", add_check},
    {"matrix", add_matrix},
    {"explore", add_explore},
    {"shrink", add_shrink},
    {"init", add_init},
    {"advise", add_advise},
    {"why", add_why},
    {"validate", add_validate},
    {"schema", add_schema},
    {"scenarios", add_scenarios},
    {"policies", add_policies},
    {"hosts", add_hosts},
    {"faults", add_faults},
    {"export", add_export},
    {"replay", add_replay},
    {"import", add_import},
    {"invariants", add_invariants},
    {"view", add_view},
});

}  // namespace aftershock::sim::cli
