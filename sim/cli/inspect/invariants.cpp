#include "sim/invariants/invariants.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/config.h"
#include "reports/render/table.h"
#include "sim/cli/command.h"
#include "sim/cli/commands.h"
#include "sim/cli/output_format.h"
#include "sim/control/ordering.h"

namespace aftershock::sim::cli {

namespace {

constexpr std::string_view kOrderingLook = "the decisions of a policy of pods, in their order";

/// {id, sentence, checked, look} of that one, or of all where none is named.
nlohmann::ordered_json invariant_rows(const std::string& id) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  const auto add = [&](std::string_view name, std::string_view sentence, bool checked,
                       std::string_view look) {
    if (id.empty() || id == name) {
      rows.push_back({{"id", name}, {"sentence", sentence}, {"checked", checked}, {"look", look}});
    }
  };
  for (const invariants::Invariant& one : invariants::invariants()) {
    add(one.id, one.sentence, one.checked, one.look);
  }
  for (const control::OrderingRule& rule : control::ordering_rules()) {
    add(rule.id, rule.sentence, true, kOrderingLook);
  }
  return rows;
}

std::string invariant_look(const nlohmann::ordered_json& row) {
  return fmt::format("{}: {}", row["checked"].get<bool>() ? "looks at" : "not checked",
                     row["look"].get_ref<const std::string&>());
}

std::string invariants_text(const nlohmann::ordered_json& rows) {
  std::string text;
  for (const nlohmann::ordered_json& row : rows) {
    text += wrap(fmt::format("{}: {}", row["id"].get_ref<const std::string&>(),
                             row["sentence"].get_ref<const std::string&>()),
                 "");
    text += wrap(invariant_look(row), "  ");
  }
  return text;
}

std::string invariants_markdown(const nlohmann::ordered_json& rows) {
  reports::Table table({{}, {}, {}});
  table.row({"id", "invariant", "how"});
  for (const nlohmann::ordered_json& row : rows) {
    table.row(
        {row["id"].get<std::string>(), row["sentence"].get<std::string>(), invariant_look(row)});
  }
  return table.markdown();
}

int list_invariants(const std::string& id, const OutputFormat& format) {
  const nlohmann::ordered_json rows = invariant_rows(id);
  if (!rows.empty()) {
    print_as(format, {.text = [&] { return invariants_text(rows); },
                      .markdown = [&] { return invariants_markdown(rows); },
                      .rows = [&] { return rows; },
                      .json = {}});
    return kOk;
  }
  std::vector<std::string_view> ids;
  for (const invariants::Invariant& one : invariants::invariants()) {
    ids.push_back(one.id);
  }
  for (const control::OrderingRule& rule : control::ordering_rules()) {
    ids.push_back(rule.id);
  }
  const std::string_view nearest = policies::nearest_name(id, ids);
  complain(fmt::format("no invariant {}; expected S01 to S25, L1 to L11 or M1 to M9{}",
                       scenario::in_quotes(id),
                       nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest)));
  return kUnusable;
}

}  // namespace

void add_invariants(Command app, int& exit_code) {
  Command command = app.add_command(
      "invariants",
      "the laws that every run is held to, and the facts that are looked at for each");
  const auto id = std::make_shared<std::string>();
  command.add_option("id", *id, "only this one, as S07");
  const auto format = std::make_shared<OutputFormat>();
  add_format(command, *format, "one JSON array");
  command.callback([id, format, &exit_code] { exit_code = list_invariants(*id, *format); });
}

}  // namespace aftershock::sim::cli
