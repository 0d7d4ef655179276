#include "sim/invariants/invariants.h"

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "policies/api/config.h"
#include "sim/cli/command.h"
#include "sim/control/ordering.h"

namespace aftershock::sim::cli {

namespace {

void print_invariant(const Invariant& one) {
  print(wrap(fmt::format("{}: {}", one.id, one.sentence), ""));
  print(wrap(fmt::format("{}: {}", one.checked ? "looks at" : "not checked", one.look), "  "));
}

int list_invariants(const std::string& id) {
  std::vector<std::string_view> ids;
  bool found = false;
  for (const Invariant& one : invariants()) {
    ids.push_back(one.id);
    if (id.empty() || id == one.id) {
      print_invariant(one);
      found = true;
    }
  }
  for (const OrderingRule& rule : ordering_rules()) {
    ids.push_back(rule.id);
    if (id.empty() || id == rule.id) {
      print(wrap(fmt::format("{}: {}", rule.id, rule.sentence), ""));
      print(wrap("looks at: what a policy of pods decides, in its order", "  "));
      found = true;
    }
  }
  if (found) {
    return kOk;
  }
  const std::string_view nearest = policies::nearest_name(id, ids);
  complain(fmt::format("no invariant {}; expected S01 to S25, L1 to L11 or M1 to M9{}",
                       in_quotes(id),
                       nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest)));
  return kUnusable;
}

}  // namespace

void add_invariants(Command app, int& exit_code) {
  Command command =
      app.add_command("invariants", "what every run is held to, and what is looked at for it");
  const auto id = std::make_shared<std::string>();
  command.add_option("id", *id, "only this one, as S07");
  command.callback([id, &exit_code] { exit_code = list_invariants(*id); });
}

}  // namespace aftershock::sim::cli
