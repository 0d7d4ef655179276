#include "sim/cli/inspect/device_codes.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "policies/api/config.h"
#include "policies/device_codes/catalogue.h"
#include "policies/device_codes/facts.h"
#include "sim/cli/command.h"
#include "sim/cli/inspect/device_code_tables.h"

namespace aftershock::sim::cli {

namespace {

using policies::DeviceCode;
using policies::DeviceFamily;
using Json = nlohmann::ordered_json;
using Names = std::vector<std::string_view>;

template <class Word>
Names names_of(std::size_t count) {
  Names names;
  for (std::size_t i = 0; i < count; ++i) {
    names.push_back(policies::name_of(static_cast<Word>(i)));
  }
  return names;
}

/// The words of all lists: the chips' own, and those that switches, nodes and RDMA adapters have.
Names level_names() {
  Names names = names_of<policies::HandlingLevel>(policies::kHandlingLevels);
  names.insert(names.end(),
               {"RestartRequestFault", "PreSeparateFault", "SeparateFault", "SeparateDPU"});
  return names;
}

Json text_or_null(std::string_view text) { return text.empty() ? Json() : Json(text); }

Json json_of(const DeviceCode& code) {
  Json json{{"code", policies::canonical(code)},
            {"name", text_or_null(code.name)},
            {"subject", policies::name_of(code.subject)}};
  if (code.xid) {
    json["meaning"] = text_or_null(code.kind);
    json["immediate"] = text_or_null(code.xid->immediate);
    json["investigatory"] = text_or_null(code.xid->investigatory);
  } else {
    json["module"] = text_or_null(code.module);
    json["kind"] = text_or_null(code.kind);
    json["level"] = policies::name_of(*code.level);
    json["listed_as"] = level_of(code);
  }
  json["severity"] = policies::name_of(code.severity);
  json["class"] = class_of(code);
  json["product"] = text_or_null(code.product);
  if (const auto& rule = code.frequency) {
    json["frequency"] = {{"times", rule->times},
                         {"window_s", rule->window_s},
                         {"release_s", rule->release_s == 0 ? Json() : Json(rule->release_s)},
                         {"level", policies::name_of(rule->level)}};
  }
  if (const auto& rule = code.duration) {
    json["duration"] = {{"longer_than_s", rule->longer_than_s},
                        {"recovered_after_s", rule->recovered_after_s},
                        {"level", policies::name_of(rule->level)}};
  }
  if (!code.note.empty()) json["note"] = code.note;
  return json;
}

/// Says that there is no such word, and which there are.
int refuse(std::string_view what, const std::string& word, const Names& known) {
  const std::string_view nearest = policies::nearest_name(word, known);
  complain(fmt::format("no {} {}; expected one of {}{}", what, scenario::in_quotes(word),
                       fmt::join(known, ", "),
                       nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest)));
  return kUnusable;
}

bool has(const Names& names, const std::string& word) {
  return std::find(names.begin(), names.end(), word) != names.end();
}

}  // namespace

bool is_code_family(const std::string& word) { return word == "ascend" || word == "xid"; }

int list_codes(const CodeListing& listing) {
  const auto family = listing.family == "xid" ? DeviceFamily::kXid : DeviceFamily::kAscend;
  const bool xid = family == DeviceFamily::kXid;
  const Names classes = xid ? names_of<policies::GpuAction>(policies::kGpuActions)
                            : names_of<policies::RootCause>(policies::kRootCauses);
  if (!listing.level.empty() && xid) {
    complain(fmt::format("--level {}: Xids have no handling level; expected --class with one of {}",
                         scenario::in_quotes(listing.level), fmt::join(classes, ", ")));
    return kUnusable;
  }
  if (!listing.level.empty() && !has(level_names(), listing.level)) {
    return refuse("level", listing.level, level_names());
  }
  if (!listing.cause.empty() && !has(classes, listing.cause)) {
    return refuse("class", listing.cause, classes);
  }
  std::vector<const DeviceCode*> codes;
  for (const DeviceCode& code : policies::device_codes(family)) {
    const bool at_level = listing.level.empty() || level_of(code) == listing.level ||
                          policies::name_of(*code.level) == listing.level;
    if (at_level && (listing.cause.empty() || class_of(code) == listing.cause)) {
      codes.push_back(&code);
    }
  }
  std::size_t kept_back = 0;
  if (listing.important) {
    kept_back =
        std::erase_if(codes, [](const DeviceCode* code) { return !policies::is_told_of(*code); });
  }
  print_as(listing.format, {.text =
                                [&] {
                                  return listing.important ? important_codes_text(codes, kept_back,
                                                                                  output_style())
                                                           : codes_text(codes, output_style());
                                },
                            .markdown = [&] { return codes_markdown(codes); },
                            .rows =
                                [&] {
                                  Json list = Json::array();
                                  for (const DeviceCode* code : codes)
                                    list.push_back(json_of(*code));
                                  return list;
                                },
                            .json = {}});
  return kOk;
}

int show_code(const std::string& text, bool json) {
  const DeviceCode* code = policies::find_device_code(text);
  if (code == nullptr) {
    const std::string_view nearest = policies::nearest_device_code(text);
    const auto form = policies::parse_device_code(text);
    complain(fmt::format(
        "no device code {}; expected an Ascend event id such as 80E01801, an Xid such as xid:94, "
        "or a name that `aftershock faults list ascend` or `xid` lists{}{}",
        scenario::in_quotes(text),
        nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest),
        form ? fmt::format(" (in a scenario it is allowed: {})", policies::rule_for_unlisted(*form))
             : ""));
    return kUnusable;
  }
  const std::vector<policies::DeviceFact> facts = policies::facts_of(*code);
  if (json) {
    Json shown = json_of(*code);
    for (const policies::DeviceFact& fact : facts) {
      shown["facts"].push_back(
          {{"what", fact.what}, {"value", fact.value}, {"source", fact.source}});
    }
    print_json(shown);
    return kOk;
  }
  print(fmt::format("{}{}\n", policies::canonical(*code),
                    code->name.empty() ? "" : fmt::format("  {}", code->name)));
  for (const policies::DeviceFact& fact : facts) {
    print(wrap(fmt::format("{}: {}", fact.what, fact.value), "  "));
    print(wrap(fmt::format("source: {}", fact.source), "      "));
  }
  return kOk;
}

}  // namespace aftershock::sim::cli
