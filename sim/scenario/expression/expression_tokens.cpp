#include "sim/scenario/expression/expression_tokens.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace aftershock::sim::scenario {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::variant<std::vector<Token>, ExpressionProblem> run() {
    while (at_ < text_.size()) {
      if (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n') {
        ++at_;
      } else if (auto problem = next()) {
        return std::move(*problem);
      }
    }
    add(Token::Kind::kEnd, at_);
    return std::move(tokens_);
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void add(Token::Kind kind, std::size_t end) {
    tokens_.push_back({kind, text_.substr(at_, end - at_), column()});
    at_ = end;
  }

  /// Columns are characters: what continues one in UTF-8 does not count.
  [[nodiscard]] std::uint32_t column() {
    for (; counted_ < at_; ++counted_) {
      if ((static_cast<unsigned char>(text_[counted_]) & 0xC0U) != 0x80U) ++column_;
    }
    return column_;
  }

  ExpressionProblem refuse(std::string message, std::string expected, std::string nearest = {}) {
    return {column(), {std::move(message), std::move(expected), std::move(nearest)}};
  }

  template <class Wanted>
  [[nodiscard]] std::size_t end_of(Wanted wanted) const {
    std::size_t end = at_;
    while (end < text_.size() && wanted(text_[end])) ++end;
    return end;
  }

  /// The end of digits, a fraction, an exponent and a unit.
  [[nodiscard]] std::size_t end_of_number() const {
    std::size_t end = at_ + (peek() == '-' ? 1 : 0);
    for (; end < text_.size(); ++end) {
      const char c = text_[end];
      const bool sign = (c == '-' || c == '+') && (text_[end - 1] == 'e' || text_[end - 1] == 'E');
      if (!is_digit(c) && !is_letter(c) && c != '.' && c != '%' && !sign) break;
    }
    return end;
  }

  std::optional<ExpressionProblem> next() {
    const char c = peek();
    const auto in_name = [](char letter) {
      return is_letter(letter) || is_digit(letter) || letter == '.' || letter == '-';
    };
    const auto in_pointer = [&](char letter) {
      return in_name(letter) || letter == '/' || letter == '~' || letter == ':';
    };
    if (c == '(' || c == ')') {
      add(c == '(' ? Token::Kind::kOpen : Token::Kind::kClose, at_ + 1);
    } else if (is_digit(c) || (c == '-' && is_digit(peek(1)))) {
      add(Token::Kind::kNumber, end_of_number());
    } else if (is_letter(c)) {
      add(Token::Kind::kName, end_of(in_name));
    } else if (c == '/') {
      add(Token::Kind::kName, end_of(in_pointer));
    } else if (c == '.' && is_letter(peek(1))) {
      add(Token::Kind::kSuffix, end_of(in_name));
    } else if (c == '"' || c == '\'') {
      return quoted(c);
    } else {
      return comparison();
    }
    return std::nullopt;
  }

  std::optional<ExpressionProblem> quoted(char quote) {
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) {
      return refuse("the quote has no end", fmt::format("a {} behind the name", quote));
    }
    if (end == at_ + 1) return refuse("the quotes are empty", "the name of a metric");
    const std::uint32_t column_of_quote = column();
    tokens_.push_back(
        {Token::Kind::kQuoted, text_.substr(at_ + 1, end - at_ - 1), column_of_quote});
    at_ = end + 1;
    return std::nullopt;
  }

  std::optional<ExpressionProblem> comparison() {
    constexpr std::array<std::string_view, 6> kKnown{"<=", ">=", "==", "!=", "<", ">"};
    constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kHabits{
        {{"=<", "<="},
         {"=>", ">="},
         {"<>", "!="},
         {"=", "=="},
         {"!", "not"},
         {"&&", "and"},
         {"&", "and"},
         {"||", "or"},
         {"|", "or"},
         {"\xE2\x89\xA4", "<="},
         {"\xE2\x89\xA5", ">="}}};
    const std::string_view rest = text_.substr(at_);
    const auto begins = [&](std::string_view word) { return rest.starts_with(word); };
    const auto habit =
        std::ranges::find_if(kHabits, [&](auto& pair) { return begins(pair.first); });
    const auto known = std::ranges::find_if(kKnown, begins);
    // "<>" begins like "<" and "!=" like "!": the longer one is meant.
    const std::size_t length = known == kKnown.end() ? 0 : known->size();
    if (habit != kHabits.end() && habit->first.size() > length) {
      return refuse(fmt::format("{} is not a word of expressions", in_quotes(habit->first)),
                    "one of < <= > >= == != and or not", std::string(habit->second));
    }
    if (known == kKnown.end()) {
      std::size_t end = 1;
      while (end < rest.size() && (static_cast<unsigned char>(rest[end]) & 0xC0U) == 0x80U) ++end;
      return refuse(fmt::format("{} cannot stand in an expression", in_quotes(rest.substr(0, end))),
                    "numbers, names, comparisons, and, or, not, parentheses");
    }
    add(Token::Kind::kCompare, at_ + length);
    return std::nullopt;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t counted_ = 0;
  std::uint32_t column_ = 1;
  std::vector<Token> tokens_;
};

