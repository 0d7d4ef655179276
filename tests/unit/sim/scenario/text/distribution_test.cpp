#include "sim/scenario/distribution.h"

#include <string>

#include <gtest/gtest.h>

#include "sim/scenario/shape/check.h"
#include "sim/scenario/shape/distribution_keys.h"
#include "sim/scenario/shape/fields.h"

namespace aftershock::sim::scenario {
namespace {

using Any = decltype(Distribution::shape);

/// The distribution, or the first error.
std::variant<Distribution, std::string> read_law(const std::string& text) {
  Sources sources;
  const auto parsed = parse_located(sources, sources.add({"test", text, true}));
  const auto& value = std::get<LocatedValue>(parsed);
  ErrorList errors(sources, value);
  check_shape(distribution_shape(), value, errors);
  if (!errors.empty()) return errors.take_errors().front().message;
  Distribution distribution = read_distribution(value, errors);
  if (!errors.empty()) return errors.take_errors().front().message;
  return distribution;
}

TEST(Distribution, Laws) {
  struct Case {
    std::string text;
    Any law;
  };
  const Case cases[] = {
      {R"("90s")", Distribution::Constant{90'000'000}},
      {R"({"exponential": {"mean": "1s"}})", Distribution::Exponential{1'000'000}},
      {R"({"uniform": ["0s", "1s"]})", Distribution::Uniform{0, 1'000'000}},
      {R"({"lognormal": {"median": "1s", "sigma": 0.5}})", Distribution::Lognormal{1e6, 0.5}},
      // The mean of a lognormal is its median times exp(sigma^2 / 2).
      {R"({"lognormal": {"mean": "1s", "sigma": 2}})", Distribution::Lognormal{135'335, 2}},
      // Shape 1 is the exponential law; the gamma function at 1.5 is sqrt(pi) / 2.
      {R"({"weibull": {"mean": "1s", "shape": 1}})", Distribution::Weibull{1e6, 1}},
      {R"({"weibull": {"mean": "1s", "shape": 2}})", Distribution::Weibull{1'128'379, 2}},
      {R"({"gamma": {"mean": "1s", "shape": 4}})", Distribution::Gamma{250'000, 4}},
      {R"({"empirical": ["1s", "2s"]})", Distribution::Empirical{{1'000'000, 2'000'000}}},
  };
  for (const Case& each : cases) {
    const auto result = read_law(each.text);
    ASSERT_TRUE(std::holds_alternative<Distribution>(result))
        << each.text << ": " << std::get<std::string>(result);
    EXPECT_TRUE(std::get<Distribution>(result).shape == each.law) << each.text;
  }
}

TEST(Distribution, Cuts) {
  const auto result = read_law(R"({"exponential": {"mean": "1h"}, "min": "1min", "max": "10h"})");
  EXPECT_EQ(std::get<Distribution>(result).min_us, 60'000'000);
  EXPECT_EQ(std::get<Distribution>(result).max_us, 36'000'000'000);
  const std::string nothing = "the cut leaves less than one draw in a thousand";
  for (const char* law :
       {R"("exponential": {"mean": "1h"})", R"("uniform": ["1h", "2h"])",
        R"("lognormal": {"median": "1h", "sigma": 0.5})",
        R"("weibull": {"mean": "1h", "shape": 2})", R"("gamma": {"mean": "1h", "shape": 2})",
        R"("empirical": ["1h", "2h"])"}) {
    const auto with = [&](const std::string& cut) {
      return read_law("{" + std::string(law) + cut);
    };
    EXPECT_TRUE(std::holds_alternative<Distribution>(with(R"(, "max": "90min"})"))) << law;
    EXPECT_TRUE(std::holds_alternative<Distribution>(with(R"(, "min": "1h"})"))) << law;
    EXPECT_EQ(std::get<std::string>(with(R"(, "min": "100d"})")), nothing) << law;
    EXPECT_EQ(std::get<std::string>(with(R"(, "max": "10us"})")), nothing) << law;
  }
  EXPECT_TRUE(std::holds_alternative<Distribution>(
      read_law(R"({"empirical": ["1h", "2h"], "min": "2h", "max": "2h"})")));
}

TEST(Distribution, Refusals) {
  struct Case {
    std::string text;
    std::string message;
  };
  const Case cases[] = {
      {R"(5)", "is a number"},
      {R"({})", "a key is missing"},
      {R"({"constant": "5s"})", "a key is missing"},
      {R"({"exponential": "5s"})", "is a string"},
      {R"({"exponential": {"mean": "0s"}})", "\"0s\" is zero"},
      {R"({"uniform": ["1s"]})", "the list has 1 elements"},
      {R"({"empirical": []})", "the list has 0 elements"},
      {R"({"lognormal": {"median": "1s", "mean": "1s", "sigma": 1}})",
       "\"mean\" cannot stand beside \"median\""},
      {R"({"lognormal": {"median": "1s", "sigma": 0}})", "0 is out of range"},
      {R"({"gamma": {"mean": "1s"}})", "missing key \"shape\""},
      {R"({"exponential": {"mean": "1s"}, "min": "2s", "max": "1s"})", "\"min\" is above \"max\""},
  };
  for (const Case& each : cases) {
    const auto result = read_law(each.text);
    ASSERT_TRUE(std::holds_alternative<std::string>(result)) << each.text;
    EXPECT_EQ(std::get<std::string>(result), each.message) << each.text;
  }
}

}  // namespace
}  // namespace aftershock::sim::scenario
