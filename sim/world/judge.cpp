#include <cmath>
#include <optional>
#include <span>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <simdjson.h>

#include "policies/api/json_as_text.h"
#include "sim/world/summarise.h"

namespace aftershock::sim {

namespace {

std::string wanted_text(const Expectation& expectation) {
  if (expectation.is) {
    return "is " + policies::text_from_json(**expectation.is);
  }
  if (expectation.near) {
    return fmt::format("{} within {}", *expectation.near, expectation.within);
  }
  if (expectation.min && expectation.max) {
    return fmt::format("from {} to {}", *expectation.min, *expectation.max);
  }
  return expectation.min ? fmt::format("at least {}", *expectation.min)
                         : fmt::format("at most {}", *expectation.max);
}

// Numbers are equal by value: 3 in a file expects 3.0 as well.
bool equal(const nlohmann::json& wanted, const nlohmann::ordered_json& got) {
  if (wanted.is_number() && got.is_number()) {
    // As doubles, integers beyond 2^53 would be equal to their neighbours.
    return wanted.is_number_integer() && got.is_number_integer()
               ? policies::text_from_json(wanted) == policies::text_from_json(got)
               : wanted.get<double>() == got.get<double>();
  }
  return nlohmann::json(got) == wanted;
}

bool holds(const Expectation& expectation, const nlohmann::ordered_json& got) {
  if (expectation.is) {
    return equal(**expectation.is, got);
  }
  // Nothing but a number meets a bound: the expectation names a wrong place.
  if (!got.is_number()) {
    return false;
  }
  const auto value = got.get<double>();
  if (expectation.near) {
    return std::abs(value - *expectation.near) <= expectation.within;
  }
  return (!expectation.min || value >= *expectation.min) &&
         (!expectation.max || value <= *expectation.max);
}

/// The type of a value at a place where a number was expected.
std::string_view type_words(const nlohmann::ordered_json& got) {
  switch (got.type()) {
    case nlohmann::ordered_json::value_t::null:
      return "null";
    case nlohmann::ordered_json::value_t::boolean:
      return "a truth value";
    case nlohmann::ordered_json::value_t::string:
      return "a string: \"is\" compares those";
    case nlohmann::ordered_json::value_t::array:
      return "a list";
    case nlohmann::ordered_json::value_t::object:
      return "an object";
    default:
      return "a number";
  }
}

/// A metric of the whole run; null where the run did not come to it.
nlohmann::ordered_json metric_json(const reports::MetricValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    return *whole;
  }
  const auto* real = std::get_if<double>(&value);
  return real == nullptr ? nlohmann::ordered_json() : nlohmann::ordered_json(*real);
}

/// Whether the condition holds of the run's numbers; `got` is those, by the names as written.
reports::ExpectResult judge_condition(const Expectation& expectation,
                                      const simdjson::dom::element& summary,
                                      std::span<const reports::MetricValue> metrics) {
  reports::ExpectResult result;
  result.at = expectation.at;
  result.wanted = "this to hold";
  result.got = nlohmann::ordered_json::object();
  const Truth truth = holds(*expectation.that, [&](const Term& term) {
    simdjson::dom::element found;
    std::optional<double> number;
    if (!term.name.starts_with('/')) {
      const reports::MetricValue& value = metrics[*reports::metric_named(term.name)];
      result.got[term.text] = metric_json(value);
      number = reports::number_of(value);
      if (!number) {
        result.wanted += fmt::format(" (the run did not come to {})", term.name);
      }
      return number;
    }
    if (summary.at_pointer(term.name).get(found) == simdjson::SUCCESS &&
        (found.is_number() || found.is_bool())) {
      number =
          found.is_bool() ? (found.get_bool().value() ? 1.0 : 0.0) : found.get_double().value();
      result.got[term.text] =
          policies::json_from_text<nlohmann::ordered_json>(simdjson::minify(found));
    } else {
      result.got[term.text] = nullptr;
      result.wanted += fmt::format(" (there is no number at {})", term.name);
    }
    return number;
  });
  result.ok = truth == Truth::kYes;
  return result;
}

}  // namespace

std::vector<reports::ExpectResult> judge(const std::vector<Expectation>& expectations,
                                         std::string_view summary,
                                         std::span<const reports::MetricValue> metrics) {
  std::vector<reports::ExpectResult> results;
  simdjson::dom::parser parser;
  const simdjson::dom::element whole = parser.parse(summary.data(), summary.size());
  for (const Expectation& expectation : expectations) {
    if (expectation.that) {
      results.push_back(judge_condition(expectation, whole, metrics));
      continue;
    }
    reports::ExpectResult result;
    result.at = expectation.at;
    result.wanted = wanted_text(expectation);
    simdjson::dom::element found;
    if (whole.at_pointer(expectation.at).get(found) == simdjson::SUCCESS) {
      result.got = policies::json_from_text<nlohmann::ordered_json>(simdjson::minify(found));
      result.ok = holds(expectation, result.got);
      if (!expectation.is && !result.got.is_number()) {
        result.wanted += fmt::format(" (a number, and this is {})", type_words(result.got));
      }
    } else {
      result.got = nullptr;
      result.wanted += " (there is nothing at this place of the summary)";
    }
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace aftershock::sim
