#include "sim/scenario/text/located_json.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace aftershock::sim::scenario {
namespace {

/// Follows the parser through the text. Between two of its callbacks there is only white space and
/// separators, so the next token starts where these end; the parser itself does not tell.
class TokenCursor {
 public:
  explicit TokenCursor(std::string_view text) : text_(text) {}

  /// Moves past the next token that is not a separator; returns where it starts.
  std::size_t next() {
    while (at_ < text_.size() && (is_space(text_[at_]) || is_separator(text_[at_]))) ++at_;
    const std::size_t start = at_;
    skip_token();
    return start;
  }

  /// Start of the token, separators included, that holds the byte at `offset`.
  std::size_t start_of_token_at(std::size_t offset) {
    for (;;) {
      skip_space();
      const std::size_t start = at_;
      if (start >= offset || start >= text_.size()) return std::min(start, text_.size());
      skip_token();
      if (at_ > offset) return start;
    }
  }

  /// Whether nothing but white space is left.
  bool at_end() {
    skip_space();
    return at_ == text_.size();
  }
  [[nodiscard]] std::size_t offset() const { return at_; }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  static bool is_separator(char c) { return c == ',' || c == ':'; }
  static bool is_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' ||
           c == '-' || c == '.' || c == '_';
  }

  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  void skip_token() {
    if (at_ == text_.size()) return;
    if (text_[at_] == '"') {
      for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
        if (text_[at_] == '\\') ++at_;
      }
      at_ = std::min(at_ + 1, text_.size());
    } else if (is_word(text_[at_])) {
      while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    } else {
      ++at_;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Builds the tree from the parser's callbacks, without recursion.
class TreeBuilder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  TreeBuilder(const Sources& sources, std::uint32_t source)
      : sources_(sources), source_(source), text_(sources.at(source).text), cursor_(text_) {}

  bool null() override { return add({nullptr, here()}); }
  bool boolean(bool value) override { return add({value, here()}); }
  bool number_integer(number_integer_t value) override { return add({value, here()}); }
  bool number_unsigned(number_unsigned_t value) override {
    const Place place = here();
    // One type for what both hold, so that readers meet the unsigned one only beyond int64.
    if (std::in_range<std::int64_t>(value)) return add({static_cast<std::int64_t>(value), place});
    return add({value, place});
  }
  bool number_float(number_float_t value, const string_t& written) override {
    const Place place = here();
    // The parser turns whole numbers that 64 bits do not hold into floating point.
    if (written.find_first_of(".eE") == string_t::npos) {
      return fail(place, fmt::format("the number {} is out of range", in_quotes(written)),
                  "a whole number of at most 64 bits");
    }
    return add({value, place});
  }
  bool string(string_t& value) override {
    const Place place = here();
    return add({std::move(value), place});
  }
  bool binary(binary_t& /*value*/) override { return false; }

  bool start_object(std::size_t /*size*/) override { return open(LocatedValue::Members{}); }
  bool start_array(std::size_t /*size*/) override { return open(LocatedValue::List{}); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& value) override {
    Frame& frame = frames_.back();
    frame.key_place = here();
    frame.key = std::move(value);
    if (frame.keys.insert(frame.key).second) return true;
    return fail(frame.key_place, fmt::format("duplicate key {}", in_quotes(frame.key)),
                "each key once");
  }

  bool parse_error(std::size_t position, const std::string& /*last_token*/,
                   const nlohmann::detail::exception& exception) override;

  std::variant<LocatedValue, ScenarioError> finish();

 private:
  struct Frame {
    LocatedValue value;
    std::string key;
    Place key_place;
    std::set<std::string, std::less<>> keys;
  };

  Place here() { return {source_, cursor_.next()}; }

  bool add(LocatedValue value) {
    if (frames_.empty()) {
      root_ = std::move(value);
      return true;
    }
    Frame& frame = frames_.back();
    if (auto* list = frame.value.get_if<LocatedValue::List>()) {
      list->push_back(std::move(value));
    } else {
      std::get<LocatedValue::Members>(frame.value.data)
          .push_back({frame.key, frame.key_place, std::move(value)});
    }
    return true;
  }

  template <class Container>
  bool open(Container container) {
    const Place place = here();
    if (frames_.size() == kDeepest) {
      return fail(place, "too many levels of lists and objects",
                  fmt::format("at most {}", kDeepest));
    }
    frames_.push_back({{std::move(container), place}, {}, {}, {}});
    return true;
  }

  bool close() {
    here();
    LocatedValue value = std::move(frames_.back().value);
    frames_.pop_back();
    return add(std::move(value));
  }

  /// JSON Pointer of what is being read.
  [[nodiscard]] std::string pointer() const {
    std::string pointer;
    for (const Frame& frame : frames_) {
      if (const auto* list = frame.value.get_if<LocatedValue::List>()) {
        append_to_pointer(pointer, std::to_string(list->size()));
      } else if (!frame.keys.empty()) {
        append_to_pointer(pointer, frame.key);
      }
    }
    return pointer;
  }

  bool fail(Place place, std::string message, std::string expected) {
    error_ = sources_.error_at(place);
    error_->kind = ErrorKind::kJson;
    error_->pointer = pointer();
    error_->message = std::move(message);
    error_->expected = std::move(expected);
    return false;
  }

  const Sources& sources_;
  std::uint32_t source_;
  std::string_view text_;
  TokenCursor cursor_;
  std::vector<Frame> frames_;
  LocatedValue root_;
  std::optional<ScenarioError> error_;
};

/// Whether a token was meant as one of the numbers that JSON does not have.
bool is_not_finite(std::string_view token) {
  if (token.starts_with('-') || token.starts_with('+')) token.remove_prefix(1);
  constexpr std::array<std::string_view, 6> kWords{"NaN", "nan", "NAN", "Inf", "inf", "INF"};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return token.starts_with(word); });
}

