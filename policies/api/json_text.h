#pragma once

// Reads messages straight from their text into structs, by their fields(), without a tree between.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include "policies/api/fields.h"
#include "policies/api/json_reader.h"
#include "policies/api/rank_set.h"

namespace aftershock::policies::json_text {

/// Goes through a text once. It takes what json_write writes and what is as plain: what is unusual
/// (escapes, letters beyond ASCII, numbers beyond 2^53, a "type" that does not come first) or wrong
/// it does not take, and parse_json and json_reader read that, or say what is wrong with it. They
/// take every text that it takes, with the same result.
class Reader {
 public:
  explicit Reader(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  /// Reads an object that begins with this type and has the members of `out` otherwise.
  template <class Struct>
  [[nodiscard]] bool message(std::string_view type, Struct& out) {
    std::string_view word;
    return take('{') && key(word) && word == "type" && text(word) && word == type &&
           rest_of(out, false) && at_end();
  }

  /// An empty string stood somewhere, which is not the same as none.
  [[nodiscard]] bool saw_empty_text() const { return saw_empty_text_; }

 private:
  [[nodiscard]] bool at_end() {
    skip_blanks();
    return at_ == end_;
  }

  void skip_blanks() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n')) {
      ++at_;
    }
  }

  [[nodiscard]] bool take(char letter) {
    skip_blanks();
    const bool there = at_ != end_ && *at_ == letter;
    at_ += there ? 1 : 0;
    return there;
  }

  [[nodiscard]] bool take(std::string_view word) {
    skip_blanks();
    const bool there =
        std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(word);
    at_ += there ? word.size() : 0;
    return there;
  }

  [[nodiscard]] bool text(std::string_view& out) {
    if (!take('"')) {
      return false;
    }
    const char* const begin = at_;
    while (at_ != end_ && *at_ != '"') {
      const auto code = static_cast<unsigned char>(*at_);
      if (code < 0x20 || code >= 0x80 || code == '\\') {
        return false;
      }
      ++at_;
    }
    out = {begin, static_cast<std::size_t>(at_ - begin)};
    return at_ != end_ && *at_++ == '"';
  }

  [[nodiscard]] bool key(std::string_view& out) { return text(out) && take(':'); }

  template <class Integer>
  [[nodiscard]] bool integer(Integer& out) {
    skip_blanks();
    // As json_reader::read_integer: only what may be negative is of this type.
    const bool negative = std::is_same_v<Integer, std::int32_t> && at_ != end_ && *at_ == '-';
    at_ += negative ? 1 : 0;
    const char* const begin = at_;
    std::uint64_t number = 0;
    constexpr std::ptrdiff_t kDigits = 16;  // 2^53 has as many
    for (; at_ != end_ && *at_ >= '0' && *at_ <= '9' && at_ - begin <= kDigits; ++at_) {
      number = number * 10 + static_cast<std::uint64_t>(*at_ - '0');
    }
    const std::ptrdiff_t digits = at_ - begin;
    const bool odd = at_ != end_ && (*at_ == '.' || *at_ == 'e' || *at_ == 'E');
    constexpr std::uint64_t kLargest = std::uint64_t{1} << 53U;
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<Integer>::max());
    if (digits == 0 || digits > kDigits || (digits > 1 && *begin == '0') || odd ||
        number > kLargest || number > kMost || (negative && number == 0)) {
      return false;
    }
    out = static_cast<Integer>(number);
    if constexpr (std::is_same_v<Integer, std::int32_t>) {
      out = negative ? -out : out;
    }
    return true;
  }

  /// Elements until the bracket closes; `element` reads one.
  template <class Element>
  [[nodiscard]] bool elements(Element element) {
    if (!take('[')) {
      return false;
    }
    if (take(']')) {
      return true;
    }
    do {
      if (!element()) {
        return false;
      }
    } while (take(','));
    return take(']');
  }

  [[nodiscard]] bool ranks(RankSet& out) {
    return elements([&] {
      Rank first = 0;
      Rank last = 0;
      if (take('[')) {
        if (!integer(first) || !take(',') || !integer(last) || !take(']')) {
          return false;
        }
      } else if (integer(first)) {
        last = first;
      } else {
        return false;
      }
      if (last < first || last == std::numeric_limits<Rank>::max()) {
        return false;
      }
      out.add(first, last + 1);
      return true;
    });
  }

  template <class Enum>
  [[nodiscard]] bool word_of(Enum& out) {
    std::string_view word;
    if (!text(word)) {
      return false;
    }
    const auto& names = EnumNames<Enum>::kNames;
    for (std::size_t index = 0; index < names.size(); ++index) {
      if (names[index] == word) {
        out = static_cast<Enum>(index);
        return true;
      }
    }
    return false;
  }

  template <class... Alternatives>
  [[nodiscard]] bool variant(std::variant<Alternatives...>& out) {
    std::string_view word;
    if (!take('{') || !key(word) || word != "type" || !text(word)) {
      return false;
    }
    bool taken = false;
    const auto try_one = [&]<class Alternative>(std::type_identity<Alternative>) {
      if (word != Alternative::kName) {
        return false;
      }
      taken = rest_of(out.template emplace<Alternative>(), false);
      return true;
    };
    static_cast<void>((try_one(std::type_identity<Alternatives>{}) || ...));
    return taken;
  }

  /// The members of an object that has been begun, and its end.
  template <class Struct>
  [[nodiscard]] bool rest_of(Struct& out, bool first) {
    constexpr auto kFields = Struct::fields(AsTuple{});
    static_assert(std::tuple_size_v<decltype(kFields)> <= 32);
    std::uint32_t seen = 0;
    while (!take('}')) {
      std::string_view name;
      if ((!first && !take(',')) || !key(name)) {
        return false;
      }
      first = false;
      bool taken = false;
      std::uint32_t bit = 1;
      const auto try_field = [&](const auto& named) {
        if (name != named.name) {
          bit <<= 1U;
          return false;
        }
        taken = (seen & bit) == 0 && value(out.*named.member);
        seen |= bit;
        return true;
      };
      static_cast<void>(
          std::apply([&](const auto&... named) { return (try_field(named) || ...); }, kFields));
      if (!taken) {
        return false;
      }
    }
    return true;
  }

  template <class Value>
  [[nodiscard]] bool value(Value& out) {
    if constexpr (std::is_same_v<Value, bool>) {
      out = take("true");
      return out || take("false");
    } else if constexpr (std::is_integral_v<Value>) {
      return integer(out);
    } else if constexpr (std::is_enum_v<Value>) {
      return word_of(out);
    } else if constexpr (std::is_same_v<Value, std::string>) {
      std::string_view plain;
      if (!text(plain)) {
        return false;
      }
      saw_empty_text_ |= plain.empty();
      out = plain;
      return true;
    } else if constexpr (std::is_same_v<Value, RankSet>) {
      return ranks(out);
    } else if constexpr (json_reader::IsOptional<Value>::value) {
      return take("null") || value(out.emplace());
    } else if constexpr (json_reader::IsVector<Value>::value) {
      return elements([&] { return value(out.emplace_back()); });
    } else if constexpr (json_reader::IsVariant<Value>::value) {
      return variant(out);
    } else {
      return take('{') && rest_of(out, true);
    }
  }

  const char* at_;
  const char* end_;
  bool saw_empty_text_ = false;
};

}  // namespace aftershock::policies::json_text
