#include "sim/scenario/expression/parse_expression.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "policies/api/config.h"
#include "sim/scenario/expression/expression_tokens.h"
#include "sim/scenario/expression/measure.h"

namespace aftershock::sim::scenario {
namespace {

using Kind = ExpressionStep::Kind;
using Problem = std::optional<ExpressionProblem>;

constexpr std::string_view kQuantity = "a metric, p(EVENT), or a number such as 0.9, 50% or 30min";

class Parser {
 public:
  Parser(std::vector<Token> tokens, std::string_view text, const Vocabulary& vocabulary)
      : tokens_(std::move(tokens)), vocabulary_(vocabulary) {
    result_.text = text;
  }

  std::variant<Expression, ExpressionProblem> run() {
    bool condition = false;
    if (auto problem = any(0, condition)) return std::move(*problem);
    if (token().kind == Token::Kind::kClose) return refuse("the parenthesis was not opened", "");
    if (token().kind != Token::Kind::kEnd) return unexpected("\"and\", \"or\" or the end");
    if (vocabulary_.objective && !result_.objective) {
      return refuse("the goal has nothing to reach for", R"("max METRIC" or "min METRIC" in it)");
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] const Token& token() const { return tokens_[at_]; }

  [[nodiscard]] ExpressionProblem refuse_at(std::uint32_t column, std::string message,
                                            std::string expected,
                                            std::string_view nearest = {}) const {
    return {column, {std::move(message), std::move(expected), std::string(nearest)}};
  }
  [[nodiscard]] ExpressionProblem refuse(std::string message, std::string expected,
                                         std::string_view nearest = {}) const {
    return refuse_at(token().column, std::move(message), std::move(expected), nearest);
  }
  [[nodiscard]] ExpressionProblem unexpected(std::string_view expected) const {
    constexpr std::array<std::string_view, 3> kWords{"and", "or", "not"};
    if (token().kind == Token::Kind::kEnd) {
      return refuse("the expression ends too early", std::string(expected));
    }
    const bool word = token().kind == Token::Kind::kName;
    return refuse(fmt::format("{} does not belong here", in_quotes(token().text)),
                  std::string(expected),
                  word ? policies::nearest_name(token().text, kWords) : std::string_view());
  }

  /// `condition` says whether there was one, or an objective only, which may stand on top alone.
  Problem any(int depth, bool& condition) {
    if (auto problem = all(depth, condition)) return problem;
    while (token().is("or")) {
      if (!condition) return objective_below();
      ++at_;
      if (auto problem = all(depth, condition)) return problem;
      if (!condition || (depth == 0 && result_.objective)) return objective_below();
      result_.steps.push_back({Kind::kOr});
    }
    return std::nullopt;
  }

  Problem all(int depth, bool& condition) {
    if (auto problem = one(depth, condition)) return problem;
    while (token().is("and")) {
      ++at_;
      bool another = false;
      if (auto problem = one(depth, another)) return problem;
      if (condition && another) result_.steps.push_back({Kind::kAnd});
      condition = condition || another;
    }
    return std::nullopt;
  }

  Problem one(int depth, bool& condition) {
    if (depth > kDeepestExpression) {
      return refuse(
          "the expression is too deep",
          fmt::format("at most {} of \"(\" and \"not\" within each other", kDeepestExpression));
    }
    if (token().is("max") || token().is("min")) {
      condition = false;
      return objective(depth);
    }
    condition = true;
    if (token().is("not")) {
      ++at_;
      if (auto problem = one(depth + 1, condition)) return problem;
      result_.steps.push_back({Kind::kNot});
      return std::nullopt;
    }
    if (token().kind != Token::Kind::kOpen) return comparison();
    const std::uint32_t opened = token().column;
    ++at_;
    if (auto problem = any(depth + 1, condition)) return problem;
    if (token().kind == Token::Kind::kEnd) {
      return refuse_at(opened, "the parenthesis is not closed", "\")\" before the end");
    }
    if (token().kind != Token::Kind::kClose) return unexpected("\"and\", \"or\" or \")\"");
    ++at_;
    return std::nullopt;
  }

  [[nodiscard]] ExpressionProblem objective_below() const {
    return refuse_at(result_.terms[result_.objective->term].column,
                     "an objective cannot be part of a condition",
                     "it joined to the rest by \"and\", outside of \"or\", \"not\" and "
                     "parentheses");
  }

  Problem objective(int depth) {
    if (!vocabulary_.objective) {
      return refuse(fmt::format("{} is for goals", in_quotes(token().text)),
                    "a condition; a statistic stands behind a dot, as in ettr.max");
    }
    if (result_.objective) return refuse("there is an objective already", "one in a goal");
    const bool greatest = token().text == "max";
    ++at_;
    std::uint32_t index = 0;
    if (auto problem = term(index)) return problem;
    if (result_.terms[index].kind == Term::Kind::kNumber) {
      return refuse_at(result_.terms[index].column, "a number is nothing to reach for",
                       "a metric or p(EVENT)");
    }
    result_.objective = Objective{.greatest = greatest, .term = index};
    if (depth > 0) return objective_below();
    if (token().kind == Token::Kind::kCompare) {
      return refuse("an objective is not compared", "\"and\", \"or\" or the end");
    }
    return std::nullopt;
  }

  Problem comparison() {
    constexpr std::array<std::string_view, 6> kSigns{"<", "<=", ">", ">=", "==", "!="};
    ExpressionStep step;
    if (auto problem = term(step.left)) return problem;
    if (token().kind != Token::Kind::kCompare) return unexpected("one of < <= > >= == !=");
    step.kind = static_cast<Kind>(std::ranges::find(kSigns, token().text) - kSigns.begin());
    ++at_;
    if (auto problem = term(step.right)) return problem;
    if (auto problem = check_units(result_.terms[step.left], result_.terms[step.right])) {
      return problem;
    }
    if (token().kind == Token::Kind::kCompare) {
      return refuse("a comparison has two sides", "two comparisons with \"and\" between them");
    }
    result_.steps.push_back(step);
    return std::nullopt;
  }

  [[nodiscard]] Problem check_units(const Term& left, const Term& right) const {
    const bool numbers = left.kind == Term::Kind::kNumber && right.kind == Term::Kind::kNumber;
    if (numbers) {
      return refuse_at(left.column, "two numbers are compared", "a metric or p(EVENT) on one side");
    }
    const bool metrics = left.kind != Term::Kind::kNumber && right.kind != Term::Kind::kNumber;
    if (metrics) return std::nullopt;
    const Term& number = left.kind == Term::Kind::kNumber ? left : right;
    const Term& other = left.kind == Term::Kind::kNumber ? right : left;
    if (auto problem = beyond_a_share(other, number)) {
      return ExpressionProblem{number.column, *std::move(problem)};
    }
    if (!vocabulary_.named_units) return std::nullopt;
    const Measure unit = measure_of(number);
    const Measure measured = measure_of(other);
    if (unit == Measure::kTime && measured != Measure::kTimeMetric) {
      return refuse_at(
          number.column,
          fmt::format("{} is a time, and {} is not", in_quotes(number.text), in_quotes(other.text)),
          "a number or a percentage");
    }
    if (unit == Measure::kShare && measured == Measure::kTimeMetric) {
      return refuse_at(number.column,
                       fmt::format("{} is a share, and {} a time", in_quotes(number.text),
                                   in_quotes(other.text)),
                       "a duration such as \"30min\", or microseconds");
    }
    return std::nullopt;
  }

  Problem term(std::uint32_t& index) {
    Term term;
    term.column = token().column;
    term.text = token().text;
    Problem problem;
    if (token().kind == Token::Kind::kNumber) {
      problem = number(term);
    } else if (token().is("p") && tokens_[at_ + 1].kind == Token::Kind::kOpen) {
      problem = probability(term);
    } else if (token().kind == Token::Kind::kQuoted) {
      problem = quoted(term);
    } else if (token().kind == Token::Kind::kName && !is_word(token().text)) {
      problem = metric(term);
    } else {
      return unexpected(kQuantity);
    }
    index = static_cast<std::uint32_t>(result_.terms.size());
    result_.terms.push_back(std::move(term));
    return problem;
  }

  static bool is_word(std::string_view text) {
    return text == "and" || text == "or" || text == "not" || text == "max" || text == "min";
  }

  Problem number(Term& term) {
    const std::string_view text = token().text;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), term.number);
    if (end != text.data() + text.size()) {
      const bool negative = text.front() == '-';
      const std::string_view amount = text.substr(negative ? 1 : 0);
      const bool share = amount.ends_with('%');
      auto result = share ? parse_percentage(amount) : parse_duration(amount);
      if (auto* problem = std::get_if<TextProblem>(&result)) {
        return ExpressionProblem{token().column, std::move(*problem)};
      }
      constexpr double kMillion = 1e6;
      term.number = static_cast<double>(std::get<std::int64_t>(result)) / (share ? kMillion : 1);
      if (negative) term.number = -term.number;
    } else if (code != std::errc()) {
      return refuse(fmt::format("{} is beyond what numbers can be", in_quotes(text)), "");
    }
    ++at_;
    return std::nullopt;
  }

