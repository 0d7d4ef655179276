#include <cmath>

#include <fmt/format.h>

#include "sim/world/summarise.h"

namespace aftershock::sim {

namespace {

std::string wanted_text(const Expectation& expectation) {
  if (expectation.is) {
    return "is " + expectation.is->dump();
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
    return wanted.is_number_integer() && got.is_number_integer()
               ? wanted.dump() == got.dump()
               : wanted.get<double>() == got.get<double>();
  }
  return nlohmann::json(got) == wanted;
}

bool holds(const Expectation& expectation, const nlohmann::ordered_json& got) {
  if (expectation.is) {
    return equal(*expectation.is, got);
  }
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

}  // namespace

std::vector<reports::ExpectResult> judge(const std::vector<Expectation>& expectations,
                                         const nlohmann::ordered_json& summary) {
  std::vector<reports::ExpectResult> results;
  for (const Expectation& expectation : expectations) {
    reports::ExpectResult result;
    result.at = expectation.at;
    result.wanted = wanted_text(expectation);
    try {
      result.got = summary.at(nlohmann::ordered_json::json_pointer(expectation.at));
      result.ok = holds(expectation, result.got);
    } catch (const nlohmann::json::exception&) {
      result.got = nullptr;  // there is nothing at that place
      result.wanted += " (there is nothing at this place of the summary)";
    }
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace aftershock::sim
