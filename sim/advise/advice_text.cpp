#include "sim/advise/advice_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "reports/render/cells_text.h"
#include "reports/render/format.h"
#include "reports/render/table.h"
#include "sim/advise/goal_columns.h"
#include "sim/advise/rate_words.h"
#include "sim/sweep/term_text.h"
#include "sim/sweep/where.h"

namespace aftershock::sim::advise {
namespace {

using reports::Colour;
using reports::Table;

std::optional<double> mean_in(const ChoiceResult& result, std::string_view metric) {
  return result.summary.columns[*reports::metric_named(metric)].mean();
}

/// Spares that stand by, in the mean over the run.
std::string idle_spares(const ChoiceResult& result) {
  const auto idle = mean_in(result, "idle_spares_us");
  const auto time = mean_in(result, "simulated_us");
  return idle && time && *time > 0 ? fmt::format("{:.1f}", *idle / *time) : "-";
}

/// The share of runs that fail or are stuck, with its interval.
std::string lost_share_text(const ChoiceResult& result) {
  const auto& alive = result.summary.alive;
  if (!alive) {
    return "-";
  }
  reports::Estimate lost{1 - alive->value, std::nullopt};
  if (alive->interval) {
    lost.interval = {1 - alive->interval->high, 1 - alive->interval->low};
  }
  return reports::probability_text(lost);
}

/// Without an interval where one run says all.
std::string useful_text(const AdviceContext& context, const ChoiceResult& result,
                        const reports::Style& style) {
  const auto& useful = result.summary.useful_share;
  return context.question.random || !useful ? reports::estimate_text(useful, style)
                                            : fmt::format("{:.4f}", useful->value);
}

/// The choices that tables show: all, or of very many the best, and those that are spoken of.
std::vector<std::size_t> shown_choices(const Advice& advice, const AdviceContext& context) {
  constexpr std::size_t kMost = 12;
  const auto& results = advice.results[0];
  std::vector<std::size_t> shown(results.size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  if (shown.size() <= kMost) {
    return shown;
  }
  const auto rank = [&](std::size_t choice) {
    const ChoiceResult& result = results[choice];
    const bool spoken_of = advice.chosen == choice || advice.present == choice ||
                           choice == (advice.chosen ? advice.best : advice.nearest);
    return std::tuple(!spoken_of, result.missed, rank_by(context.question.goal, result));
  };
  std::ranges::stable_sort(shown, {}, rank);
  shown.resize(kMost);
  std::ranges::sort(shown);
  return shown;
}

/// Of the last columns of a table of choices, those that are left out first where a terminal is too
/// narrow, from the end: formulas, idle spares, exhausted budgets, lost time, cost, ETTR.
constexpr std::array<std::size_t, 7> kLeftOut{4, 6, 1, 5, 3, 2, 7};

/// The table's columns: those in which some choice at some rate has a value, but for the first so
/// many of kLeftOut.
std::vector<std::size_t> shown_columns(const Advice& advice, const AdviceContext& context,
                                       std::size_t left_out) {
  const std::size_t all = choice_headings(context, {}).size();
  std::vector<bool> filled(all);
  for (std::size_t rate = 0; rate < advice.results.size(); ++rate) {
    for (std::size_t choice = 0; choice < context.question.choices.size(); ++choice) {
      const auto cells = choice_cells(advice, context, rate, choice, {});
      for (std::size_t i = 0; i < all; ++i) {
        filled[i] = filled[i] || cells[i] != "-";
      }
    }
  }
  for (std::size_t i = 0; i < left_out; ++i) {
    filled[all - 1 - kLeftOut[i]] = false;
  }
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < all; ++i) {
    if (filled[i]) {
      shown.push_back(i);
    }
  }
  return shown;
}

Table table_of(const Advice& advice, const AdviceContext& context, std::size_t rate,
               const std::vector<std::size_t>& choices, const std::vector<std::size_t>& shown,
               const reports::Style& style) {
  using Align = Table::Align;
  const auto row = [&shown](std::string mark, std::vector<std::string> cells) {
    std::vector<std::string> out{std::move(mark)};
    for (const std::size_t i : shown) {
      out.push_back(std::move(cells[i]));
    }
    return out;
  };
  std::vector<Table::Column> columns{{Align::kLeft}};
  for (const std::size_t i : shown) {
    const bool varied = i < context.question.choices.front().size();
    columns.push_back(
        {.align = Align::kRight, .labels = varied ? Table::Labels::kRows : Table::Labels::kNone});
  }
  Table table(columns);
  table.row(row("", choice_headings(context, style)), Colour::kHeading);
  for (const std::size_t choice : choices) {
    const bool chosen = advice.chosen == choice;
    table.row(row(chosen ? ">" : "", choice_cells(advice, context, rate, choice, style)),
              chosen ? Colour::kGood : Colour::kPlain);
  }
  return table;
}

bool is_wider(std::string_view text, std::size_t width) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (reports::display_width(line) > width) {
      return true;
    }
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return false;
}

/// As many columns as fit for every rate of failure.
std::size_t left_out(const Advice& advice, const AdviceContext& context,
                     const std::vector<std::size_t>& choices, const reports::Style& style) {
  const reports::Style plain{.color = false, .unicode = style.unicode, .width = style.width};
  const auto fits = [&](std::size_t count) {
    const auto shown = shown_columns(advice, context, count);
    for (std::size_t rate = 0; rate < advice.results.size(); ++rate) {
      const auto text = table_of(advice, context, rate, choices, shown, plain).text(plain, 1);
      if (is_wider(text, style.width)) {
        return false;
      }
    }
    return true;
  };
  std::size_t count = 0;
  while (count < kLeftOut.size() && !fits(count)) {
    ++count;
  }
  return count;
}

/// Below the tables, of the columns that are there.
std::string legend(const AdviceContext& context, const std::vector<std::size_t>& shown,
                   bool left_out) {
  const auto headings = choice_headings(context, {});
  const auto has = [&](std::string_view heading) {
    return std::ranges::any_of(shown, [&](std::size_t i) { return headings[i] == heading; });
  };
  std::string text =
      context.question.scripted
          ? "means with 95 % intervals of what is drawn beside the faults, which are one history"
      : context.question.random ? "means with 95 % intervals"
                                : "one run each, as nothing is random";
  if (has("useful")) {
    text += fmt::format("; {}", kUsefulMeaning);
  }
  if (has("ETTR")) {
    text += fmt::format("; {}", kEttrMeaning);
  }
  if (has("formula")) {
    text += "; formula: Daly with Erlang's B for ETTR, and Poisson for retries";
  }
  if (has("cost")) {
    text += "; cost: in the prices' currency";
  }
  if (has("idle")) {
    text += "; idle: spares, nodes in the mean";
  }
  return left_out ? text + "; columns that do not fit are left out: --format csv has all" : text;
}

std::string shown_tables(const Advice& advice, const AdviceContext& context,
                         const reports::Style& style) {
  const std::vector<std::size_t> choices = shown_choices(advice, context);
  const std::size_t all = context.question.choices.size();
  const std::size_t without = left_out(advice, context, choices, style);
  const std::vector<std::size_t> shown = shown_columns(advice, context, without);
  std::string out;
  for (std::size_t rate = 0; rate < advice.results.size(); ++rate) {
    out += fmt::format(
        "\n{}{}\n{}", style.paint(rate_title(advice, context.question, rate), Colour::kHeading),
        choices.size() < all
            ? fmt::format(", the best {} of {} (--json has all)", choices.size(), all)
            : std::string(),
        table_of(advice, context, rate, choices, shown, style).text(style, 1));
  }
  return out + "\n" + reports::wrapped(legend(context, shown, without > 0), 0, style.width);
}

std::string paste(const Advice& advice, const AdviceContext& context) {
  if (!advice.chosen || advice.chosen == advice.present) {
    return {};
  }
  std::string out = "try it\n  " + choice_command(context, *advice.chosen);
  out += "\nas a JSON merge patch, for a scenario that extends this one\n";
  const auto patch = choice_patch(context, *advice.chosen);
  const char* before = "  {";
  for (const auto& [key, value] : patch.items()) {
    out += fmt::format("{}\"{}\": {}", before, key, policies::text_from_json(value));
    before = ",\n   ";
  }
  out += "}\n";
  return out;
}

}  // namespace

