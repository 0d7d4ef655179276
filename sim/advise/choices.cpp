#include "sim/advise/choices.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "policies/api/config.h"
#include "sim/advise/accepted.h"
#include "sim/advise/budget_places.h"
#include "sim/advise/job_model.h"
#include "sim/advise/policy_settings.h"
#include "sim/advise/values_beyond.h"
#include "sim/scenario/text/error.h"
#include "sim/simulate/simulate.h"
#include "sim/sweep/scale_rates.h"

namespace aftershock::sim::advise {
namespace {

/// How the word would be with a pointer in its place, and the values that it has by itself.
struct Meaning {
  std::string pointer;
  std::vector<std::string> values;
  std::string problem;  ///< no meaning, and why
};

Meaning checkpoint_meaning(const scenario::Scenario& scenario) {
  const auto model = job_model(scenario);
  if (!model) {
    return {{}, {}, "takes a scenario with one job, which saves"};
  }
  const scenario::JobSpec& job = scenario.jobs.front();
  const bool in_steps = job.checkpoint->every_steps.has_value();
  Meaning meaning;
  meaning.pointer = in_steps ? "/jobs/0/checkpoint/every_steps" : "/jobs/0/checkpoint/every";
  const RestartModel& restart = model->restart;
  const double step = static_cast<double>(job.step_us) / 1e6;
  if (!std::isfinite(restart.mtbf)) {
    meaning.problem =
        "needs a range, such as checkpoint=10min,1h: nothing fails at random here, and Daly's "
        "formula has none";
    return meaning;
  }
  const double best = daly_interval(std::max(restart.blocking, step / 10), restart.mtbf);
  // Whole minutes, as people write them, where that is all the same.
  const std::int64_t unit =
      in_steps ? 1 : grid_unit_us(job, std::llround(best * 1e6)) / job.step_us;
  const std::int64_t present = std::max<std::int64_t>(1, std::llround(restart.interval / step));
  std::set<std::int64_t> steps{present};
  for (const double times : {0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8}) {
    const double wanted = times * best / step / static_cast<double>(unit);
    const std::int64_t count = std::max<std::int64_t>(1, std::llround(wanted)) * unit;
    // A count near the present one need not be shown twice.
    if (std::abs(static_cast<double>(count - present)) > 0.05 * static_cast<double>(present)) {
      steps.insert(count);
    }
  }
  for (const std::int64_t count : steps) {
    meaning.values.push_back(in_steps ? std::to_string(count) : interval_text(count * job.step_us));
  }
  return meaning;
}

Meaning spares_meaning(const scenario::Scenario& scenario) {
  if (scenario.jobs.size() != 1) {
    return {{}, {}, "takes a scenario with one job"};
  }
  Meaning meaning;
  const std::uint32_t pool = scenario.jobs.front().pool;
  meaning.pointer = fmt::format("/cluster/pools/{}/spares", pool);
  const auto model = job_model(scenario);
  if (!model || model->in_repair <= 0) {
    meaning.problem =
        "needs a range, such as spares=0..8: no node is away for repair here, and Erlang's formula "
        "has none";
    return meaning;
  }
  constexpr double kShare = 0.001;
  constexpr std::int64_t kMostValues = 8;
  const std::int64_t present = scenario.cluster.pools[pool].spares;
  std::int64_t most = std::max<std::int64_t>(4, spares_for(2 * model->in_repair, kShare));
  // Spares count among the nodes that a pool has at most.
  const nlohmann::ordered_json::json_pointer limit(
      fmt::format("/cluster/pools/{}/max_nodes", pool));
  if (scenario.resolved->contains(limit)) {
    const scenario::PoolSpec& spec = scenario.cluster.pools[pool];
    most = std::min<std::int64_t>(most, spec.max_nodes - spec.nodes);
  }
  const std::int64_t apart = std::max<std::int64_t>(1, (most + kMostValues - 1) / kMostValues);
  std::set<std::int64_t> spares{present};
  for (std::int64_t count = 0; count <= most; count += apart) {
    spares.insert(count);
  }
  for (const std::int64_t count : spares) {
    meaning.values.push_back(std::to_string(count));
  }
  return meaning;
}

/// How many interruptions the model expects of the only job over its horizon; 0: it has none.
double interruptions(const scenario::Scenario& scenario) {
  const auto model = job_model(scenario);
  const scenario::JobSpec& job = scenario.jobs.front();
  if (!model || !std::isfinite(model->restart.mtbf)) {
    return 0;
  }
  const std::int64_t horizon_us =
      scenario.until_us ? *scenario.until_us - job.submit_us : job.steps.value_or(0) * job.step_us;
  return static_cast<double>(horizon_us) / 1e6 / model->restart.mtbf;
}

/// Limits around what is expected to be charged: those that a Poisson count exceeds with these
/// probabilities, should every interruption be charged, of those that the policy accepts. Multiples
/// of what there is where that is enough, or where the policy accepts none of them.
Meaning budget_meaning(const scenario::Scenario& scenario, const BudgetPlace& budget) {
  Meaning meaning{budget.pointer, {}, {}};
  const auto add = [&](const std::set<std::int64_t>& limits) {
    meaning.values.clear();
    for (const std::int64_t limit : limits) {
      std::string value = budget.text ? fmt::format("\"{}\"", limit) : std::to_string(limit);
      if (is_accepted(scenario, {{budget.pointer, value}})) {
        meaning.values.push_back(std::move(value));
      }
    }
  };
  const std::int64_t present = std::max<std::int64_t>(budget.limit, 1);
  const double expected = interruptions(scenario);
  if (expected > static_cast<double>(present)) {
    std::set<std::int64_t> limits{budget.limit};
    for (const double tail : {0.5, 0.2, 0.05, 0.01, 0.001}) {
      limits.insert(poisson_retries(expected, tail));
    }
    add(limits);
  }
  if (meaning.values.size() < 2) {
    add({budget.limit, present, 2 * present, 4 * present, 8 * present});
  }
  return meaning;
}

/// All meanings of a word; none where the word is unknown.
std::vector<Meaning> meanings_of(const scenario::Scenario& scenario, std::string_view word) {
  if (word == "checkpoint") {
    return {checkpoint_meaning(scenario)};
  }
  if (word == "spares") {
    return {spares_meaning(scenario)};
  }
  std::vector<Meaning> meanings;
  for (const BudgetPlace& budget : budgets_of(scenario)) {
    if (word == "budget" || word == budget.name) {
      meanings.push_back(budget_meaning(scenario, budget));
    }
  }
  if (word == "budget" && meanings.empty()) {
    meanings.push_back(
        {{}, {}, "takes a scenario with one job, whose policy has a budget that is limited"});
  }
  return meanings;
}

std::string no_choice(std::string_view text, std::string_view word,
                      const scenario::Scenario& scenario) {
  const auto words = choice_words(scenario);
  const std::vector<std::string_view> known(words.begin(), words.end());
  const std::string_view nearest = policies::nearest_name(word, known);
  return fmt::format("{}: is nothing to choose; expected POINTER=VALUES, or one of {}{}",
                     scenario::in_quotes(text), fmt::join(words, ", "),
                     nearest.empty() ? std::string() : fmt::format("; did you mean {}?", nearest));
}

/// Numbers of a budget that is written as text get their quotes.
sweep::Dimension as_written(sweep::Dimension dimension, const scenario::Scenario& scenario) {
  for (const BudgetPlace& budget : budgets_of(scenario)) {
    const auto found = std::ranges::find(dimension.names, budget.pointer);
    if (!budget.text || found == dimension.names.end()) {
      continue;
    }
    const auto place = static_cast<std::size_t>(found - dimension.names.begin());
    for (auto& point : dimension.points) {
      if (!point[place].starts_with('"')) {
        point[place] = "\"" + point[place] + "\"";
      }
    }
  }
  return dimension;
}

}  // namespace

std::vector<std::string> choice_words(const scenario::Scenario& scenario) {
  std::vector<std::string> words{"checkpoint", "spares", "budget"};
  for (const BudgetPlace& budget : budgets_of(scenario)) {
    words.push_back(budget.name);
  }
  return words;
}

std::vector<std::pair<std::string, std::string>> wider_budgets(const scenario::Scenario& scenario) {
  constexpr std::int64_t kWide = 100;
  constexpr double kTail = 0.001;
  std::vector<std::pair<std::string, std::string>> wider;
  for (const BudgetPlace& budget : budgets_of(scenario)) {
    std::int64_t limit = std::max<std::int64_t>(kWide, 10 * budget.limit);
    if (const double expected = interruptions(scenario); expected > 0) {
      limit = std::max(limit, poisson_retries(2 * expected, kTail));
    }
    for (; limit > budget.limit; limit /= 2) {
      std::string value = budget.text ? fmt::format("\"{}\"", limit) : std::to_string(limit);
      if (is_accepted(scenario, {{budget.pointer, value}})) {
        wider.emplace_back(budget.pointer, std::move(value));
        break;
      }
    }
  }
  return wider;
}

std::variant<std::vector<Choosable>, std::string> read_choices(
    const std::vector<std::string>& texts, const scenario::Scenario& scenario) {
  std::vector<Choosable> dimensions;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::string word = text.substr(0, equals);
    std::vector<std::string> ranges;
    bool by_model = false;
    if (word.starts_with('/') || word == "policy") {
      ranges.push_back(text);
    } else if (word == sweep::kRates) {
      return std::string("rates: is what every choice is tried at; expected something to choose");
    } else {
      const auto meanings = meanings_of(scenario, word);
      if (meanings.empty()) {
        return no_choice(text, word, scenario);
      }
      by_model = equals == text.npos;
      for (const Meaning& meaning : meanings) {
        if (meaning.pointer.empty() || (by_model && !meaning.problem.empty())) {
          return fmt::format("{}: {}", scenario::in_quotes(text), meaning.problem);
        }
        ranges.push_back(by_model
                             ? fmt::format("{}={}", meaning.pointer, fmt::join(meaning.values, ","))
                             : meaning.pointer + text.substr(equals));
      }
    }
    for (const std::string& range : ranges) {
      auto dimension = sweep::parse_dimension(range);
      if (auto* problem = std::get_if<std::string>(&dimension)) {
        return std::move(*problem);
      }
      dimensions.push_back(
          {as_written(std::get<sweep::Dimension>(std::move(dimension)), scenario), by_model});
      for (const std::string& name : dimensions.back().dimension.names) {
        if (name == sweep::kRates) {
          return std::string("rates: is what every choice is tried at");
        }
      }
    }
  }
  return dimensions;
}

}  // namespace aftershock::sim::advise
