#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "policies/api/config.h"
#include "sim/cli/command.h"
#include "sim/scenario/fault_catalogue.h"

namespace aftershock::sim::cli {

namespace {

void print_entry(const FaultEntry& entry) {
  std::string targets;
  for (const TargetKind target : entry.targets) {
    targets += (targets.empty() ? "" : ", ") + std::string(name_of(target));
  }
  print(fmt::format("{}\n", entry.name));
  print(wrap(fmt::format("does: {}", entry.effect), "  "));
  print(wrap(fmt::format("seen: {}", entry.seen), "  "));
  print(wrap(fmt::format("may mislead: {}", entry.mistaken), "  "));
  print(wrap(fmt::format("strikes: {}", targets), "  "));
  for (const Key& key : entry.parameters) {
    print(wrap(fmt::format("{}: {}", key.name, key.meaning), "    "));
  }
  print("\n");
}

}  // namespace

void add_faults(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("faults", "what can be made to break");
  command->require_subcommand(1);
  CLI::App* list = command->add_subcommand("list",
                                           "every kind of fault: what it does, how it is "
                                           "seen, what may be wrongly concluded");
  const auto kind = std::make_shared<std::string>();
  list->add_option("kind", *kind, "only this kind");
  list->callback([kind, &exit_code] {
    std::vector<std::string_view> names;
    bool found = false;
    for (const FaultEntry& entry : fault_catalogue()) {
      names.push_back(entry.name);
      if (kind->empty() || entry.name == *kind) {
        print_entry(entry);
        found = true;
      }
    }
    if (!found) {
      const std::string_view nearest = policies::nearest_name(*kind, names);
      complain(fmt::format("no fault kind {}{}", in_quotes(*kind),
                           nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest)));
      exit_code = kUnusable;
    }
  });
}

}  // namespace aftershock::sim::cli
