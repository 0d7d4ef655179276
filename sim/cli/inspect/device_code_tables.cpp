#include "sim/cli/inspect/device_code_tables.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "policies/device_codes/facts.h"
#include "reports/render/format.h"
#include "reports/render/table.h"

namespace aftershock::sim::cli {
namespace {

using policies::DeviceCode;
using reports::Table;

std::string rules_of(const DeviceCode& code) {
  std::string rules;
  if (code.frequency) rules += policies::describe(*code.frequency);
  if (code.duration) rules += (rules.empty() ? "" : "; ") + policies::describe(*code.duration);
  return rules;
}

/// Its name, which is made of module and kind where these say which code is meant; else these.
std::string called(const DeviceCode& code) {
  if (!code.name.empty()) return code.name;
  std::string words(code.module);
  if (!code.kind.empty()) words += (words.empty() ? "" : ", ") + std::string(code.kind);
  return words.empty() ? "-" : words;
}

/// A table of codes of one family: {code, name, level, severity, class}, or of Xids {xid, name,
/// meaning, severity, class}.
class CodeTable {
 public:
  explicit CodeTable(bool xid)
      : xid_(xid), table_({{}, {.elastic = true}, {.elastic = true}, {}, {}}) {
    table_.row(xid ? std::vector<std::string>{"xid", "name", "meaning", "severity", "class"}
                   : std::vector<std::string>{"code", "name", "level", "severity", "class"},
               reports::Colour::kHeading);
  }

  void add(const DeviceCode& code) {
    const std::string second = xid_ ? (code.name.empty() ? "-" : code.name) : called(code);
    const std::string_view third = xid_ ? code.kind : level_of(code);
    table_.row({code.code, second, std::string(third.empty() ? "-" : third),
                std::string(policies::name_of(code.severity)), std::string(class_of(code))});
    if (const std::string rules = rules_of(code); !rules.empty()) table_.note(rules);
  }

  [[nodiscard]] const Table& table() const { return table_; }

 private:
  bool xid_;
  Table table_;
};

std::string table_text(const DeviceCodes& codes, const reports::Style& style) {
  CodeTable table(codes.front()->xid.has_value());
  for (const DeviceCode* code : codes) table.add(*code);
  return table.table().text(style, 0);
}

/// Codes about which the same is done: what else tells them apart.
std::string deed_table(const DeviceCodes& codes, const reports::Style& style) {
  constexpr std::size_t kRulesShown = 34;  // longer ones are a note
  const bool xid = codes.front()->xid.has_value();
  Table table({{}, {.elastic = true}, {.elastic = true}, {}});
  table.row(xid ? std::vector<std::string>{"xid", "name", "meaning", "immediate action"}
                : std::vector<std::string>{"code", "name", "class", "comes to more"},
            reports::Colour::kFaint);
  for (const DeviceCode* code : codes) {
    if (xid) {
      table.row(
          {code->code, called(*code), std::string(code->kind), std::string(code->xid->immediate)});
      continue;
    }
    const std::string rules = rules_of(*code);
    const bool fits = rules.size() <= kRulesShown;
    table.row({code->code, called(*code), std::string(class_of(*code)),
               fits ? rules : std::string("see below")});
    if (!fits) table.note(rules);
  }
  return table.text(style, 2);
}

std::string counted(std::size_t codes) {
  return fmt::format("{} code{}", codes, codes == 1 ? "" : "s");
}

/// "RestartNPU: the job is rescheduled without the device, which is reset now".
std::string deed_of(const DeviceCode& code) {
  return code.xid ? fmt::format("{}: {}", class_of(code), policies::meaning_of(code.xid->action))
                  : fmt::format("{}: {}", policies::name_of(*code.level),
                                policies::meaning_of(*code.level));
}

}  // namespace

std::string_view level_of(const DeviceCode& code) {
  return code.level ? policies::listed_as(code.subject, *code.level) : std::string_view{};
}

std::string_view class_of(const DeviceCode& code) {
  return code.xid ? policies::name_of(code.xid->action) : policies::name_of(code.root_cause);
}

std::string codes_text(const DeviceCodes& codes, const reports::Style& style) {
  std::map<policies::DeviceSubject, DeviceCodes> by_subject;
  for (const DeviceCode* code : codes) by_subject[code->subject].push_back(code);
  std::string text;
  for (const auto& [subject, of] : by_subject) {
    text += fmt::format(
        "{}{}\n", text.empty() ? "" : "\n",
        style.paint(fmt::format("{}: {}", policies::name_of(subject), counted(of.size())),
                    reports::Colour::kHeading));
    text += table_text(of, style);
  }
  return text + counted(codes.size()) + "\n";
}

std::string important_codes_text(const DeviceCodes& codes, std::size_t kept_back,
                                 const reports::Style& style) {
  const auto rank = [](const DeviceCode* code) {
    return code->xid ? static_cast<int>(code->xid->action) : static_cast<int>(*code->level);
  };
  std::map<int, DeviceCodes, std::greater<>> by_deed;
  for (const DeviceCode* code : codes) by_deed[rank(code)].push_back(code);
  std::string text;
  for (const auto& [deed, of] : by_deed) {
    text += reports::wrapped(
        style.paint(fmt::format("{} ({})", deed_of(*of.front()), counted(of.size())),
                    reports::Colour::kHeading),
        0, style.width);
    text += deed_table(of, style) + "\n";
  }
  const bool xid = !codes.empty() && codes.front()->xid;
  return text + reports::wrapped(
                    fmt::format("{}; {} more are left out: {}; without --important they are listed",
                                counted(codes.size()), kept_back,
                                xid ? "NVIDIA's catalogue names no action for them"
                                    : "their class is unknown, and nothing is known of them but "
                                      "the list that they stand in"),
                    0, style.width);
}

std::string codes_markdown(const DeviceCodes& codes) {
  CodeTable table(!codes.empty() && codes.front()->xid);
  for (const DeviceCode* code : codes) table.add(*code);
  return table.table().markdown();
}

}  // namespace aftershock::sim::cli
