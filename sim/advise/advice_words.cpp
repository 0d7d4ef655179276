#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/render/cells_text.h"
#include "reports/render/format.h"
#include "sim/advise/advice_text.h"
#include "sim/advise/advice_warnings.h"
#include "sim/advise/assumed.h"
#include "sim/advise/cheaper.h"
#include "sim/advise/goal_columns.h"
#include "sim/advise/job_model.h"
#include "sim/advise/loss_words.h"
#include "sim/advise/tried_cures.h"
#include "sim/sweep/term_text.h"

namespace aftershock::sim::advise {
namespace {

std::string objective_value(const ChoiceResult& result, const scenario::Expression& goal) {
  const auto& objective = objective_of(goal, result);
  return sweep::value_text(goal.terms[goal.objective->term],
                           objective ? std::optional(objective->value) : std::nullopt);
}

/// The same with its interval, where it has one: "0.9382 (0.9094 to 0.9670)".
std::string objective_range(const ChoiceResult& result, const scenario::Expression& goal) {
  const auto& objective = objective_of(goal, result);
  const scenario::Term& term = goal.terms[goal.objective->term];
  return objective && objective->interval
             ? fmt::format("{} ({} to {})", objective_value(result, goal),
                           sweep::value_text(term, objective->interval->low),
                           sweep::value_text(term, objective->interval->high))
             : objective_value(result, goal);
}

std::string keeps_words(Keeps keeps) {
  switch (keeps) {
    case Keeps::kSurely:
      return "almost certainly meets the goal";
    case Keeps::kLikely:
      return "keeps the goal in these runs, and its interval leaves it open (more --runs would "
             "tell)";
    case Keeps::kUnlikely:
      return "does not keep the goal in these runs, and its interval leaves it open";
    case Keeps::kNot:
      break;
  }
  return "does not keep the goal";
}

std::string runs_words(const ChoiceResult& result) {
  return fmt::format("{} run{}", reports::format_count(result.summary.runs),
                     result.summary.runs == 1 ? "" : "s");
}

/// Behind a number of runs: where faults are the same in each, they say nothing of others.
std::string_view history_words(const AdviceQuestion& question) {
  return question.scripted ? " of one history of faults" : "";
}

/// "0.5 % (0.1 % to 1.8 %) of its runs fail or are stuck"; `counted`: of its 400 runs.
std::string survival_words(const ChoiceResult& result, bool counted = false) {
  const auto& alive = result.summary.alive;
  if (!alive) {
    return {};
  }
  if (result.summary.runs == 1) {
    return alive->value >= 1 ? "its run lives" : "its run fails or is stuck";
  }
  const std::string interval =
      alive->interval ? fmt::format(" ({} to {})", reports::format_share(1 - alive->interval->high),
                                    reports::format_share(1 - alive->interval->low))
                      : std::string();
  return fmt::format("{}{} of its {} fail or are stuck", reports::format_share(1 - alive->value),
                     interval, counted ? runs_words(result) : "runs");
}

/// The end of most of the runs in which a job fails, in words.
std::string most_common_end(const ChoiceResult& result) {
  const auto most =
      std::ranges::max_element(result.endings, {}, [](const auto& each) { return each.second; });
  if (most == result.endings.end()) {
    return {};
  }
  const std::string runs = fmt::format("{} of {} runs", reports::format_count(most->second),
                                       reports::format_count(result.summary.runs));
  constexpr std::string_view kStuck = "stuck: ";
  return most->first.starts_with(kStuck)
             ? fmt::format("{} are stuck, for {}", runs, most->first.substr(kStuck.size()))
             : fmt::format("{} end with {}", runs, most->first);
}

/// "p(exhausted) = 0.3 % (0.1 to 0.9 %); ": the condition's own quantities, where the sentence
/// about survival is not all that there is.
std::string condition_words(const ChoiceResult& result, const scenario::Expression& goal) {
  std::string words;
  for (const std::size_t place : condition_terms(goal)) {
    const scenario::Term& term = goal.terms[place];
    words += fmt::format("{} = {}; ", sweep::term_title(term),
                         sweep::estimate_text(term, result.terms[place]));
  }
  return words;
}

/// "given back at once (--set ...): 0.0 % (0.0 % to 3.7 %) of its runs fail, useful work 0.91".
std::string cure_words(const TriedCure& cure, const scenario::Expression& goal) {
  const auto& useful = cure.result.summary.useful_share;
  return fmt::format("{} ({}): {}{}{}", cure.words, cure.flags, condition_words(cure.result, goal),
                     survival_words(cure.result),
                     useful ? fmt::format(", useful work {:.4f}", useful->value) : std::string());
}

/// Behind the last of the words, which names the rule that ends runs.
void add_cures(const Advice& advice, const scenario::Expression& goal,
               std::vector<std::string>& words) {
  const ChoiceResult& without = advice.results[0][advice.chosen.value_or(advice.nearest)];
  std::vector<std::string> cures;
  std::vector<std::string> helps;
  std::vector<std::string> idle;
  for (const TriedCure& cure : advice.cures) {
    switch (help_of(cure, without)) {
      case Help::kCures:
        cures.push_back(cure_words(cure, goal));
        break;
      case Help::kHelps:
        helps.push_back(cure_words(cure, goal));
        break;
      case Help::kNot:
        idle.push_back(cure.words);
    }
  }
  constexpr std::size_t kTold = 2;
  cures.resize(std::min(cures.size(), kTold));
  helps.resize(cures.empty() ? std::min(helps.size(), kTold) : 0);
  const std::string runs = advice.cures.empty()
                               ? std::string()
                               : reports::format_count(advice.cures.front().result.summary.runs);
  const std::tuple<const std::vector<std::string>&, const char*, const char*> lists[] = {
      {cures, "A cure, tried in {} runs: {}.",
       "Cures, tried in {} runs each, the most helpful first: {}."},
      {helps, "Tried in {} runs, a help, but not surely a cure: {}.",
       "Tried in {} runs each, a help, but not surely a cure: {}."},
      {idle, "Tried in {} runs, and no help beyond chance: {}.",
       "Tried in {} runs each, and no help beyond chance: {}."}};
  for (const auto& [list, one, many] : lists) {
    if (!list.empty()) {
      words.back() += " " + fmt::format(fmt::runtime(list.size() == 1 ? one : many), runs,
                                        fmt::join(list, "; "));
    }
  }
}

/// "useful work 0.8512 (0.8490 to 0.8534)".
std::string useful_words(const ChoiceResult& result) {
  const auto& share = result.summary.useful_share;
  if (!share) {
    return "no useful work";
  }
  return share->interval ? fmt::format("useful work {:.4f} ({:.4f} to {:.4f})", share->value,
                                       share->interval->low, share->interval->high)
                         : fmt::format("useful work {:.4f}", share->value);
}

/// The objective, where it is another than useful work.
std::string objective_words(const ChoiceResult& result, const scenario::Expression& goal) {
  const scenario::Term& term = goal.terms[goal.objective->term];
  return term.name == "useful_share"
             ? std::string()
             : fmt::format("; {} = {}", sweep::term_title(term), objective_value(result, goal));
}

/// The values of one choice that another has not: "spares=2".
std::string what_differs(const sweep::Point& of, const sweep::Point& from) {
  sweep::Point differs;
  for (std::size_t i = 0; i < of.size(); ++i) {
    if (of[i].second != from[i].second) {
      differs.push_back(of[i]);
    }
  }
  return choice_label(differs);
}

/// How much more useful work the told choice brings than the scenario has now, pair by pair.
std::string gain_words(const Advice& advice, const AdviceContext& context) {
  const AdviceQuestion& question = context.question;
  const std::size_t told = advice.chosen.value_or(advice.nearest);
  if (!advice.present || !advice.gain) {
    for (std::size_t i = 0; i < question.present.size(); ++i) {
      if (!question.present[i]) {
        return fmt::format(
            "The scenario as it is was not run beside the choices: {} has no value in it.",
            question.choices.front()[i].first);
      }
    }
    return "There is nothing to say of the scenario as it is: its runs have no useful work.";
  }
  const ChoiceResult& present = advice.results[0][*advice.present];
  if (*advice.present == told) {
    return fmt::format("That is what the scenario has now: {}.", survival_words(present));
  }
  const auto& gain = *advice.gain;
  constexpr double kShown = 0.00005;
  const auto shown = [](double value) {
    return std::abs(value) < kShown ? std::string("0.0000") : fmt::format("{:+.4f}", value);
  };
  const std::string interval = gain.interval ? fmt::format(" ({} to {})", shown(gain.interval->low),
                                                           shown(gain.interval->high))
                                             : std::string();
  const bool none = std::abs(gain.interval ? gain.interval->low : gain.value) < kShown &&
                    std::abs(gain.interval ? gain.interval->high : gain.value) < kShown;
  return fmt::format(
      "Against {}: {}; {} fail or are stuck now.",
      what_differs(question.choices[*advice.present], question.choices[told]),
      none ? std::string("as much useful work")
           : fmt::format("useful work {}{}", shown(gain.value), interval),
      reports::format_share(1 - (present.summary.alive ? present.summary.alive->value : 0)));
}

/// " (of 5 alike the cheapest)": by the first of what decided.
std::string tie_words(const Advice& advice) {
  return advice.ties.empty()
             ? std::string()
             : fmt::format(" (of {} alike {})", advice.ties.size() + 1, advice.tie_by);
}

void add_failure(const Advice& advice, const AdviceContext& context,
                 std::vector<std::string>& words) {
  const ChoiceResult& nearest = advice.results[0][advice.nearest];
  const std::string label = choice_label(context.question.choices[advice.nearest]);
  const scenario::Expression& goal = context.question.goal;
  const scenario::Term& term = goal.terms[goal.objective->term];
  if (!objective_of(goal, nearest)) {
    words.push_back(fmt::format(
        "There is nothing to choose by: {} has no value in the runs of {}{}.",
        sweep::term_title(term), label,
        goal.steps.empty() ? "" : ", nor of any other choice that keeps the condition"));
    return;
  }
  words.push_back(
      fmt::format("No choice is almost certain to meet the goal. The nearest is {}{}: it {}.",
                  label, tie_words(advice), keeps_words(nearest.keeps)));
  words.push_back(fmt::format("It brings {}{}. {}", useful_words(nearest),
                              objective_words(nearest, goal), gain_words(advice, context)));
  words.push_back(fmt::format("By {}{}, {}{}.", runs_words(nearest),
                              history_words(context.question), condition_words(nearest, goal),
                              survival_words(nearest)));
  const std::string end = most_common_end(nearest);
  const std::string loss = loss_words(nearest);
  if (!end.empty() || !loss.empty()) {
    words.push_back(
        fmt::format("The limits: {}{}{}.", end, end.empty() || loss.empty() ? "" : "; ", loss));
  }
  add_cures(advice, goal, words);
}

void add_choice(const Advice& advice, const AdviceContext& context,
                std::vector<std::string>& words) {
  const AdviceQuestion& question = context.question;
  const auto label = [&](std::size_t choice) { return choice_label(question.choices[choice]); };
  const std::size_t chosen = *advice.chosen;
  const ChoiceResult& result = advice.results[0][chosen];
  words.push_back(fmt::format("{} {}{}: {}{}.", advice.present == chosen ? "Stay with" : "Choose",
                              label(chosen), tie_words(advice), useful_words(result),
                              objective_words(result, question.goal)));
  words.push_back(gain_words(advice, context));
  const std::string runs = runs_words(result);
  words.push_back(
      question.goal.steps.empty()
          ? fmt::format("By {}{}, {}.", runs, history_words(question), survival_words(result))
          : fmt::format("It {}{}: {}{}.", keeps_words(result.keeps),
                        question.scripted ? " by one history of faults" : "",
                        condition_words(result, question.goal), survival_words(result, true)));
  if (const std::string end = most_common_end(result); !end.empty()) {
    words.push_back(end + ".");
    add_cures(advice, question.goal, words);
  }
  if (const std::string loss = great_loss_words(result); !loss.empty()) {
    words.push_back(loss);
  }
  if (!advice.ties.empty()) {
    std::vector<std::size_t> alike = advice.ties;
    alike.push_back(advice.best);
    std::ranges::sort(alike);
    std::vector<std::string> names;
    std::ranges::transform(alike, std::back_inserter(names), label);
    constexpr std::size_t kShown = 6;
    const std::size_t more = names.size() > kShown ? names.size() - kShown : 0;
    names.resize(std::min(names.size(), kShown));
    words.push_back(fmt::format(
        "Run for run, {}{} are alike ({}); {} decided.", fmt::join(names, "; "),
        more == 0 ? std::string() : fmt::format(" and {} more", more),
        context.question.random
            ? "their differences are 1 % or less, and their paired 95 % intervals include zero and "
              "reach no further than 2 %, or no further than 0.1 %"
            : "they differ by 1 % or less",
        advice.tie_break));
  }
  if (std::string cheaper = cheaper_words(advice, context); !cheaper.empty()) {
    words.push_back(std::move(cheaper));
  }
  if (!advice.open.empty()) {
    words.push_back(fmt::format("Whether {}{} {} as good, {} runs cannot say: more with --runs.",
                                label(advice.open.front()),
                                advice.open.size() == 1
                                    ? std::string()
                                    : fmt::format(" and {} more", advice.open.size() - 1),
                                advice.open.size() == 1 ? "is" : "are", result.summary.runs));
  }
}

void add_other_rates(const Advice& advice, const AdviceContext& context, std::size_t choice,
                     std::vector<std::string>& words) {
  const AdviceQuestion& question = context.question;
  const scenario::Term& term = question.goal.terms[question.goal.objective->term];
  std::vector<std::string> parts;
  for (std::size_t rate = 1; rate < question.rates.size(); ++rate) {
    const ChoiceResult& result = advice.results[rate][choice];
    parts.push_back(fmt::format(
        "{} the rate {} is {}{}",
        question.rates[rate] == 0.5 ? std::string("half")
        : question.rates[rate] == 2 ? std::string("twice")
                                    : fmt::format("{} times", question.rates[rate]),
        sweep::term_title(term), objective_range(result, question.goal),
        question.goal.steps.empty() ? std::string()
                                    : fmt::format(", and it {}", keeps_words(result.keeps))));
  }
  if (!parts.empty()) {
    words.push_back(fmt::format("At {}.", fmt::join(parts, "; at ")));
  }
}

void add_daly(const AdviceContext& context, std::size_t choice, std::vector<std::string>& words) {
  const bool chosen = std::ranges::any_of(context.question.choices.front(), [](const auto& each) {
    return each.first.starts_with("/jobs/0/checkpoint/every");
  });
  const auto model = job_model(sweep::scenario_of(context.plan.cells[choice]));
  if (!chosen || !model || !std::isfinite(model->restart.mtbf)) {
    return;
  }
  const double best = daly_interval(model->restart.blocking, model->restart.mtbf);
  if (best <= 0) {
    words.emplace_back("Daly's formula has no least interval: a save costs nothing here.");
    return;
  }
  JobModel optimum = *model;
  optimum.restart.interval = best;
  words.push_back(
      fmt::format("Daly's interval for a save of {} and a failure every {} is {}, with an ETTR of "
                  "{:.4f} by the "
                  "formula; the curve is flat there.",
                  reports::format_duration(std::llround(model->restart.blocking * 1e6)),
                  reports::format_duration(std::llround(model->restart.mtbf) * 1'000'000),
                  reports::format_duration(std::llround(best) * 1'000'000), formula_ettr(optimum)));
}

}  // namespace

std::vector<std::string> advice_words(const Advice& advice, const AdviceContext& context) {
  std::vector<std::string> words;
  const std::size_t told = advice.chosen.value_or(advice.nearest);
  if (advice.chosen) {
    add_choice(advice, context, words);
  } else {
    add_failure(advice, context, words);
    if (!objective_of(context.question.goal, advice.results[0][told])) {
      return words;
    }
  }
  if (!context.question.search.empty()) {
    words.push_back(context.question.search);
  }
  add_other_rates(advice, context, told, words);
  for (const std::string& edge : advice.edges) {
    words.push_back(fmt::format("{}; better ones may lie beyond.", edge));
  }
  add_daly(context, told, words);
  std::ranges::move(advice_warnings(advice, context.question.goal), std::back_inserter(words));
  for (const std::string& assumed : assumed_words(sweep::scenario_of(context.plan.cells.front()))) {
    words.push_back(fmt::format("Assumed: {}.", assumed));
  }
  return words;
}

}  // namespace aftershock::sim::advise
