#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "reports/render/format.h"
#include "reports/render/table.h"
#include "sim/import/fit.h"
#include "sim/import/moment.h"
#include "sim/scenario/faults/fault_catalogue.h"
#include "sim/scenario/text/units.h"

namespace aftershock::sim {

namespace {

using Json = nlohmann::ordered_json;

/// In scenarios: three digits that count, in the unit that they are read best in.
std::string hours_text(double hours) {
  constexpr double kHour = 3.6e9;
  constexpr double kUnits[] = {86'400e6, kHour, 60e6, 1e6};
  const double us = std::min(std::max(hours * kHour, 1.0), static_cast<double>(kHundredYearsUs));
  for (const double unit : kUnits) {
    if (us >= unit || unit == kUnits[3]) {
      const double step = unit / (us >= 100 * unit ? 1 : us >= 10 * unit ? 10 : 100);
      const auto rounded = static_cast<std::int64_t>(std::llround(us / step) * std::llround(step));
      return duration_text(std::max<std::int64_t>(rounded, 1));
    }
  }
  return {};
}

std::string parameters_of(const Fitted& fitted) {
  switch (fitted.law) {
    case Law::kExponential:
      return fmt::format("mean {}", hours_text(fitted.scale));
    case Law::kLognormal:
      return fmt::format("median {}, sigma {:.3f}", hours_text(fitted.scale), fitted.shape);
    case Law::kWeibull:
    case Law::kGamma:
      return fmt::format("mean {}, shape {:.3f}", hours_text(mean_of(fitted)), fitted.shape);
  }
  return {};
}

double three_digits(double value) { return std::round(value * 1000) / 1000; }

Json law_json(const Fitted& fitted) {
  const double shape = three_digits(fitted.shape);
  switch (fitted.law) {
    case Law::kExponential:
      return {{"exponential", {{"mean", hours_text(fitted.scale)}}}};
    case Law::kLognormal:
      return {{"lognormal", {{"median", hours_text(fitted.scale)}, {"sigma", shape}}}};
    case Law::kWeibull:
      return {{"weibull", {{"mean", hours_text(mean_of(fitted))}, {"shape", shape}}}};
    case Law::kGamma:
      return {{"gamma", {{"mean", hours_text(mean_of(fitted))}, {"shape", shape}}}};
  }
  return nullptr;
}

/// Scenarios have exponential sources.
double mean_between(const CauseFit& fit) {
  return fit.node_hours / static_cast<double>(fit.outages);
}

Json source_of(const CauseFit& fit, std::size_t number, const std::string& pool) {
  Json fault = {
      {"id", fmt::format("cause-{}", number)},
      {"kind", name_of(fit.kind)},
      {"label", fit.cause},
      {"target", "pool:" + pool},
      {"source", {{"exponential", {{"mtbf", hours_text(mean_between(fit))}, {"per", "node"}}}}}};
  if (!fit.repair.empty()) {
    fault["lasts"] = law_json(fit.repair.front());
  }
  return fault;
}

std::vector<Json> sources_of(const std::vector<CauseFit>& fits, const std::string& pool) {
  std::vector<Json> sources;
  for (std::size_t i = fits.size() > 1 ? 1 : 0; i < fits.size(); ++i) {
    sources.push_back(source_of(fits[i], sources.size() + 1, pool));
  }
  return sources;
}

std::vector<std::string> warnings_of(const CauseFit& fit) {
  std::vector<std::string> warnings;
  if (fit.between.empty()) {
    warnings.push_back(fmt::format("{}: too few to fit times between them", fit.cause));
  } else if (fit.between.front().law != Law::kExponential) {
    warnings.push_back(fmt::format(
        "{}: times between them are {} rather than exponential, as the source is (AIC {:.1f} less)",
        fit.cause, kLawNames[static_cast<std::size_t>(fit.between.front().law)],
        std::ranges::find(fit.between, Law::kExponential, &Fitted::law)->aic -
            fit.between.front().aic));
  }
  for (const auto& [what, laws] :
       {std::pair{"times between them", &fit.between}, std::pair{"repairs", &fit.repair}}) {
    if (!laws->empty() && laws->front().p < kBadFit) {
      warnings.push_back(fmt::format(
          "BAD FIT: {}: no law fits the {}; the best, {}, has p {:.4f}", fit.cause, what,
          kLawNames[static_cast<std::size_t>(laws->front().law)], laws->front().p));
    }
  }
  return warnings;
}

Json laws_json(const std::vector<Fitted>& laws) {
  Json list = Json::array();
  for (const Fitted& law : laws) {
    list.push_back({{"law", law_json(law)},
                    {"log_likelihood", law.log_likelihood},
                    {"aic", law.aic},
                    {"ks_distance", law.distance},
                    {"ks_p", law.p}});
  }
  return list;
}

void add_rows(reports::Table& table, const CauseFit& fit, std::string_view what,
              const std::vector<Fitted>& laws, const reports::Style& style) {
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const Fitted& law = laws[i];
    table.row({i == 0 ? reports::printable(fit.cause, style.unicode) : "",
               i == 0 ? std::to_string(fit.outages) : "", i == 0 ? std::string(what) : "",
               std::string(kLawNames[static_cast<std::size_t>(law.law)]), parameters_of(law),
               fmt::format("{:.1f}", law.aic), fmt::format("{:.3f}", law.distance),
               fmt::format("{:.4f}", law.p),
               i == 0 ? (law.p < kBadFit ? "best, BAD" : "best") : ""});
  }
}

}  // namespace

std::string fit_text(const std::vector<CauseFit>& fits, const std::string& pool,
                     const reports::Style& style) {
  if (fits.empty()) {
    return "no outages to fit\n";
  }
  using Align = reports::Table::Align;
  reports::Table table({{.labels = reports::Table::Labels::kRows},
                        {.align = Align::kRight},
                        {},
                        {},
                        {},
                        {.align = Align::kRight},
                        {.align = Align::kRight},
                        {.align = Align::kRight},
                        {}});
  table.row({"cause", "n", "of", "law", "parameters", "AIC", "KS", "p", ""});
  std::string warnings;
  for (const CauseFit& fit : fits) {
    add_rows(table, fit, "between", fit.between, style);
    add_rows(table, fit, "away", fit.repair, style);
    for (const std::string& warning : warnings_of(fit)) {
      warnings += "warning: " + reports::printable(warning, style.unicode) + "\n";
    }
  }
  std::string out = table.text(style, 0);
  out +=
      "between: of one node, from its return to the next; away: down to up. KS: Kolmogorov's\n"
      "distance and how probable one as large is: too high, as the parameters are fitted, and\n"
      "telling little where few ended; then go by the AIC.\n";
  out += warnings;
  out += "\"faults\": [";
  std::string separator = "\n  ";
  for (const Json& source : sources_of(fits, pool)) {
    out += separator + policies::text_from_json(source);
    separator = ",\n  ";
  }
  return out + "\n]\n";
}

Json fit_json(const std::vector<CauseFit>& fits, const std::string& pool) {
  Json json = {{"causes", Json::array()}, {"faults", sources_of(fits, pool)}};
  for (const CauseFit& fit : fits) {
    json["causes"].push_back({{"cause", fit.cause},
                              {"outages", fit.outages},
                              {"node_hours", fit.node_hours},
                              {"between", laws_json(fit.between)},
                              {"repair", laws_json(fit.repair)},
                              {"warnings", warnings_of(fit)}});
  }
  return json;
}

}  // namespace aftershock::sim
