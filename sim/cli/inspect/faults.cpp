#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/config.h"
#include "reports/render/table.h"
#include "sim/cli/command.h"
#include "sim/cli/commands.h"
#include "sim/cli/inspect/device_codes.h"
#include "sim/cli/output_format.h"
#include "sim/scenario/faults/fault_catalogue.h"

namespace aftershock::sim::cli {

namespace {

using Entries = std::vector<const scenario::FaultEntry*>;

std::string targets_of(const scenario::FaultEntry& entry) {
  std::string targets;
  for (const scenario::TargetKind target : entry.targets) {
    targets += (targets.empty() ? "" : ", ") + std::string(scenario::name_of(target));
  }
  return targets;
}

std::string kinds_text(const Entries& entries) {
  std::string text;
  for (const scenario::FaultEntry* entry : entries) {
    text += fmt::format("{}\n", entry->name);
    text += wrap(fmt::format("does: {}", entry->effect), "  ");
    text += wrap(fmt::format("seen: {}", entry->seen), "  ");
    text += wrap(fmt::format("may mislead: {}", entry->mistaken), "  ");
    text += wrap(fmt::format("strikes: {}", targets_of(*entry)), "  ");
    for (const scenario::Key& key : entry->parameters) {
      text += wrap(fmt::format("{}: {}", key.name, key.meaning), "    ");
    }
    text += "\n";
  }
  return text;
}

std::string kinds_markdown(const Entries& entries) {
  reports::Table table({{}, {}, {}, {}, {}});
  table.row({"fault", "does", "seen", "may mislead", "strikes"});
  for (const scenario::FaultEntry* entry : entries) {
    table.row({std::string(entry->name), std::string(entry->effect), std::string(entry->seen),
               std::string(entry->mistaken), targets_of(*entry)});
  }
  return table.markdown();
}

/// {name, does, seen, may_mislead, strikes[], parameters{name: meaning}}.
nlohmann::ordered_json kinds_json(const Entries& entries) {
  auto list = nlohmann::ordered_json::array();
  for (const scenario::FaultEntry* entry : entries) {
    auto strikes = nlohmann::ordered_json::array();
    for (const scenario::TargetKind target : entry->targets) {
      strikes.push_back(scenario::name_of(target));
    }
    auto parameters = nlohmann::ordered_json::object();
    for (const scenario::Key& key : entry->parameters) {
      parameters[std::string(key.name)] = key.meaning;
    }
    list.push_back({{"name", entry->name},
                    {"does", entry->effect},
                    {"seen", entry->seen},
                    {"may_mislead", entry->mistaken},
                    {"strikes", std::move(strikes)},
                    {"parameters", std::move(parameters)}});
  }
  return list;
}

int list_kinds(const std::string& kind, const OutputFormat& format) {
  std::vector<std::string_view> names{"ascend", "xid"};
  Entries entries;
  for (const scenario::FaultEntry& entry : scenario::fault_catalogue()) {
    names.push_back(entry.name);
    if (kind.empty() || entry.name == kind) {
      entries.push_back(&entry);
    }
  }
  if (!entries.empty()) {
    print_as(format, {.text = [&] { return kinds_text(entries); },
                      .markdown = [&] { return kinds_markdown(entries); },
                      .rows = [&] { return kinds_json(entries); },
                      .json = {}});
    return kOk;
  }
  const std::string_view nearest = policies::nearest_name(kind, names);
  complain(fmt::format("no fault kind {}{}", scenario::in_quotes(kind),
                       nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest)));
  return kUnusable;
}

int list_faults(const CodeListing& listing) {
  if (is_code_family(listing.family)) {
    return list_codes(listing);
  }
  if (listing.important || !listing.level.empty() || !listing.cause.empty()) {
    complain("--important, --level and --class go with a family of codes; expected ascend or xid");
    return kUnusable;
  }
  return list_kinds(listing.family, listing.format);
}

}  // namespace

void add_faults(Command app, int& exit_code) {
  Command command = app.add_command("faults", "kinds of faults");
  command.requires_command();

  Command list = command.add_command(
      "list",
      "every kind of fault: what it does, how it is seen, what may be wrongly concluded; or the "
      "codes of accelerators, with what their vendors say");
  const auto listing = std::make_shared<CodeListing>();
  list.add_option("kind", listing->family,
                  "only this kind; ascend or xid: Huawei's event ids, or NVIDIA's Xids");
  add_format(list, listing->format, "one JSON array");
  list.add_flag("--important", listing->important,
                "of codes: only those of which more is known than which list they stand in, by "
                "what is done about them");
  list.add_option("--level", listing->level, "of ascend: only codes of this handling level");
  list.add_option("--class", listing->cause,
                  "only codes of this root cause, or, of xid, of this class of action");
  list.callback([listing, &exit_code] { exit_code = list_faults(*listing); });

  const auto shown = std::make_shared<CodeListing>();
  Command show = command.add_command(
      "show", "all that is known of an accelerator's code, and where each fact is from");
  show.add_option("code", shown->family, "80E01801, xid:94, or a name as hbm_multi_bit_ecc")
      .required();
  add_json(show, shown->format);
  show.callback(
      [shown, &exit_code] { exit_code = show_code(shown->family, shown->format.is_json()); });
}

}  // namespace aftershock::sim::cli