  Problem probability(Term& term) {
    term.kind = Term::Kind::kProbability;
    if (vocabulary_.events.empty()) {
      return refuse("there is no probability here", "a value of the run");
    }
    at_ += 2;
    if (token().kind != Token::Kind::kName && token().kind != Token::Kind::kQuoted) {
      return unexpected("the name of an event");
    }
    term.name = token().text;
    term.text = fmt::format("p({})", term.name);
    if (auto problem = check_one_of(term.name, vocabulary_.events, "event")) {
      return ExpressionProblem{token().column, std::move(*problem)};
    }
    ++at_;
    if (token().kind != Token::Kind::kClose) return unexpected("\")\" behind the event");
    ++at_;
    if (auto problem = suffix(term)) return problem;
    const auto of = term.statistic.of;
    if (of != reports::Statistic::Of::kMean && of != reports::Statistic::Of::kCount) {
      return refuse_at(term.column,
                       fmt::format("{} is not a statistic of a probability", in_quotes(term.text)),
                       "p(EVENT) alone or with .ci95, .lo95, .hi95 or .n");
    }
    return std::nullopt;
  }

  Problem quoted(Term& term) {
    term.kind = Term::Kind::kMetric;
    term.name = token().text;
    if (auto problem = vocabulary_.check_metric(term.name)) {
      return ExpressionProblem{token().column, std::move(*problem)};
    }
    ++at_;
    return suffix(term);
  }

