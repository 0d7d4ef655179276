#include "sim/results/judge.h"

#include <cmath>
#include <optional>
#include <span>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"

namespace aftershock::sim::results {

namespace {

using Json = nlohmann::ordered_json;

std::string wanted_text(const scenario::Expectation& expectation) {
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
bool equal(const nlohmann::json& wanted, const Json& got) {
  if (wanted.is_number() && got.is_number()) {
    // As doubles, integers beyond 2^53 would be equal to their neighbours.
    return wanted.is_number_integer() && got.is_number_integer()
               ? policies::text_from_json(wanted) == policies::text_from_json(got)
               : wanted.get<double>() == got.get<double>();
  }
  return nlohmann::json(got) == wanted;
}

bool holds(const scenario::Expectation& expectation, const Json& got) {
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
std::string_view type_words(const Json& got) {
  switch (got.type()) {
    case Json::value_t::null:
      return "null";
    case Json::value_t::boolean:
      return "a truth value";
    case Json::value_t::string:
      return "a string: \"is\" compares those";
    case Json::value_t::array:
      return "a list";
    case Json::value_t::object:
      return "an object";
    default:
      return "a number";
  }
}

/// A metric of the whole run; null where the run did not come to it.
Json metric_json(const reports::MetricValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    return *whole;
  }
  const auto* real = std::get_if<double>(&value);
  return real == nullptr ? Json() : Json(*real);
}

/// The value at a place of the summary; null where there is none, and where users wrote a pointer
/// that is none.
const Json* value_at(const Json& summary, const std::string& pointer) {
  try {
    const Json::json_pointer at(pointer);
    return summary.contains(at) ? &summary.at(at) : nullptr;
  } catch (const Json::exception&) {
    return nullptr;
  }
}

/// A truth value counts as 1 or 0; none where the place has no number.
std::optional<double> number_at(const Json* found) {
  if (found == nullptr || !(found->is_number() || found->is_boolean())) {
    return std::nullopt;
  }
  return found->is_boolean() ? (found->get<bool>() ? 1.0 : 0.0) : found->get<double>();
}

/// Whether the condition holds of the run's numbers; `got` is those, by the names as written.
reports::ExpectResult judge_condition(const scenario::Expectation& expectation, const Json& summary,
                                      std::span<const reports::MetricValue> metrics) {
  reports::ExpectResult result;
  result.at = expectation.at;
  result.wanted = "this to hold";
  result.got = Json::object();
  const scenario::Truth truth = scenario::holds(*expectation.that, [&](const scenario::Term& term) {
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
    const Json* found = value_at(summary, term.name);
    number = number_at(found);
    if (number) {
      result.got[term.text] = *found;
    } else {
      result.got[term.text] = nullptr;
      result.wanted += fmt::format(" (there is no number at {})", term.name);
    }
    return number;
  });
  result.ok = truth == scenario::Truth::kYes;
  return result;
}

}  // namespace

std::vector<reports::ExpectResult> judge(const std::vector<scenario::Expectation>& expectations,
                                         const Json& summary,
                                         std::span<const reports::MetricValue> metrics) {
  std::vector<reports::ExpectResult> results;
  for (const scenario::Expectation& expectation : expectations) {
    if (expectation.that) {
      results.push_back(judge_condition(expectation, summary, metrics));
      continue;
    }
    reports::ExpectResult result;
    result.at = expectation.at;
    result.wanted = wanted_text(expectation);
    if (const Json* found = value_at(summary, expectation.at)) {
      result.got = *found;
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

}  // namespace aftershock::sim::results
