#include <memory>

#include <fmt/format.h>

#include "policies/api/config.h"
#include "sim/cli/command.h"
#include "sim/cli/device_codes.h"
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

int list_kinds(const std::string& kind) {
  std::vector<std::string_view> names{"ascend", "xid"};
  bool found = false;
  for (const FaultEntry& entry : fault_catalogue()) {
    names.push_back(entry.name);
    if (kind.empty() || entry.name == kind) {
      print_entry(entry);
      found = true;
    }
  }
  if (found) {
    return kOk;
  }
  const std::string_view nearest = policies::nearest_name(kind, names);
  complain(fmt::format("no fault kind {}{}", in_quotes(kind),
                       nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest)));
  return kUnusable;
}

int list_faults(const CodeListing& listing) {
  if (is_code_family(listing.family)) {
    return list_codes(listing);
  }
  if (listing.json || !listing.level.empty() || !listing.cause.empty()) {
    complain("--json, --level and --class go with a family of codes; expected ascend or xid");
    return kUnusable;
  }
  return list_kinds(listing.family);
}

}  // namespace

void add_faults(Command app, int& exit_code) {
  Command command = app.add_command("faults", "what can be made to break");
  command.requires_command();

  Command list = command.add_command(
      "list",
      "every kind of fault: what it does, how it is seen, what may be wrongly concluded; or the "
      "codes of accelerators, with what their vendors say");
  const auto listing = std::make_shared<CodeListing>();
  list.add_option("kind", listing->family,
                  "only this kind; ascend or xid: Huawei's event ids, or NVIDIA's Xids");
  list.add_flag("--json", listing->json, "of codes: print one JSON array, for programs");
  list.add_option("--level", listing->level, "of ascend: only codes of this handling level");
  list.add_option("--class", listing->cause,
                  "only codes of this root cause, or, of xid, of this class of action");
  list.callback([listing, &exit_code] { exit_code = list_faults(*listing); });

  const auto shown = std::make_shared<CodeListing>();
  Command show = command.add_command(
      "show", "all that is known of an accelerator's code, and where each fact is from");
  show.add_option("code", shown->family, "80E01801, xid:94, or a name as hbm_multi_bit_ecc")
      .required();
  show.add_flag("--json", shown->json, "print one JSON object, for programs");
  show.callback([shown, &exit_code] { exit_code = show_code(shown->family, shown->json); });
}

}  // namespace aftershock::sim::cli
