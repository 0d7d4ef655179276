#include "sim/scenario/shape/lexicals.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "policies/api/config.h"
#include "reports/dates/read_date.h"
#include "sim/scenario/text/error.h"

namespace aftershock::sim::scenario::lexicals {
namespace {

using Problem = std::optional<TextProblem>;

template <class T>
Problem problem_of(UnitResult<T> result) {
  if (auto* problem = std::get_if<TextProblem>(&result)) return std::move(*problem);
  return std::nullopt;
}

Problem check_duration(std::string_view text) {
  auto result = parse_duration(text);
  if (const auto* us = std::get_if<std::int64_t>(&result); us != nullptr && *us > kHundredYearsUs) {
    return TextProblem{fmt::format("{} is too long", in_quotes(text)),
                       "at most 100 years (36525d)",
                       {},
                       true,
                       true};
  }
  return problem_of(std::move(result));
}

Problem check_positive(std::string_view text, UnitResult<std::int64_t> result,
                       std::string_view expected) {
  if (const auto* value = std::get_if<std::int64_t>(&result); value != nullptr && *value == 0) {
    return TextProblem{fmt::format("{} is zero", in_quotes(text)), std::string(expected), {}, true};
  }
  return problem_of(std::move(result));
}

Problem check_positive_duration(std::string_view text) {
  if (auto problem = check_duration(text)) return problem;
  return check_positive(text, parse_duration(text), "a duration of at least \"1us\"");
}

Problem check_name(std::string_view text) {
  constexpr std::string_view kExpected = "a name without blanks, ':' and '/'";
  if (text.empty()) return TextProblem{"the name is empty", std::string(kExpected), {}};
  // Plain char has a sign on some processors and none on others.
  const bool bad = std::any_of(text.begin(), text.end(), [](unsigned char c) {
    return c <= ' ' || c == 0x7f || c == ':' || c == '/';
  });
  if (!bad) return std::nullopt;
  return TextProblem{
      fmt::format("{} cannot be a name", in_quotes(text)), std::string(kExpected), {}};
}

/// The keys that `run --json` prints, as far as an expectation may look at them.
constexpr std::array<std::string_view, 15> kSummaryKeys{
    "schema",      "scenario",     "policy",   "seed",       "verdict",
    "hash",        "simulated_us", "warnings", "jobs",       "experiments",
    "driver_runs", "cluster",      "faults",   "invariants", "events"};

Problem check_summary_pointer(std::string_view text) {
  constexpr std::string_view kExpected =
      R"(a JSON Pointer into the summary such as "/jobs/0/outcome")";
  if (!text.starts_with('/')) {
    return TextProblem{
        fmt::format("{} does not begin with \"/\"", in_quotes(text)), std::string(kExpected), {}};
  }
  for (std::size_t i = text.find('~'); i != std::string_view::npos; i = text.find('~', i + 1)) {
    if (i + 1 == text.size() || (text[i + 1] != '0' && text[i + 1] != '1')) {
      return TextProblem{
          fmt::format("{} has a \"~\" that is neither \"~0\" nor \"~1\"", in_quotes(text)),
          std::string(kExpected),
          {}};
    }
  }
  const std::string_view key = text.substr(1, text.find('/', 1) - 1);
  if (std::find(kSummaryKeys.begin(), kSummaryKeys.end(), key) != kSummaryKeys.end())
    return std::nullopt;
  return TextProblem{fmt::format("the summary has no key {}", in_quotes(key)),
                     fmt::format("one of {}", fmt::join(kSummaryKeys, ", ")),
                     std::string(policies::nearest_name(key, kSummaryKeys))};
}

Problem check_target(std::string_view text) {
  constexpr std::array<std::string_view, 12> kKinds{
      "node",       "accelerator", "rack", "pool",   "job",          "head",
      "experiment", "storage",     "link", "switch", "power_domain", "cluster"};
  constexpr std::string_view kExpected =
      "node:NAME, accelerator:NODE/INDEX, rack:POOL/INDEX, pool:NAME, job:NAME, "
      "job:NAME/rank:N, job:NAME/agent:N, head:NAME, experiment:NAME, experiment:NAME/trial:N, "
      "storage:NAME, link:PLACE/PLACE, switch:NAME, power_domain:POOL/INDEX or cluster";
  if (text == "cluster") return std::nullopt;
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) {
    return TextProblem{
        fmt::format("{} names no kind of target", in_quotes(text)), std::string(kExpected), {}};
  }
  const std::string_view kind = text.substr(0, colon);
  if (std::find(kKinds.begin(), kKinds.end(), kind) == kKinds.end()) {
    std::string nearest(policies::nearest_name(kind, kKinds));
    if (!nearest.empty()) nearest += text.substr(colon);
    return TextProblem{fmt::format("unknown kind of target {}", in_quotes(kind)),
                       std::string(kExpected), std::move(nearest)};
  }
  if (colon + 1 == text.size()) {
    return TextProblem{
        fmt::format("{} names nothing", in_quotes(text)), std::string(kExpected), {}};
  }
  return std::nullopt;
}

Problem check_fault_code(std::string_view text) {
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("_:,[]-").find(c) != std::string_view::npos;
  });
  if (plain && !text.empty()) return std::nullopt;
  return TextProblem{fmt::format("{} cannot be a device code", in_quotes(text)),
                     std::string(fault_code().phrase),
                     {}};
}

