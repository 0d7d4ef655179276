#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "base/assert.h"
#include "reports/html/page.h"
#include "reports/html/parts.h"
#include "reports/html/report.h"
#include "reports/render/format.h"

namespace aftershock::reports {
namespace {

/// Two runs, and what each is called.
struct Comparison {
  const RunData& first;
  const RunData& second;
  std::vector<std::string> names{"A", "B"};
};

/// A fault in both runs, or in one; indices among their faults.
struct FaultInBoth {
  std::optional<std::size_t> first;
  std::optional<std::size_t> second;
};

std::string policies_of(const RunData& run) {
  std::string words;
  for (const PartStory& part : run.parts) {
    if (words.find(part.policy) == words.npos) {
      words += (words.empty() ? "" : ", ") + part.policy;
    }
  }
  return words;
}

/// The same fault has the same id in both; where an id comes twice, the n-th is beside the n-th.
std::vector<FaultInBoth> paired_faults(const RunData& first, const RunData& second) {
  std::map<std::pair<std::string, int>, std::size_t> places;
  std::map<std::string, int> seen;
  for (std::size_t i = 0; i < second.faults.size(); ++i) {
    places[{second.faults[i].id, seen[second.faults[i].id]++}] = i;
  }
  seen.clear();
  std::vector<FaultInBoth> out;
  std::vector<bool> taken(second.faults.size());
  for (std::size_t i = 0; i < first.faults.size(); ++i) {
    const auto place = places.find({first.faults[i].id, seen[first.faults[i].id]++});
    out.push_back({i, std::nullopt});
    if (place != places.end()) {
      out.back().second = place->second;
      taken[place->second] = true;
    }
  }
  for (std::size_t i = 0; i < second.faults.size(); ++i) {
    if (!taken[i]) {
      out.push_back({std::nullopt, i});
    }
  }
  return out;
}

/// The rules and charges of an answer, to tell whether two are the same.
std::string answer_words(const RunData& run, const FaultStory& fault) {
  std::string words;
  for (const std::uint32_t rule : fault.rules) {
    words += run.rules[rule].id + ";";
  }
  for (const BudgetChange& move : fault.moves) {
    words += fmt::format("{} {} {};", move.budget, move.cause, move.charged);
  }
  return words;
}

const FaultStory* fault_at(const RunData& run, const std::optional<std::size_t>& place) {
  return place ? &run.faults[*place] : nullptr;
}

std::int64_t cost_of(const FaultStory* fault) { return fault == nullptr ? 0 : fault->cost_us; }

std::string signed_duration(std::int64_t us) {
  return us == 0 ? "0 s" : (us > 0 ? "+" : "−") + format_duration(us > 0 ? us : -us);
}

std::string signed_count(std::int64_t count) {
  return count == 0 ? "0" : (count > 0 ? "+" : "−") + format_count(count > 0 ? count : -count);
}

HtmlCell duration_cell(std::int64_t us, bool is_signed = false) {
  return {.text = is_signed ? signed_duration(us) : format_duration(us),
          .sort = static_cast<double>(us)};
}

/// A word where what differs is not due to the policies alone.
void write_faults_met(Html& html, const Comparison& both) {
  const FaultsMet met = compare_faults(*both.first.recorded, *both.second.recorded);
  if (!met.is_same()) {
    html.element("p",
                 fmt::format("These runs did not meet the same faults: {} are in both, {} differ "
                             "in time, kind or place, {} are only in A, {} only in B; the first is "
                             "{}. Differences are not due to the policies alone.",
                             format_count(met.same), format_count(met.changed),
                             format_count(met.only_a), format_count(met.only_b), met.first),
                 "class=\"notice\" role=\"note\"");
  }
  if (both.first.read.state == ReadState::kPartial ||
      both.second.read.state == ReadState::kPartial) {
    html.element("p",
                 "A recording that breaks off is held against the other as far as it goes; all "
                 "figures of it are those until then.",
                 "class=\"notice\" role=\"note\"");
  }
}

void write_overview(Html& html, const Comparison& both) {
  html.section("outcome", "Outcome");
  html.raw("<div class=\"pair\">\n");
  for (const auto& [run, name] : {std::pair(&both.first, "A"), std::pair(&both.second, "B")}) {
    html.raw("<div>\n");
    html.element("h3", fmt::format("{}: {}", name, policies_of(*run)));
    write_verdict(html, *run);
    html.raw("<dl class=\"facts\">\n");
    for (const auto& [term, value] :
         {std::pair("Recording", run->path), std::pair("Scenario", run->scenario),
          std::pair("Seed", fmt::format("{}", run->seed)), std::pair("Hash", run->read.hash)}) {
      html.raw("<div>");
      html.element("dt", term);
      html.element("dd", value);
      html.raw("</div>\n");
    }
    html.raw("</dl>\n</div>\n");
  }
  html.raw("</div>\n");
  write_faults_met(html, both);
  html.element("p", "Every span, attempt and checkpoint, on a timeline:");
  const RunData* runs[] = {&both.first, &both.second};
  write_view_commands(html, runs);
  html.end_section();
}

/// Figures of both and what lies between them.
HtmlTable figures_table(const PartStory& first, const PartStory& second) {
  HtmlTable table;
  table.caption = "Results";
  const auto named = [](const char* name, const PartStory& part) {
    return fmt::format("{}{}", name, part.ended ? "" : " so far");
  };
  table.columns = {
      {"Figure"}, {named("A", first), true}, {named("B", second), true}, {"B − A", true}};
  const auto duration = [&table](const char* name, std::int64_t a_us, std::int64_t b_us) {
    table.rows.push_back({.cells = {{.text = name},
                                    {.text = format_duration(a_us)},
                                    {.text = format_duration(b_us)},
                                    {.text = signed_duration(b_us - a_us)}}});
  };
  const auto count = [&table](const std::string& name, std::int64_t a, std::int64_t b) {
    table.rows.push_back({.cells = {{.text = name},
                                    {.text = format_count(a)},
                                    {.text = format_count(b)},
                                    {.text = signed_count(b - a)}}});
  };
  const auto share = [&](const char* name, std::string (*text)(const PartStory&), double a,
                         double b) {
    table.rows.push_back({.cells = {{.text = name},
                                    {.text = text(first)},
                                    {.text = text(second)},
                                    {.text = fmt::format("{}{:.2f} points", b < a ? "−" : "+",
                                                         std::abs(b - a) * 100)}}});
  };
  const auto useful_a = useful_share_of(first);
  const auto useful_b = useful_share_of(second);
  if (useful_a && useful_b) {
    share("useful work", useful_share_text, *useful_a, *useful_b);
  }
  share("ETTR (productive by wall time)", ettr_text, ettr_of(first).value_or(0),
        ettr_of(second).value_or(0));
  duration("wall time", first.wall_us, second.wall_us);
  count("steps done", steps_told(first).value_or(0), steps_told(second).value_or(0));
  count("attempts", first.attempts, second.attempts);
  count("lost steps", first.lost_steps, second.lost_steps);
  duration("lost time", first.lost_us, second.lost_us);
  std::map<std::string, std::pair<std::string, std::string>> budgets;
  for (const BudgetStory& budget : first.budgets) {
    budgets[budget.name].first = budget_text(budget);
  }
  for (const BudgetStory& budget : second.budgets) {
    budgets[budget.name].second = budget_text(budget);
  }
  for (const auto& [name, texts] : budgets) {
    table.rows.push_back({.cells = {{.text = "budget " + name},
                                    {.text = texts.first.empty() ? "-" : texts.first},
                                    {.text = texts.second.empty() ? "-" : texts.second},
                                    {.text = ""}}});
  }
  return table;
}

void write_parts(Html& html, const Comparison& both, std::vector<Chart>& charts) {
  const std::int64_t end_us = std::max(both.first.end_us, both.second.end_us);
  std::size_t nth = 0;
  std::string left_out;
  for (const PartStory* first : parts_by_outcome(both.first)) {
    auto second = std::ranges::find(both.second.parts, first->on, &PartStory::on);
    // Where each has one job, it is the one to look at, whatever it is called.
    if (both.first.parts.size() == 1 && both.second.parts.size() == 1) {
      second = both.second.parts.begin();
    }
    if (second == both.second.parts.end() || nth == kPartsShown) {
      left_out += (left_out.empty() ? "" : ", ") + first->name;
      continue;
    }
    html.section(fmt::format("part-{}", nth), first->on.starts_with("job:")
                                                  ? "Job " + first->name
                                                  : "Experiment " + first->name);
    figures_table(*first, *second).write(html);
    html.element("h3", "A");
    write_ledger_bar(html, *first);
    html.element("h3", "B");
    write_ledger_bar(html, *second);
    const PartStory* parts[] = {first, &*second};
    ledger_table(parts, both.names).write(html);
    Chart chart = progress_chart(*first, both.first.end_us);
    Chart other = progress_chart(*second, both.second.end_us);
    if (!chart.empty() && !other.empty()) {
      chart.id = fmt::format("progress-{}", nth);
      chart.series.front().name = "A: " + policies_of(both.first);
      chart.series.push_back(std::move(other.series.front()));
      chart.series.back().name = "B: " + policies_of(both.second);
      write_figure(html, chart, end_us);
      charts.push_back(std::move(chart));
    }
    html.end_section();
    ++nth;
  }
  if (!left_out.empty()) {
    html.element("p",
                 fmt::format("Left out, as A has them alone or there are too many: {}.", left_out));
  }
}

void write_fault_row(HtmlTable& table, const Comparison& both, const FaultInBoth& pair) {
  const FaultStory* first = fault_at(both.first, pair.first);
  const FaultStory* second = fault_at(both.second, pair.second);
  const FaultStory& any = first != nullptr ? *first : *second;
  const bool same = first != nullptr && second != nullptr &&
                    answer_words(both.first, *first) == answer_words(both.second, *second);
  HtmlTable::Row& row = table.rows.emplace_back();
  const auto answer = [](const RunData& run, const FaultStory* fault) -> HtmlCell {
    return {.markup = fault == nullptr ? "was not met" : answer_markup(run, *fault)};
  };
  row.cells = {{.text = any.id},
               duration_cell(any.t_us),
               {.text = any.kind},
               {.text = any.target},
               answer(both.first, first),
               duration_cell(cost_of(first)),
               answer(both.second, second),
               duration_cell(cost_of(second)),
               duration_cell(cost_of(second) - cost_of(first), true)};
  row.facets = {{"kind", any.kind},
                {"answer", first == nullptr || second == nullptr ? "met by one alone"
                           : same                                ? "answered alike"
                                                                 : "answered otherwise"}};
}

void write_fault_pairs(Html& html, const Comparison& both) {
  html.section("faults", "Faults, and both answers");
  auto pairs = paired_faults(both.first, both.second);
  const auto apart = [&both](const FaultInBoth& pair) {
    return cost_of(fault_at(both.second, pair.second)) - cost_of(fault_at(both.first, pair.first));
  };
  std::ranges::stable_sort(pairs, std::greater{},
                           [&](const FaultInBoth& pair) { return std::abs(apart(pair)); });
  const std::size_t all = pairs.size();
  pairs.resize(std::min(all, kFaultsShown));
  if (pairs.size() < all) {
    html.element("p", fmt::format("The {} of {} whose costs are furthest apart; the viewer shows "
                                  "all.",
                                  pairs.size(), format_count(static_cast<std::int64_t>(all))));
  }
  HtmlTable table;
  table.id = "fault-table";
  table.sortable = true;
  table.caption = "Faults, those whose costs are furthest apart first";
  table.columns = {{"Fault"},       {"At", true},
                   {"Kind"},        {"Target"},
                   {"Answer of A"}, {so_far(both.first, "Cost A"), true},
                   {"Answer of B"}, {so_far(both.second, "Cost B"), true},
                   {"B − A", true}};
  std::map<std::string, std::int64_t> kinds;
  for (const FaultInBoth& pair : pairs) {
    write_fault_row(table, both, pair);
    ++kinds[table.rows.back().facets.front().second];
  }
  if (table.rows.empty()) {
    html.element("p", "No fault struck.");
    html.end_section();
    return;
  }
  HtmlFilter filter{.table = table.id, .what = "faults", .choices = {{"kind", "Kind", {}}}};
  for (const auto& [kind, count] : kinds) {
    filter.choices.front().words.push_back(kind);
  }
  filter.choices.push_back(
      {"answer", "Answer", {"answered alike", "answered otherwise", "met by one alone"}});
  filter.write(html);
  table.write(html);
  html.end_section();
}

}  // namespace

std::string comparison_page(const RunData& first, const RunData& second, const std::string& title) {
  AFTERSHOCK_ASSERT(first.recorded && second.recorded);
  const Comparison both{first, second};
  Page page;
  const std::string one = policies_of(first);
  const std::string other = policies_of(second);
  // Two runs of one policy are told apart by their files.
  page.title = !title.empty() ? title
               : one == other
                   ? fmt::format("{}: {} against {}", first.scenario, first.path, second.path)
                   : fmt::format("{}: {} against {}", first.scenario, one, other);
  page.kind = "Comparison of two runs";
  std::vector<Chart> charts;
  write_overview(page.body, both);
  write_policy_differences(page.body, first, second);
  write_parts(page.body, both, charts);
  write_fault_pairs(page.body, both);
  JsonWriter json;
  json.open_object();
  json.key("charts");
  json.open_array();
  for (const Chart& chart : charts) {
    write_chart(json, chart);
  }
  json.close_array();
  json.close_object();
  page.data = json.text();
  return page_html(page);
}

}  // namespace aftershock::reports