std::vector<std::string> choice_headings(const AdviceContext& context,
                                         const reports::Style& style) {
  std::vector<std::string> headings;
  for (const auto& [name, value] : context.question.choices.front()) {
    headings.push_back(reports::printable(short_name(name), style.unicode));
  }
  for (const std::size_t place : goal_columns(context.question.goal)) {
    headings.push_back(
        reports::printable(sweep::term_title(context.question.goal.terms[place]), style.unicode));
  }
  for (const char* word : {"fails or stuck", "useful", "ETTR", "formula", "exhausted", "formula",
                           "lost", "cost", "idle", "keeps"}) {
    headings.emplace_back(word);
  }
  return headings;
}

std::vector<std::string> choice_cells(const Advice& advice, const AdviceContext& context,
                                      std::size_t rate, std::size_t choice,
                                      const reports::Style& style) {
  const ChoiceResult& result = advice.results[rate][choice];
  const bool goal = !context.question.goal.steps.empty();
  const auto lost = mean_in(result, "lost_us");
  const auto cost = mean_in(result, "cost");
  std::vector<std::string> cells;
  for (const auto& [name, value] : context.question.choices[choice]) {
    cells.push_back(reports::printable(sweep::unquoted(value), style.unicode));
  }
  for (const std::size_t place : goal_columns(context.question.goal)) {
    cells.push_back(sweep::estimate_text(context.question.goal.terms[place], result.terms[place]));
  }
  for (std::string cell :
       {lost_share_text(result), useful_text(context, result, style),
        result.summary.ettr ? fmt::format("{:.4f}", result.summary.ettr->value) : "-",
        result.formula_ettr ? fmt::format("{:.4f}", *result.formula_ettr) : "-",
        reports::probability_text(result.summary.exhausted),
        result.formula_exhausted ? reports::format_share(*result.formula_exhausted) : "-",
        lost ? reports::format_duration(std::llround(*lost)) : "-",
        cost ? reports::format_count(std::llround(*cost)) : "-", idle_spares(result),
        goal ? std::string(name_of(result.keeps)) : "-"}) {
    cells.push_back(std::move(cell));
  }
  return cells;
}

