#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/assert.h"
#include "reports/html/parts.h"
#include "reports/render/format.h"

namespace aftershock::reports {
namespace {

/// The word that a filter knows an answer by.
std::string charge_word(const FaultStory& fault) {
  const auto charged = std::ranges::find(fault.moves, true, &BudgetChange::charged);
  if (charged != fault.moves.end()) {
    return "charged to " + charged->budget;
  }
  return !fault.moves.empty() ? "exempt" : fault.rules.empty() ? "not answered" : "not charged";
}

std::string move_text(const BudgetChange& move) {
  std::string words = fmt::format("{} {}", move.budget, move.used);
  if (move.limit) {
    words += fmt::format(" of {}", *move.limit);
  }
  return fmt::format("{}{} ({})", move.charged ? "charged: " : "exempt: ", words, move.cause);
}

HtmlCell time_cell(std::int64_t us) {
  return {.text = format_duration(us), .sort = static_cast<double>(us)};
}

/// Each word once, in order.
std::vector<std::string> words_of(const HtmlTable& table, std::string_view facet) {
  std::set<std::string> words;
  for (const HtmlTable::Row& row : table.rows) {
    for (const auto& [name, word] : row.facets) {
      if (name == facet) {
        words.insert(word);
      }
    }
  }
  return {words.begin(), words.end()};
}

std::string moves_text(const std::vector<BudgetChange>& moves) {
  std::string words;
  for (const BudgetChange& move : moves) {
    words += (words.empty() ? "" : "; ") + move_text(move);
  }
  return words;
}

void add_step(HtmlTable& table, const RunData& run, const StepStory& step) {
  HtmlTable::Row& row = table.rows.emplace_back();
  AFTERSHOCK_ASSERT(step.rule < run.rules.size());
  const std::string& rule = run.rules[step.rule].id;
  row.cells = {time_cell(step.t_us),
               {.text = step.on.substr(step.on.find(':') + 1)},
               {.text = step.fault.empty() ? "-" : step.fault},
               {.markup = name_markup(rule)},
               {.text = step.from == step.to ? step.from : step.from + " → " + step.to},
               {.text = step.commands},
               {.text = moves_text(step.moves)}};
  row.facets = {{"rule", rule}};
}

}  // namespace

std::string answer_markup(const RunData& run, const FaultStory& fault) {
  if (fault.masked) {
    return "nothing was there to break";
  }
  if (fault.rules.empty()) {
    return "not answered";
  }
  std::string out = "<ul class=\"rules\">";
  for (const std::uint32_t index : fault.rules) {
    AFTERSHOCK_ASSERT(index < run.rules.size());
    const RuleStory& rule = run.rules[index];
    out += "<li>" + name_markup(rule.id);
    for (const BudgetChange& move : fault.moves) {
      if (move.rule == rule.id) {
        out += fmt::format(" <span class=\"{}\">{}</span>", move.charged ? "charge" : "exempt",
                           html_text(move_text(move)));
      }
    }
    out += "</li>";
  }
  return out + "</ul>";
}

std::string seen_text(const FaultStory& fault) {
  std::string words;
  for (const std::string& event : fault.seen) {
    words += (words.empty() ? "" : ", ") + event;
  }
  if (fault.detected_us) {
    words += fmt::format("{}after {}", words.empty() ? "" : ", ",
                         format_duration(*fault.detected_us - fault.t_us));
  }
  return words.empty() ? "never" : words;
}

std::string so_far(const RunData& run, std::string_view heading) {
  return fmt::format("{}{}", heading, run.read.state == ReadState::kPartial ? " so far" : "");
}

std::vector<std::size_t> faults_to_show(const RunData& run) {
  std::vector<std::size_t> order(run.faults.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
  }
  const std::size_t shown = std::min(order.size(), kFaultsShown);
  std::ranges::partial_sort(
      order, order.begin() + static_cast<std::ptrdiff_t>(shown), {},
      [&run](std::size_t i) { return std::tuple(-run.faults[i].cost_us, i); });
  order.resize(shown);
  return order;
}

void write_faults(Html& html, const RunData& run) {
  html.section("faults", "Faults");
  const std::vector<std::size_t> shown = faults_to_show(run);
  if (shown.empty()) {
    html.element("p", "No fault struck.");
    html.end_section();
    return;
  }
  if (shown.size() < run.faults.size()) {
    html.element("p", fmt::format("The {} costliest of {}; the viewer shows all:",
                                  format_count(static_cast<std::int64_t>(shown.size())),
                                  format_count(static_cast<std::int64_t>(run.faults.size()))));
    const RunData* only = &run;
    write_view_commands(html, {&only, 1});
  }
  HtmlTable table;
  table.id = "fault-table";
  table.sortable = true;
  table.caption = "Faults, the costliest first";
  table.columns = {{"Fault"},
                   {"At", true},
                   {"Kind"},
                   {"Target"},
                   {"Seen"},
                   {"Answered by"},
                   {so_far(run, "Cost"), true},
                   {so_far(run, "Rolled back"), true}};
  for (const std::size_t i : shown) {
    const FaultStory& fault = run.faults[i];
    HtmlTable::Row& row = table.rows.emplace_back();
    const auto delay_us = fault.detected_us ? *fault.detected_us - fault.t_us : -1;
    row.cells = {{.text = fault.id},
                 time_cell(fault.t_us),
                 {.text = fault.kind},
                 {.text = fault.target},
                 {.text = seen_text(fault), .sort = static_cast<double>(delay_us)},
                 {.markup = answer_markup(run, fault)},
                 time_cell(fault.cost_us),
                 time_cell(fault.lost_us)};
    row.facets = {{"kind", fault.kind}, {"charge", charge_word(fault)}};
  }
  const HtmlFilter filter{.table = table.id,
                          .what = "faults",
                          .choices = {{"kind", "Kind", words_of(table, "kind")},
                                      {"charge", "Budget", words_of(table, "charge")}}};
  filter.write(html);
  table.write(html);
  html.end_section();
}

void write_rules(Html& html, const RunData& run) {
  if (run.rules.empty()) {
    return;
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> answered(run.rules.size());
  for (const FaultStory& fault : run.faults) {
    for (const std::uint32_t rule : fault.rules) {
      ++answered[rule].first;
      answered[rule].second += fault.cost_us;
    }
  }
  html.section("rules", "Rules");
  html.element("p",
               "The rules of the policy that were used. A fault that several rules answered counts "
               "for each of them.");
  HtmlTable table;
  table.id = "rule-table";
  table.sortable = true;
  table.caption = "Rules, with what the faults cost that they answered";
  table.columns = {{"Rule"},         {"Says"},          {"Used", true},
                   {"Faults", true}, {"Charges", true}, {"Cost of those faults", true}};
  for (std::size_t i = 0; i < run.rules.size(); ++i) {
    const RuleStory& rule = run.rules[i];
    std::string says = html_text(rule.sentence);
    if (!rule.source.empty()) {
      says += fmt::format(" <span class=\"source\">{}</span>", html_text(rule.source));
    }
    HtmlTable::Row& row = table.rows.emplace_back();
    row.cells = {{.markup = name_markup(rule.id)},
                 {.markup = says.empty() ? "-" : says},
                 {.text = format_count(rule.used), .sort = rule.used},
                 {.text = format_count(answered[i].first), .sort = answered[i].first},
                 {.text = format_count(rule.charges), .sort = rule.charges},
                 time_cell(answered[i].second)};
  }
  table.write(html);
  html.end_section();
}

void write_decisions(Html& html, const RunData& run) {
  if (run.first_steps.empty()) {
    return;
  }
  html.section("decisions", "Decisions");
  html.element("p", "Decisions of the controller that answered a fault or moved a budget.");
  if (run.steps_between > 0) {
    html.element("p", fmt::format("The first {} and the last {}; {} between them are left out. The "
                                  "viewer shows all:",
                                  run.first_steps.size(), run.last_steps.size(),
                                  format_count(run.steps_between)));
    const RunData* only = &run;
    write_view_commands(html, {&only, 1});
  }
  HtmlTable table;
  table.id = "decision-table";
  table.sortable = true;
  table.caption = "Decisions, in the order of time";
  table.columns = {{"At", true}, {"Of"}, {"Fault"}, {"Rule"}, {"State"}, {"Commands"}, {"Budget"}};
  for (const StepStory& step : run.first_steps) {
    add_step(table, run, step);
  }
  for (const StepStory& step : run.last_steps) {
    add_step(table, run, step);
  }
  const HtmlFilter filter{.table = table.id,
                          .what = "decisions",
                          .choices = {{"rule", "Rule", words_of(table, "rule")}}};
  filter.write(html);
  table.write(html);
  html.end_section();
}

}  // namespace aftershock::reports
