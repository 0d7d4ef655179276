#include "sim/scenario/shape/distribution_keys.h"

#include "sim/scenario/shape/lexicals.h"

namespace aftershock::sim::scenario {
namespace {

Key positive(std::string_view name, bool required, std::string_view meaning) {
  return {name, shape::lexical(lexicals::positive_duration()), required, "", meaning};
}

const ObjectShape& exponential_keys() {
  static const ObjectShape kObject{
      "exponential", "Exponentially distributed.", {positive("mean", true, "Its mean.")}, {}};
  return kObject;
}

const ObjectShape& lognormal() {
  static const ObjectShape kObject{
      "lognormal",
      "Its logarithm is normally distributed.",
      {positive("median", false, "Its median."),
       positive("mean", false, "Its mean."),
       {"sigma", shape::number_above(0, 10), true, "", "Standard deviation of the logarithm."}},
      {{KeyRule::Kind::kExactlyOne, {"median", "mean"}}}};
  return kObject;
}

const ObjectShape& weibull() {
  static const ObjectShape kObject{
      "weibull",
      "Weibull distributed: shape below 1 fails early, above 1 wears out.",
      {positive("mean", true, "Its mean."),
       {"shape", shape::number(0.1, 1000), true, "", "Its shape parameter."}},
      {}};
  return kObject;
}

const ObjectShape& gamma() {
  static const ObjectShape kObject{
      "gamma",
      "Gamma distributed.",
      {positive("mean", true, "Its mean."),
       {"shape", shape::number(0.01, 1e6), true, "", "Its shape parameter."}},
      {}};
  return kObject;
}

const ObjectShape& law() {
  const auto duration = [] { return shape::lexical(lexicals::duration()); };
  static const ObjectShape kObject{
      "distribution",
      "A random length of time: exactly one law, and where it is cut.",
      {{"exponential", shape::object(exponential_keys()), false, "", "Exponential."},
       {"uniform", shape::list(duration(), 2, 2), false, "", "Anything between two durations."},
       {"lognormal", shape::object(lognormal()), false, "", "Lognormal."},
       {"weibull", shape::object(weibull()), false, "", "Weibull."},
       {"gamma", shape::object(gamma()), false, "", "Gamma."},
       {"empirical", shape::list(duration(), 1), false, "", "One of these, each as likely."},
       {"min", duration(), false, "", "Shorter draws are redrawn."},
       {"max", duration(), false, "", "Longer draws are redrawn."}},
      {{KeyRule::Kind::kExactlyOne,
        {"exponential", "uniform", "lognormal", "weibull", "gamma", "empirical"}}}};
  return kObject;
}

}  // namespace

Shape distribution_shape() {
  return shape::either({shape::lexical(lexicals::duration()), shape::object(law())});
}

}  // namespace aftershock::sim::scenario