/// "95" of "ci95" is 0.95, "999" 0.999: two digits or more, for fractions of a percent. A number of
/// a hundred or a little more does not count as a share: whoever writes "p100" means no tenth.
std::optional<double> share_behind(std::string_view word, std::string_view prefix) {
  constexpr std::size_t kMostDigits = 9;
  if (!word.starts_with(prefix)) return std::nullopt;
  word.remove_prefix(prefix.size());
  if (word.size() < 2 || word.size() > kMostDigits || !std::ranges::all_of(word, is_digit) ||
      (word.size() > 2 && word.starts_with("10"))) {
    return std::nullopt;
  }
  double digits = 0;
  double power = 1;
  for (const char c : word) {
    digits = digits * 10 + (c - '0');
    power *= 10;
  }
  return digits > 0 ? std::optional(digits / power) : std::nullopt;
}

bool set_estimate(std::string_view word, reports::Statistic& statistic) {
  using Of = reports::Statistic::Of;
  constexpr std::array<std::pair<std::string_view, Of>, 5> kWords{{{"mean", Of::kMean},
                                                                   {"sd", Of::kDeviation},
                                                                   {"min", Of::kMin},
                                                                   {"max", Of::kMax},
                                                                   {"n", Of::kCount}}};
  for (const auto& [name, of] : kWords) {
    if (word == name) {
      statistic.of = of;
      return true;
    }
  }
  const auto share = share_behind(word, "p");
  if (!share) return false;
  statistic.of = Of::kQuantile;
  statistic.probability = *share;
  return true;
}

bool set_part(std::string_view word, reports::Statistic& statistic) {
  using Part = reports::Statistic::Part;
  constexpr std::array<std::pair<std::string_view, Part>, 3> kWords{
      {{"ci", Part::kHalfWidth}, {"lo", Part::kLow}, {"hi", Part::kHigh}}};
  for (const auto& [name, part] : kWords) {
    if (const auto level = share_behind(word, name)) {
      statistic.part = part;
      statistic.level = *level;
      return true;
    }
  }
  return false;
}

}  // namespace

std::variant<std::vector<Token>, ExpressionProblem> tokens_of(std::string_view text) {
  return Lexer(text).run();
}

std::optional<reports::Statistic> statistic_of(std::string_view suffix) {
  reports::Statistic statistic;
  const std::size_t dot = suffix.find('.');
  const std::string_view first = suffix.substr(0, dot);
  if (dot == std::string_view::npos) {
    if (set_estimate(first, statistic) || set_part(first, statistic)) return statistic;
    return std::nullopt;
  }
  const bool has_interval =
      set_estimate(first, statistic) && (statistic.of == reports::Statistic::Of::kMean ||
                                         statistic.of == reports::Statistic::Of::kQuantile);
  if (!has_interval || !set_part(suffix.substr(dot + 1), statistic)) return std::nullopt;
  return statistic;
}

}  // namespace aftershock::sim::scenario
