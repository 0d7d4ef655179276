#include "sim/sweep/scale_rates.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "sim/scenario/text/units.h"

namespace aftershock::sim::sweep {
namespace {

using Json = nlohmann::ordered_json;

/// Twelve digits that count, and no exponent: the scenario's numbers have none. Empty: it is 0, or
/// beyond what a double holds.
std::string plain_decimal(double value) {
  constexpr int kMoreDigits = 11;
  constexpr int kMostDecimals = 17;
  if (!std::isfinite(value)) {
    return {};
  }
  const std::string scientific = fmt::format("{:.{}e}", value, kMoreDigits);
  // Without the plus, which std::from_chars does not know.
  const std::size_t at = scientific.find('e') + (scientific.find("e+") == scientific.npos ? 1 : 2);
  int exponent = 0;
  std::from_chars(scientific.data() + at, scientific.data() + scientific.size(), exponent);
  std::string text =
      fmt::format("{:.{}f}", value, std::clamp(kMoreDigits - exponent, 0, kMostDecimals));
  if (text.find('.') != text.npos) {
    text.erase(text.find_last_not_of('0') + 1);
    text.erase(text.find_last_not_of('.') + 1);
  }
  return text.find_first_not_of("0.") == text.npos ? std::string() : text;
}

/// "3.79/1000 node-days" so many times; empty where nothing is left of it.
std::string scaled_rate(const std::string& text, double factor) {
  double count = 0;
  std::from_chars(text.data(), text.data() + text.size(), count);
  const std::string number = plain_decimal(count * factor);
  return number.empty() ? number : number + text.substr(text.find('/'));
}

/// A mean time that is so many times shorter, in microseconds; empty where none is left of it.
std::string scaled_mean_time(const std::string& text, double factor) {
  const auto parsed = scenario::parse_duration(text);
  const auto* us = std::get_if<std::int64_t>(&parsed);
  const double mean_us = us == nullptr ? 0 : std::round(static_cast<double>(*us) / factor);
  return mean_us >= 1 && mean_us < 9e18 ? fmt::format("{:.0f}us", mean_us) : std::string();
}

/// Where a source says how often it strikes. Planned work has no rate.
std::vector<std::string> rate_places(const Json& source) {
  std::vector<std::string> places;
  if (source.contains("rate")) {
    places.emplace_back("/rate");
  }
  for (const char* law : {"exponential", "weibull", "lognormal", "gamma"}) {
    for (const char* key : {"mtbf", "median"}) {
      if (source.contains(law) && source[law].contains(key)) {
        places.push_back(fmt::format("/{}/{}", law, key));
      }
    }
  }
  const std::size_t gaps = source.contains("empirical") ? source["empirical"]["gaps"].size() : 0;
  for (std::size_t i = 0; i < gaps; ++i) {
    places.push_back(fmt::format("/empirical/gaps/{}", i));
  }
  return places;
}

std::string out_of_reach(const std::string& pointer, const Json& value, double factor) {
  return fmt::format("{}: {} cannot be changed {} times; expected a factor nearer to 1", pointer,
                     policies::text_from_json(value), factor);
}

}  // namespace

std::optional<double> rate_factor(std::string_view text) {
  double factor = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), factor);
  if (problem != std::errc{} || end != text.data() + text.size() || !std::isfinite(factor) ||
      factor <= 0) {
    return std::nullopt;
  }
  return factor;
}

std::optional<std::string> scale_rates(Json& scenario, double factor) {
  Json changed = scenario;
  bool any = false;
  const auto faults = changed.find("faults");
  for (std::size_t i = 0; faults != changed.end() && i < faults->size(); ++i) {
    const auto source = (*faults)[i].find("source");
    if (source == (*faults)[i].end() || source->contains("occurrences")) {
      continue;
    }
    for (const std::string& place : rate_places(*source)) {
      any = true;
      if (factor == 1) {
        continue;
      }
      Json& value = source->at(Json::json_pointer(place));
      std::string text = place == "/rate" ? scaled_rate(value.get<std::string>(), factor)
                                          : scaled_mean_time(value.get<std::string>(), factor);
      if (text.empty()) {
        return out_of_reach(fmt::format("/faults/{}/source{}", i, place), value, factor);
      }
      value = std::move(text);
    }
  }
  if (!any) {
    return std::string(
        "has no random source whose rate could be changed; rates are those of the "
        "\"source\" of faults");
  }
  scenario = std::move(changed);
  return std::nullopt;
}

}  // namespace aftershock::sim::sweep
