#include <algorithm>

#include <fmt/format.h>

#include "reports/compare/decision_text.h"
#include "reports/html/parts.h"
#include "reports/render/format.h"

namespace aftershock::reports {
namespace {

/// At most so many settings are in the table: two scenarios may have nothing in common.
constexpr std::size_t kSettingsShown = 200;

/// A value of both runs, as markup.
struct BothSides {
  const char* name;
  std::string a;
  std::string b;
};

std::string listed(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) {
    out += "<li>" + item + "</li>";
  }
  return out.empty() ? "-" : "<ul class=\"rules\">" + out + "</ul>";
}

/// The rule with what it says.
std::string rule_markup(const RunData& run, const DecisionStep& step) {
  std::string out = name_markup(step.rule);
  const auto rule = std::ranges::find(run.rules, step.rule, &RuleStory::id);
  if (rule != run.rules.end() && !rule->sentence.empty()) {
    out += fmt::format("<br>{}", html_text(rule->sentence));
    if (!rule->source.empty()) {
      out += fmt::format(" <span class=\"source\">{}</span>", html_text(rule->source));
    }
  }
  return out;
}

std::string saw_markup(const DecisionStep& step) {
  std::vector<std::string> items;
  for (const std::string& event : step.saw) {
    items.push_back(html_text(event));
  }
  return listed(items);
}

std::string budgets_markup(const DecisionStep& step) {
  std::vector<std::string> items;
  for (const BudgetMove& move : step.budgets) {
    items.push_back(fmt::format("<span class=\"{}\">{}</span>", move.charged ? "charge" : "exempt",
                                html_text(budget_text(move, true))));
  }
  return listed(items);
}

std::string orders_markup(const DecisionStep& step) {
  std::vector<std::string> items;
  for (const OrderedCommand& command : step.commands) {
    items.push_back(html_text(command.words));
  }
  return items.empty() ? "nothing" : listed(items);
}

std::string rejected_markup(const DecisionStep& step) {
  std::vector<std::string> items;
  for (const Rejected& rejected : step.rejected) {
    items.push_back(html_text(fmt::format("{}: {}", rejected.what, rejected.why)));
  }
  return listed(items);
}

std::string state_markup(const DecisionStep& step) {
  return html_text(states_text(step, true) +
                   (step.word.empty() ? "" : fmt::format(" ({})", step.word)));
}

/// One thing of both steps; a run that had nothing further has a dash.
template <class Markup>
BothSides of_both(const char* name, const Divergence& divergence, const Markup& markup) {
  const auto of = [&markup](const std::optional<DecisionStep>& step) {
    return step ? markup(*step) : std::string("-");
  };
  return {name, of(divergence.a), of(divergence.b)};
}

void write_first(Html& html, const RunData& first, const RunData& second,
                 const Divergence& divergence) {
  html.element("p", fmt::format("At {}, {}, the controllers first did something else.",
                                format_duration(divergence.a_us), about(divergence, true)));
  std::vector<BothSides> sides;
  sides.push_back(of_both("At", divergence, [](const DecisionStep& step) {
    return html_text(format_duration(step.t_us));
  }));
  sides.push_back(of_both("Saw", divergence, saw_markup));
  const auto rule_of = [](const RunData& run, const std::optional<DecisionStep>& step) {
    return step ? rule_markup(run, *step) : std::string("nothing further");
  };
  sides.push_back({"Rule", rule_of(first, divergence.a), rule_of(second, divergence.b)});
  sides.push_back(of_both("State", divergence, state_markup));
  sides.push_back(of_both("Budgets, before and after", divergence, budgets_markup));
  sides.push_back(of_both("Orders", divergence, orders_markup));
  sides.push_back(of_both("Rejects", divergence, rejected_markup));
  HtmlTable table;
  table.id = "divergence-table";
  table.caption = "The first decision that differs";
  table.columns = {{"What"}, {"A"}, {"B"}};
  for (const BothSides& side : sides) {
    if (side.a != "-" || side.b != "-") {
      table.rows.push_back(
          {.cells = {{.text = side.name}, {.markup = side.a}, {.markup = side.b}}});
    }
  }
  table.write(html);
}

/// A table that is the same whichever run was not given what the other was.
void write_settings(Html& html, const RecordedRun& first, const RecordedRun& second) {
  auto settings = other_settings(first, second);
  if (settings.empty()) {
    html.element("p", "Both scenarios have the same settings.");
    return;
  }
  // Of very many those of policies come first.
  std::ranges::stable_partition(settings, [](const OtherSetting& setting) {
    return setting.pointer.find("/policy/") != setting.pointer.npos;
  });
  if (settings.size() > kSettingsShown) {
    html.element("p", fmt::format("{} of {} settings that differ:", kSettingsShown,
                                  format_count(static_cast<std::int64_t>(settings.size()))));
    settings.resize(kSettingsShown);
  }
  HtmlTable table;
  table.id = "setting-table";
  table.sortable = true;
  table.caption = "Settings that differ";
  table.columns = {{"Setting"}, {"A"}, {"B"}};
  const auto value = [](const std::optional<std::string>& text) {
    return HtmlCell{.text = text.value_or("not set")};
  };
  for (const OtherSetting& setting : settings) {
    table.rows.push_back(
        {.cells = {{.markup = name_markup(setting.pointer)}, value(setting.a), value(setting.b)}});
  }
  table.write(html);
}

void write_rule_use(Html& html, const RunData& first, const RunData& second) {
  struct Use {
    const RuleStory* rule = nullptr;
    std::int64_t used[2] = {0, 0};
    std::int64_t charges[2] = {0, 0};
  };
  std::vector<Use> uses;
  for (const std::size_t i : {0U, 1U}) {
    for (const RuleStory& rule : (i == 0 ? first : second).rules) {
      auto use = std::ranges::find(uses, rule.id, [](const Use& each) { return each.rule->id; });
      if (use == uses.end()) {
        use = uses.insert(uses.end(), Use{&rule});
      }
      use->used[i] += rule.used;
      use->charges[i] += rule.charges;
    }
  }
  std::erase_if(uses, [](const Use& use) {
    return use.used[0] == use.used[1] && use.charges[0] == use.charges[1];
  });
  if (uses.empty()) {
    html.element("p", "Both runs used the same rules, as often.");
    return;
  }
  HtmlTable table;
  table.id = "rule-use-table";
  table.sortable = true;
  table.caption = "Rules that one run used more often than the other";
  table.columns = {
      {"Rule"},      {"Says"}, {"Used by A", true}, {"By B", true}, {"Charges of A", true},
      {"Of B", true}};
  for (const Use& use : uses) {
    HtmlTable::Row& row = table.rows.emplace_back();
    row.cells = {{.markup = name_markup(use.rule->id)},
                 {.text = use.rule->sentence.empty() ? "-" : use.rule->sentence}};
    for (const std::int64_t count : {use.used[0], use.used[1], use.charges[0], use.charges[1]}) {
      row.cells.push_back({.text = format_count(count), .sort = static_cast<double>(count)});
    }
  }
  table.write(html);
}

}  // namespace

void write_policy_differences(Html& html, const RunData& first, const RunData& second) {
  html.section("policies", "Where they part");
  const RecordedRun& a = *first.recorded;
  const RecordedRun& b = *second.recorded;
  if (is_same_run(a, b)) {
    html.element("p", "Both are the same run, event by event.");
    html.end_section();
    return;
  }
  if (const auto divergence = first_divergence(a, b)) {
    write_first(html, first, second, *divergence);
  } else {
    html.element("p", "Both took the same decisions.");
  }
  write_settings(html, a, b);
  write_rule_use(html, first, second);
  html.end_section();
}

}  // namespace aftershock::reports
