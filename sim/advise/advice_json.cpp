#include <nlohmann/json.hpp>

#include "reports/results/metric_bounds.h"
#include "sim/advise/advice_text.h"
#include "sim/advise/tried_cures.h"

namespace aftershock::sim::advise {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json value_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json estimate_json(const std::optional<reports::Estimate>& estimate) {
  if (!estimate) {
    return nullptr;
  }
  Json json{{"value", estimate->value}, {"low", nullptr}, {"high", nullptr}};
  if (estimate->interval) {
    json["low"] = estimate->interval->low;
    json["high"] = estimate->interval->high;
  }
  return json;
}

Json choice_json(const ChoiceResult& result, const AdviceContext& context, std::size_t choice) {
  Json json{{"label", choice_label(context.question.choices[choice])}};
  Json& parameters = json["parameters"] = Json::object();
  for (const auto& [name, value] : context.question.choices[choice]) {
    parameters[name] = value;
  }
  json["runs"] = result.summary.runs;
  json["keeps"] = name_of(result.keeps);
  const scenario::Expression& goal = context.question.goal;
  json["objective"] = estimate_json(objective_of(goal, result));
  Json& terms = json["goal"] = Json::object();
  for (std::size_t i = 0; i < goal.terms.size(); ++i) {
    if (goal.terms[i].kind != scenario::Term::Kind::kNumber) {
      terms[goal.terms[i].text] = estimate_json(result.terms[i]);
    }
  }
  json["p_alive"] = estimate_json(result.summary.alive);
  json["p_failed"] = estimate_json(result.summary.failed);
  json["p_stuck"] = estimate_json(result.summary.stuck);
  json["useful_share"] = estimate_json(result.summary.useful_share);
  json["ettr"] = estimate_json(result.summary.ettr);
  json["ettr_by_formula"] = value_or_null(result.formula_ettr);
  json["p_exhausted"] = estimate_json(result.summary.exhausted);
  json["p_exhausted_by_formula"] = value_or_null(result.formula_exhausted);
  for (const char* metric : {"lost_us", "cost", "idle_spares_us"}) {
    const std::size_t place = *reports::metric_named(metric);
    json[metric] = estimate_json(reports::within(result.summary.columns[place].mean_estimate(),
                                                 reports::bounds_of_column(place)));
  }
  Json& verdicts = json["verdicts"] = Json::object();
  for (std::size_t i = 0; i < result.summary.verdicts.size(); ++i) {
    if (result.summary.verdicts[i] > 0) {
      verdicts[std::string(name_of(static_cast<reports::Verdict>(i)))] = result.summary.verdicts[i];
    }
  }
  json["endings"] = result.endings;
  return json;
}

}  // namespace

Json advice_json(const Advice& advice, const AdviceContext& context) {
  const AdviceQuestion& question = context.question;
  Json json{{"schema", 1},
            {"scenario", context.plan.scenario},
            {"goal", question.goal.text},
            {"runs", advice.results[0][0].summary.runs}};
  Json& rates = json["rates"] = Json::array();
  for (std::size_t rate = 0; rate < advice.results.size(); ++rate) {
    Json choices = Json::array();
    for (std::size_t choice = 0; choice < advice.results[rate].size(); ++choice) {
      choices.push_back(choice_json(advice.results[rate][choice], context, choice));
    }
    rates.push_back({{"rate", question.rates[rate]}, {"choices", std::move(choices)}});
  }
  json["chosen"] = value_or_null(advice.chosen);
  json["nearest"] = advice.chosen ? Json(nullptr) : Json(advice.nearest);
  json["best"] = advice.chosen ? Json(advice.best) : Json(nullptr);
  json["ties"] = advice.ties;
  json["tie_break"] = advice.tie_break;
  json["present"] = value_or_null(advice.present);
  Json& cures = json["cures"] = Json::array();
  const ChoiceResult& told = advice.results[0][advice.chosen.value_or(advice.nearest)];
  for (const TriedCure& cure : advice.cures) {
    cures.push_back({{"words", cure.words},
                     {"flags", cure.flags},
                     {"runs", cure.result.summary.runs},
                     {"keeps", name_of(cure.result.keeps)},
                     {"help", name_of(help_of(cure, told))},
                     {"p_alive", estimate_json(cure.result.summary.alive)},
                     {"useful_share", estimate_json(cure.result.summary.useful_share)}});
  }
  json["gain"] = estimate_json(advice.gain);
  json["edges"] = advice.edges;
  json["words"] = advice_words(advice, context);
  json["limits"] = advice.limits;
  json["budgets"] = advice.budgets;
  json["patch"] = advice.chosen ? choice_patch(context, *advice.chosen) : Json(nullptr);
  json["flags"] = advice.chosen ? Json(choice_flags(context, *advice.chosen)) : Json(nullptr);
  return json;
}

Json advice_rows(const Advice& advice, const AdviceContext& context) {
  Json rows = Json::array();
  for (std::size_t rate = 0; rate < advice.results.size(); ++rate) {
    for (std::size_t choice = 0; choice < advice.results[rate].size(); ++choice) {
      Json row{{"rate", context.question.rates[rate]}};
      row.update(choice_json(advice.results[rate][choice], context, choice));
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace aftershock::sim::advise