bool TreeBuilder::parse_error(std::size_t position, const std::string& /*last_token*/,
                              const nlohmann::detail::exception& exception) {
  const std::size_t last_read = position == 0 ? 0 : position - 1;
  // A word or number ends with a byte that is not part of it, which has been read as well.
  const std::string_view reason = exception.what();
  const bool read_beyond = reason.find("invalid literal") != std::string_view::npos ||
                           reason.find("invalid number") != std::string_view::npos;
  const std::size_t start = read_beyond
                                ? cursor_.start_of_token_at(last_read == 0 ? 0 : last_read - 1)
                                : std::min(cursor_.start_of_token_at(last_read), last_read);
  const std::string_view token = text_.substr(start);
  constexpr int kNumberOverflow = 406;
  if (exception.id == kNumberOverflow) {
    const auto end = std::min(token.find_first_of(" \t\r\n,]}"), token.size());
    return fail({source_, start},
                fmt::format("the number {} is out of range", in_quotes(token.substr(0, end))),
                "a finite number");
  }
  if (is_not_finite(token)) {
    return fail({source_, start}, "JSON has no NaN and no infinity", "a finite number");
  }
  if (token.starts_with('/') || token.starts_with('#')) {
    return fail({source_, start}, "JSON has no comments", "\"notes\" for what is to be remarked");
  }
  // "[...] parse error at line 1, column 2: syntax error while parsing value - WHAT; last read:
  // 'TEXT'; expected WHAT": the line and column are ours to say, and the text may be long.
  std::string_view what = exception.what();
  if (const auto dash = what.find(" - "); dash != std::string_view::npos) {
    what.remove_prefix(dash + 3);
  }
  std::string_view expected;
  if (const auto at = what.rfind("; expected "); at != std::string_view::npos) {
    expected = what.substr(at + std::string_view("; expected ").size());
    what = what.substr(0, at);
  }
  what = what.substr(0, what.find("; last read"));
  // Inside a string the offending byte says more than the string's first one.
  const bool in_string = token.starts_with('"') && what.starts_with("invalid string");
  return fail({source_, in_string ? std::min(last_read, text_.size()) : start}, std::string(what),
              std::string(expected));
}

