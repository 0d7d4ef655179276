#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "reports/render/format.h"
#include "reports/render/table.h"
#include "sim/import/fit.h"
#include "sim/import/import_text.h"
#include "sim/import/moment.h"
#include "sim/scenario/faults/fault_catalogue.h"
#include "sim/scenario/text/units.h"

namespace aftershock::sim::imports {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kUsPerHour = 3.6e9;
constexpr double kDayHours = 24;
constexpr double kHundredYearsHours = static_cast<double>(scenario::kHundredYearsUs) / kUsPerHour;
/// Microseconds in 64 bits end a little above.
constexpr double kMostDays = 1e8;

/// In scenarios: three digits that count, in the unit that they are read best in.
std::string hours_text(double hours) {
  constexpr double kUnits[] = {86'400e6, kUsPerHour, 60e6, 1e6};
  if (!(hours <= kMostDays * kDayHours)) {
    return fmt::format("{:.3g}d", hours / kDayHours);
  }
  const double us = std::max(hours * kUsPerHour, 1.0);
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

/// The length that a law is written with.
double written_hours(const Fitted& fitted) {
  return fitted.law == Law::kExponential || fitted.law == Law::kLognormal ? fitted.scale
                                                                          : mean_of(fitted);
}

/// Whether a fault can last as this law says (docs/scenarios.md: at most a hundred years).
bool can_be_said(const Fitted& fitted) {
  constexpr double kLeastShape = 0.1;  // of Weibull's
  constexpr double kMostSigma = 10;
  return written_hours(fitted) <= kHundredYearsHours &&
         (fitted.law != Law::kWeibull || fitted.shape >= kLeastShape) &&
         (fitted.law != Law::kLognormal || fitted.shape <= kMostSigma);
}

/// The best law for "lasts"; null: no law.
const Fitted* repair_law(const CauseFit& fit) {
  const auto found = std::ranges::find_if(fit.repair, can_be_said);
  return found == fit.repair.end() ? nullptr : &*found;
}

/// Sources are exponential ones.
Json rate_of(const CauseFit& fit) {
  const double hours = fit.node_hours / static_cast<double>(fit.begun);
  if (hours > kMostDays * kDayHours) {
    return {{"rate", fmt::format("1/{:.0f} node-days", hours / kDayHours)}};
  }
  return {{"exponential", {{"mtbf", hours_text(hours)}, {"per", "node"}}}};
}

Json source_of(const CauseFit& fit, std::size_t number, const std::string& pool) {
  Json fault = {{"id", fmt::format("cause-{}", number)},
                {"kind", scenario::name_of(fit.kind)},
                {"label", fit.cause},
                {"target", "pool:" + pool},
                {"source", rate_of(fit)}};
  if (const Fitted* law = repair_law(fit)) {
    fault["lasts"] = law_json(*law);
  }
  return fault;
}

std::vector<Json> sources_of(const std::vector<CauseFit>& fits, const std::string& pool) {
  std::vector<Json> sources;
  for (std::size_t i = fits.size() > 1 ? 1 : 0; i < fits.size(); ++i) {
    if (fits[i].begun > 0) {
      sources.push_back(source_of(fits[i], sources.size() + 1, pool));
    }
  }
  return sources;
}

std::vector<std::string> warnings_of(const CauseFit& fit) {
  std::vector<std::string> warnings;
  if (fit.begun == 0) {
    warnings.push_back(fmt::format(
        "{}: of {} outages none begins while its node is up, so that no source stands for it",
        fit.cause, fit.outages));
  } else if (fit.between.empty()) {
    warnings.push_back(fmt::format("{}: too few to fit times between them", fit.cause));
  } else if (fit.between.front().law != Law::kExponential) {
    warnings.push_back(fmt::format(
        "{}: times between them are {} rather than exponential, as the source is (AIC {:.1f} less)",
        fit.cause, kLawNames[static_cast<std::size_t>(fit.between.front().law)],
        std::ranges::find(fit.between, Law::kExponential, &Fitted::law)->aic -
            fit.between.front().aic));
  }
  if (!fit.repair.empty() && !can_be_said(fit.repair.front())) {
    const Fitted* law = repair_law(fit);
    warnings.push_back(fmt::format(
        "{}: no fault can last as the best law of repairs says, {} with {}; the source has {}",
        fit.cause, kLawNames[static_cast<std::size_t>(fit.repair.front().law)],
        parameters_of(fit.repair.front()),
        law == nullptr ? "no \"lasts\"" : kLawNames[static_cast<std::size_t>(law->law)]));
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

/// Warnings about the trace as a whole.
std::vector<std::string> warnings_of(const TraceFit& fit) {
  std::vector<std::string> warnings;
  if (!fit.at_start.empty()) {
    warnings.push_back(fmt::format("{} under way when the trace begins: in no fit ({})",
                                   fit.at_start.size() == 1
                                       ? "1 outage is"
                                       : fmt::format("{} outages are", fit.at_start.size()),
                                   lines_text(fit.at_start)));
  }
  if (!fit.overlapping.empty()) {
    warnings.push_back(fmt::format(
        "{} {} while the node is away for another ({}): their lengths count, their beginnings do "
        "not, as random sources spare nodes that are down",
        fit.overlapping.size(), fit.overlapping.size() == 1 ? "outage begins" : "outages begin",
        lines_text(fit.overlapping)));
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

reports::Table table_of(const TraceFit& trace, const reports::Style& style) {
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
  for (const CauseFit& fit : trace.causes) {
    add_rows(table, fit, "between", fit.between, style);
    add_rows(table, fit, "away", fit.repair, style);
  }
  return table;
}

}  // namespace

std::vector<std::string> fit_warnings(const TraceFit& trace) {
  std::vector<std::string> warnings = warnings_of(trace);
  for (const CauseFit& fit : trace.causes) {
    for (std::string& warning : warnings_of(fit)) {
      warnings.push_back(std::move(warning));
    }
  }
  return warnings;
}

std::string fit_text(const TraceFit& trace, const std::string& pool, const reports::Style& style) {
  std::string warnings;
  for (const std::string& warning : fit_warnings(trace)) {
    warnings += "warning: " + reports::printable(warning, style.unicode) + "\n";
  }
  if (trace.causes.empty()) {
    return warnings + "no outages to fit\n";
  }
  std::string out = table_of(trace, style).text(style, 0);
  out +=
      "between: time that a node is up, from its return to the next; away: down to up. KS:\n"
      "Kolmogorov's distance and how probable one as large is: too high, as the parameters are\n"
      "fitted, and telling little where few ended; then go by the AIC.\n";
  out += warnings;
  out += "\"faults\": [";
  std::string separator = "\n  ";
  for (const Json& source : sources_of(trace.causes, pool)) {
    out += separator + policies::text_from_json(source);
    separator = ",\n  ";
  }
  return out + "\n]\n";
}

std::string fit_markdown(const TraceFit& trace) { return table_of(trace, {}).markdown(); }

Json fit_rows(const TraceFit& trace) {
  Json rows = Json::array();
  for (const CauseFit& fit : trace.causes) {
    for (const auto& [of, laws] :
         {std::pair{"between", &fit.between}, std::pair{"away", &fit.repair}}) {
      if (laws->empty()) {
        rows.push_back({{"cause", fit.cause},
                        {"outages", fit.outages},
                        {"of", of},
                        {"law", nullptr},
                        {"length_h", nullptr},
                        {"shape", nullptr},
                        {"log_likelihood", nullptr},
                        {"aic", nullptr},
                        {"ks_distance", nullptr},
                        {"ks_p", nullptr},
                        {"best", false}});
      }
      for (const Fitted& law : *laws) {
        rows.push_back({{"cause", fit.cause},
                        {"outages", fit.outages},
                        {"of", of},
                        {"law", kLawNames[static_cast<std::size_t>(law.law)]},
                        {"length_h", written_hours(law)},
                        {"shape", law.law == Law::kExponential ? Json() : Json(law.shape)},
                        {"log_likelihood", law.log_likelihood},
                        {"aic", law.aic},
                        {"ks_distance", law.distance},
                        {"ks_p", law.p},
                        {"best", &law == &laws->front()}});
      }
    }
  }
  return rows;
}

Json fit_json(const TraceFit& trace, const std::string& pool) {
  Json json = {{"causes", Json::array()},
               {"faults", sources_of(trace.causes, pool)},
               {"at_start", {{"lines", trace.at_start}}},
               {"overlapping", {{"lines", trace.overlapping}}},
               {"warnings", warnings_of(trace)}};
  for (const CauseFit& fit : trace.causes) {
    json["causes"].push_back({{"cause", fit.cause},
                              {"outages", fit.outages},
                              {"begun", fit.begun},
                              {"node_hours", fit.node_hours},
                              {"between", laws_json(fit.between)},
                              {"repair", laws_json(fit.repair)},
                              {"warnings", warnings_of(fit)}});
  }
  return json;
}

}  // namespace aftershock::sim::imports