nlohmann::ordered_json choice_patch(const AdviceContext& context, std::size_t choice) {
  using Json = nlohmann::ordered_json;
  const Json after = policies::json_from_text<Json>(context.plan.cells[choice].text);
  Json patch = Json::object();
  for (const auto& [name, value] : context.question.choices[choice]) {
    if (name == "policy") {
      for (const char* list : {"jobs", "experiments"}) {
        if (after.contains(list)) patch[list] = after[list];
      }
      continue;
    }
    // Down to the value, or to the first list on the way.
    const Json* from = &after;
    Json* to = &patch;
    std::string_view rest = std::string_view(name).substr(1);
    while (from->is_object()) {
      const std::string_view part = rest.substr(0, rest.find('/'));
      std::string key;
      for (std::size_t i = 0; i < part.size(); ++i) {
        const bool escape = part[i] == '~' && i + 1 < part.size();
        key += escape ? (part[++i] == '1' ? '/' : '~') : part[i];
      }
      const auto next = from->find(key);
      if (next == from->end()) {
        (*to)[key] = nullptr;  // it was taken away
        break;
      }
      from = &*next;
      to = &(*to)[key];
      if (part.size() == rest.size() || !from->is_object()) {
        *to = *from;
        break;
      }
      rest.remove_prefix(part.size() + 1);
    }
  }
  return patch;
}

std::vector<std::string> choice_flags(const AdviceContext& context, std::size_t choice) {
  std::vector<std::string> words;
  for (const auto& [name, value] : context.question.choices[choice]) {
    const bool policy = name == "policy";
    words.emplace_back(policy ? "--policy" : "--set");
    words.push_back(policy ? value : fmt::format("{}={}", name, value));
  }
  return words;
}

std::string choice_command(const AdviceContext& context, std::size_t choice) {
  std::string out =
      fmt::format("aftershock run {}{}", reports::shell_path(context.path), context.flags);
  for (const std::string& word : choice_flags(context, choice)) {
    out += " " + reports::shell_word(word);
  }
  return out;
}

std::string advice_text(const Advice& advice, const AdviceContext& context,
                        const reports::Style& style) {
  const std::string& goal = context.question.goal.text;
  std::string out;
  // The answer is three lines, which `head -n 3` gets whole.
  std::size_t answers = style.terminal ? 0 : 3;
  for (const std::string& sentence : advice_words(advice, context)) {
    const std::string line = reports::printable(sentence, style.unicode);
    out += answers > 0 ? line + "\n" : reports::wrapped(line, 0, style.width);
    answers -= answers > 0 ? 1 : 0;
  }
  out += fmt::format(
      "\n{}: {} choice{} at {} rate{} of failure, {}{} run{} each\ngoal: {}\n",
      reports::printable(context.plan.scenario, style.unicode), context.question.choices.size(),
      context.question.choices.size() == 1 ? "" : "s", context.question.rates.size(),
      context.question.rates.size() == 1 ? "" : "s", fewer_at_others(advice) ? "up to " : "",
      reports::format_count(advice.results[0][0].summary.runs),
      advice.results[0][0].summary.runs == 1 ? "" : "s", reports::printable(goal, style.unicode));
  out += shown_tables(advice, context, style);
  if (!advice.limits.empty() || !advice.budgets.empty()) {
    out += "\nwhere the formulas know less than the simulation\n";
    for (const auto* list : {&advice.limits, &advice.budgets}) {
      for (const std::string& sentence : *list) {
        out += reports::wrapped(reports::printable(sentence, style.unicode), 2, style.width);
      }
    }
  }
  const std::string change = paste(advice, context);
  return change.empty() ? out : out + "\n" + change;
}

std::string advice_markdown(const Advice& advice, const AdviceContext& context) {
  std::vector<std::size_t> all(context.question.choices.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::string out;
  for (const std::string& sentence : advice_words(advice, context)) {
    out += reports::printable(sentence, true) + "\n\n";
  }
  for (std::size_t rate = 0; rate < advice.results.size(); ++rate) {
    out += fmt::format(
        "{}**{}**\n\n{}", rate == 0 ? "" : "\n", rate_title(advice, context.question, rate),
        table_of(advice, context, rate, all, shown_columns(advice, context, 0), {.unicode = true})
            .markdown());
  }
  return out;
}

}  // namespace aftershock::sim::advise