std::variant<LocatedValue, ScenarioError> TreeBuilder::finish() {
  // The parser takes a NUL byte for the end of the text.
  if (!error_ && !cursor_.at_end()) {
    frames_.clear();
    fail({source_, cursor_.offset()}, "something follows the document", "the end of the file");
  }
  if (error_) return std::move(*error_);
  return std::move(root_);
}

}  // namespace

const LocatedValue* LocatedValue::find(std::string_view key) const {
  const auto* members = get_if<Members>();
  if (members == nullptr) return nullptr;
  const auto found =
      std::find_if(members->begin(), members->end(),
                   [&](const LocatedMember& member) { return same_key(member.key, key); });
  return found == members->end() ? nullptr : &found->value;
}

LocatedValue* LocatedValue::find(std::string_view key) {
  return const_cast<LocatedValue*>(std::as_const(*this).find(key));
}

std::variant<LocatedValue, ScenarioError> parse_located(const Sources& sources,
                                                        std::uint32_t source) {
  const std::string& text = sources.at(source).text;
  const auto refuse = [&](std::size_t offset, std::string message, std::string expected) {
    ScenarioError error = sources.error_at({source, offset});
    error.kind = ErrorKind::kJson;
    error.message = std::move(message);
    error.expected = std::move(expected);
    return error;
  };
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    return refuse(0, "the text is empty", "a JSON value");
  }
  TreeBuilder builder(sources, source);
  nlohmann::json::sax_parse(text, &builder);
  return builder.finish();
}

LocatedValue located(const nlohmann::json& json, Place place) {
  switch (json.type()) {
    case nlohmann::json::value_t::boolean:
      return {json.get<bool>(), place};
    case nlohmann::json::value_t::number_unsigned:
      if (!std::in_range<std::int64_t>(json.get<std::uint64_t>())) {
        return {json.get<std::uint64_t>(), place};
      }
      return {json.get<std::int64_t>(), place};
    case nlohmann::json::value_t::number_integer:
      return {json.get<std::int64_t>(), place};
    case nlohmann::json::value_t::number_float:
      return {json.get<double>(), place};
    case nlohmann::json::value_t::string:
      return {json.get<std::string>(), place};
    case nlohmann::json::value_t::array: {
      LocatedValue::List list;
      for (const auto& element : json) list.push_back(located(element, place));
      return {std::move(list), place};
    }
    case nlohmann::json::value_t::object: {
      LocatedValue::Members members;
      for (const auto& [key, value] : json.items()) {
        members.push_back({key, place, located(value, place)});
      }
      return {std::move(members), place};
    }
    default:
      return {nullptr, place};
  }
}

namespace {

template <class Json>
Json without_places(const LocatedValue& value) {
  return std::visit(
      [](const auto& data) -> Json {
        using Data = std::decay_t<decltype(data)>;
        if constexpr (std::is_same_v<Data, LocatedValue::List>) {
          Json list = Json::array();
          for (const LocatedValue& element : data) list.push_back(without_places<Json>(element));
          return list;
        } else if constexpr (std::is_same_v<Data, LocatedValue::Members>) {
          Json object = Json::object();
          for (const LocatedMember& member : data) {
            object.emplace(member.key, without_places<Json>(member.value));
          }
          return object;
        } else {
          return Json(data);
        }
      },
      value.data);
}

}  // namespace

nlohmann::ordered_json to_ordered_json(const LocatedValue& value) {
  return without_places<nlohmann::ordered_json>(value);
}

nlohmann::json to_json(const LocatedValue& value) { return without_places<nlohmann::json>(value); }

std::string_view type_phrase(const LocatedValue& value) {
  constexpr std::array<std::string_view, 8> kPhrases{"null",     "a truth value", "a number",
                                                     "a number", "a number",      "a string",
                                                     "a list",   "an object"};
  return kPhrases[value.data.index()];
}

}  // namespace aftershock::sim::scenario
