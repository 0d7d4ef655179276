#include "sim/advise/advice_text.h"

#include <algorithm>
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
#include "sim/sweep/term_text.h"

namespace aftershock::sim {
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

Table table_of(const Advice& advice, const AdviceContext& context, std::size_t rate,
               const std::vector<std::size_t>& shown, const reports::Style& style) {
  using Align = Table::Align;
  std::vector<Table::Column> columns{{Align::kLeft}};
  std::vector<std::string> heading{""};
  for (std::string& word : choice_headings(context, style)) {
    const bool varied = heading.size() <= context.question.choices.front().size();
    columns.push_back(
        {.align = Align::kRight, .labels = varied ? Table::Labels::kRows : Table::Labels::kNone});
    heading.push_back(std::move(word));
  }
  Table table(columns);
  table.row(heading, Colour::kHeading);
  for (const std::size_t choice : shown) {
    const bool chosen = advice.chosen == choice;
    auto cells = choice_cells(advice, context, rate, choice, style);
    cells.insert(cells.begin(), chosen ? ">" : "");
    table.row(std::move(cells), chosen ? Colour::kGood : Colour::kPlain);
  }
  return table;
}

std::string shown_table(const Advice& advice, const AdviceContext& context, std::size_t rate,
                        const reports::Style& style) {
  const std::vector<std::size_t> shown = shown_choices(advice, context);
  const std::size_t all = context.question.choices.size();
  return fmt::format(
      "{}{}\n{}", style.paint(rate_words(context.question.rates[rate]), Colour::kHeading),
      shown.size() < all ? fmt::format(", the best {} of {} (--json has all)", shown.size(), all)
                         : std::string(),
      table_of(advice, context, rate, shown, style).text(style, 1));
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

std::string rate_words(double rate) {
  return rate == 1     ? std::string("failures as they are")
         : rate == 0.5 ? std::string("half as many failures")
         : rate == 2   ? std::string("twice as many failures")
                       : fmt::format("{} times as many failures", rate);
}

std::vector<std::string> choice_headings(const AdviceContext& context,
                                         const reports::Style& style) {
  std::vector<std::string> headings;
  for (const auto& [name, value] : context.question.choices.front()) {
    headings.push_back(reports::printable(short_name(name), style.unicode));
  }
  for (const std::size_t place : goal_columns(context.question.goal)) {
    headings.push_back(reports::printable(context.question.goal.terms[place].text, style.unicode));
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
    cells.push_back(reports::printable(shown_value(value), style.unicode));
  }
  for (const std::size_t place : goal_columns(context.question.goal)) {
    cells.push_back(estimate_text(context.question.goal.terms[place], result.terms[place]));
  }
  for (std::string cell :
       {lost_share_text(result), reports::estimate_text(result.summary.useful_share, style),
        result.summary.ettr ? fmt::format("{:.4f}", result.summary.ettr->value) : "-",
        result.formula_ettr ? fmt::format("{:.4f}", *result.formula_ettr) : "-",
        reports::probability_text(result.summary.exhausted),
        result.formula_exhausted ? share_text(*result.formula_exhausted) : "-",
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
  for (const std::string& sentence : advice_words(advice, context)) {
    out += reports::wrapped(reports::printable(sentence, style.unicode), 0, style.width);
  }
  out +=
      fmt::format("\n{}: {} choice{} at {} rate{} of failure, {} runs each\ngoal: {}\n",
                  reports::printable(context.plan.scenario, style.unicode),
                  context.question.choices.size(), context.question.choices.size() == 1 ? "" : "s",
                  context.question.rates.size(), context.question.rates.size() == 1 ? "" : "s",
                  reports::format_count(advice.results[0][0].summary.runs),
                  reports::printable(goal, style.unicode));
  for (std::size_t rate = 0; rate < advice.results.size(); ++rate) {
    out += "\n" + shown_table(advice, context, rate, style);
  }
  out += "\n" + reports::wrapped(
                    "means with 95 % intervals; formula: Daly with Erlang's B for ETTR, and "
                    "Poisson for retries; cost: in the prices' currency; idle: spares, nodes in "
                    "the mean",
                    0, style.width);
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
  for (std::size_t rate = 0; rate < advice.results.size(); ++rate) {
    out += fmt::format("{}**{}**\n\n{}", rate == 0 ? "" : "\n",
                       rate_words(context.question.rates[rate]),
                       table_of(advice, context, rate, all, {.unicode = true}).markdown());
  }
  return out;
}

}  // namespace aftershock::sim