  /// The words behind p() or a quoted name.
  Problem suffix(Term& term) {
    if (token().kind != Token::Kind::kSuffix) return std::nullopt;
    const auto statistic = statistic_of(token().text.substr(1));
    if (!vocabulary_.many_runs || !statistic) return no_statistic(token().text.substr(1));
    term.statistic = *statistic;
    term.text += token().text;
    ++at_;
    return std::nullopt;
  }

  [[nodiscard]] ExpressionProblem no_statistic(std::string_view word) const {
    if (!vocabulary_.many_runs) {
      return refuse(fmt::format("one run has no {}", in_quotes(word)), "the metric alone");
    }
    constexpr std::array<std::string_view, 10> kWords{"mean", "min", "max",  "sd",   "n",
                                                      "p50",  "p99", "ci95", "lo95", "hi95"};
    return refuse(fmt::format("there is no statistic {}", in_quotes(word)),
                  std::string(kStatisticWords), policies::nearest_name(word, kWords));
  }

  /// A name, of which the last one or two parts may be a statistic.
  Problem metric(Term& term) {
    term.kind = Term::Kind::kMetric;
    const std::string_view text = token().text;
    term.name = text;
    const auto dot_before = [&](std::size_t end) {
      const std::size_t dot = end == 0 ? 0 : text.rfind('.', end - 1);
      return dot == std::string_view::npos ? 0 : dot;
    };
    const std::size_t last = dot_before(text.size());
    for (const std::size_t dot : {dot_before(last), last}) {
      if (dot == 0 || !vocabulary_.many_runs || term.name != text) continue;
      if (const auto statistic = statistic_of(text.substr(dot + 1))) {
        term.statistic = *statistic;
        term.name = text.substr(0, dot);
      }
    }
    auto unknown = vocabulary_.check_metric(term.name);
    // An unknown text behind the dot of a known name was meant as a statistic.
    for (const std::size_t dot : {last, dot_before(last)}) {
      const bool meant = vocabulary_.many_runs || statistic_of(text.substr(dot + 1));
      if (!unknown || !meant || dot == 0 || vocabulary_.check_metric(text.substr(0, dot))) continue;
      ExpressionProblem problem = no_statistic(text.substr(dot + 1));
      problem.column += static_cast<std::uint32_t>(dot + 1);
      return problem;
    }
    if (unknown) return ExpressionProblem{token().column, std::move(*unknown)};
    ++at_;
    return std::nullopt;
  }

  std::vector<Token> tokens_;
  const Vocabulary& vocabulary_;
  std::size_t at_ = 0;
  Expression result_;
};

}  // namespace

std::optional<TextProblem> check_one_of(std::string_view name,
                                        std::span<const std::string_view> known,
                                        std::string_view what) {
  if (std::ranges::find(known, name) != known.end()) return std::nullopt;
  return TextProblem{fmt::format("unknown {} {}", what, in_quotes(name)),
                     fmt::format("one of {}", fmt::join(known, ", ")),
                     std::string(policies::nearest_name(name, known))};
}

std::variant<Expression, ExpressionProblem> parse_expression(std::string_view text,
                                                             const Vocabulary& vocabulary) {
  if (text.size() > kLongestExpression) {
    return ExpressionProblem{1,
                             {fmt::format("the expression has {} bytes", text.size()),
                              fmt::format("at most {}", kLongestExpression),
                              {}}};
  }
  auto tokens = tokens_of(text);
  if (auto* problem = std::get_if<ExpressionProblem>(&tokens)) return std::move(*problem);
  return Parser(std::move(std::get<std::vector<Token>>(tokens)), text, vocabulary).run();
}

ScenarioError argument_error(std::string_view option, std::string_view text,
                             const ExpressionProblem& problem) {
  return {.file = fmt::format("{} {}", option, in_quotes(text)),
          .line = 1,
          .column = problem.column,
          .pointer = {},
          .message = problem.problem.message,
          .expected = problem.problem.expected,
          .nearest = problem.problem.nearest,
          .kind = ErrorKind::kArgument};
}

}  // namespace aftershock::sim::scenario