/// Two digits at `at`, or -1.
int two_digits(std::string_view text, std::size_t at) {
  const auto digit = [](char c) { return c >= '0' && c <= '9' ? c - '0' : -1; };
  const int tens = digit(text[at]);
  const int ones = digit(text[at + 1]);
  return tens < 0 || ones < 0 ? -1 : tens * 10 + ones;
}

bool is_date_time(std::string_view text) {
  if (!reports::take_date(text) || !reports::take(text, 'T') || !reports::take_clock(text)) {
    return false;
  }
  constexpr std::string_view kZone = "+08:00";
  return text == "Z" ||
         (text.size() == kZone.size() && text[3] == ':' && reports::zone_ahead_us(text));
}

Problem check_date_time(std::string_view text) {
  if (is_date_time(text)) return std::nullopt;
  TextProblem problem{fmt::format("{} is not a date and time", in_quotes(text)),
                      R"(a date, a time and a zone such as "2026-11-20T18:00:00+08:00")",
                      {}};
  constexpr std::size_t kDayAt = 8;
  if (text.size() > kDayAt + 2) {
    const int day = two_digits(text, kDayAt);
    std::string on_the_first(text);
    on_the_first.replace(kDayAt, 2, "01");
    problem.beyond_pattern = day >= 1 && day <= 31 && is_date_time(on_the_first);
  }
  return problem;
}

std::string nonzero(const std::string& pattern) { return "^(?=[0-9.]*[1-9])" + pattern.substr(1); }

}  // namespace

const Lexical& name() {
  static const Lexical kLexical{"name", "a name without blanks, ':' and '/'",
                                R"(^[^:/\u0000-\u0020\u007f]+$)", check_name};
  return kLexical;
}

const Lexical& duration() {
  static const Lexical kLexical{"duration", R"(a duration such as "90s", "30min" or "1.5h")",
                                duration_pattern(), check_duration};
  return kLexical;
}

const Lexical& positive_duration() {
  static const Lexical kLexical{"positive_duration",
                                R"(a duration above zero such as "90s", "30min" or "1.5h")",
                                nonzero(duration_pattern()), check_positive_duration};
  return kLexical;
}

const Lexical& mean_time() {
  static const Lexical kLexical{"mean_time", R"(a mean time such as "264d")",
                                nonzero(duration_pattern()), [](std::string_view text) {
                                  return check_positive(text, parse_duration(text),
                                                        "a mean time of at least \"1us\"");
                                }};
  return kLexical;
}

const Lexical& size() {
  static const Lexical kLexical{"size", R"(a size such as "512MiB" or "2TB")", size_pattern(),
                                [](std::string_view text) { return problem_of(parse_size(text)); }};
  return kLexical;
}

const Lexical& rate() {
  static const Lexical kLexical{"rate", R"(a rate such as "50GB/s" or "400Gbit/s")",
                                nonzero(rate_pattern()), [](std::string_view text) {
                                  return check_positive(text, parse_rate(text),
                                                        "a rate of at least \"1B/s\"");
                                }};
  return kLexical;
}

const Lexical& percentage() {
  static const Lexical kLexical{
      "percentage", R"(a percentage such as "50%")", percentage_pattern(),
      [](std::string_view text) { return problem_of(parse_percentage(text)); }};
  return kLexical;
}

const Lexical& failure_rate() {
  static const Lexical kLexical{
      "failure_rate", R"(a failure rate such as "3.79/1000 node-days" or "0.1/pool-day")",
      nonzero(failure_rate_pattern()),
      [](std::string_view text) { return problem_of(parse_failure_rate(text)); }};
  return kLexical;
}

const Lexical& date_time() {
  static const Lexical kLexical{
      "date_time", R"(a date, a time and a zone such as "2026-11-20T18:00:00+08:00")",
      "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
      "(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$",
      check_date_time};
  return kLexical;
}

const Lexical& target() {
  static const Lexical kLexical{
      "target", R"(a target such as "node:gpu-3" or "job:llm/rank:17")",
      "^((node|accelerator|rack|pool|job|head|experiment|storage|link|switch|power_domain)"
      ":.+|cluster)$",
      check_target};
  return kLexical;
}

const Lexical& summary_pointer() {
  static const Lexical kLexical{
      "summary_pointer", R"(a JSON Pointer into the summary such as "/jobs/0/outcome")",
      fmt::format("^/({})(/([^~/]|~[01])*)*$", fmt::join(kSummaryKeys, "|")),
      check_summary_pointer};
  return kLexical;
}

const Lexical& fault_code() {
  static const Lexical kLexical{
      "fault_code", R"(a code or its name such as "xid:94", "ascend:80E01801" or "contained_ecc")",
      R"(^[0-9A-Za-z_:,\[\]-]+$)", check_fault_code};
  return kLexical;
}

}  // namespace aftershock::sim::scenario::lexicals
