#include "reports/recording/common_line.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace aftershock::reports {

namespace {

constexpr std::uint64_t kEveryByte = 0x0101010101010101U;
constexpr std::uint64_t kTopBits = 0x8080808080808080U;
constexpr int kDigitsMax = 18;  // that many always fit

/// Bytes of what was up to eight characters.
constexpr std::uint64_t word_of(std::string_view text) {
  std::uint64_t word = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    word = word << 8U | static_cast<unsigned char>(text[i]);
  }
  return word;
}

std::uint64_t load(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof(word));
  return word;
}

/// The number that eight digits are, from 0 to 9, the first in the lowest byte.
constexpr std::uint64_t number_of(std::uint64_t digits) {
  digits = (digits * 10 + (digits >> 8U)) & 0x00ff00ff00ff00ffU;
  digits = (digits * 100 + (digits >> 16U)) & 0x0000ffff0000ffffU;
  return (digits * 10'000 + (digits >> 32U)) & 0xffffffffU;
}

/// Up to eight digits that a text begins with.
struct Digits {
  std::uint64_t number = 0;
  unsigned count = 0;
};

Digits digits_at(const char* at) {
  constexpr std::uint64_t kToTopBit = kEveryByte * (0x80 - 10);
  const std::uint64_t values = load(at) ^ (kEveryByte * '0');
  const std::uint64_t others = (((values & ~kTopBits) + kToTopBit) | values) & kTopBits;
  if (others == 0) {
    return {number_of(values), 8};
  }
  const auto bits = static_cast<unsigned>(std::countr_zero(others)) / 8 * 8;
  // Noughts in front, for those that are missing.
  return {bits == 0 ? 0 : number_of(values << (64 - bits)), bits / 8};
}

/// The rest of a line. Nothing is read beyond the padding: a newline or zero stops every scan.
struct Cursor {
  const char* at;

  bool take(std::string_view text) {
    if (std::memcmp(at, text.data(), text.size()) != 0) {
      return false;
    }
    at += text.size();
    return true;
  }

  /// Up to the closing quote, and over it.
  bool take_text(std::string_view& text) {
    const char* from = at;
    for (;; at += sizeof(std::uint64_t)) {
      const std::uint64_t word = load(at);
      const std::uint64_t quotes = word ^ (kEveryByte * '"');
      const std::uint64_t escapes = word ^ (kEveryByte * '\\');
      // The lowest bit set is of the first byte that ends plain text; above it there may be false
      // ones, from borrows.
      const std::uint64_t stops =
          (((quotes - kEveryByte) & ~quotes) | ((escapes - kEveryByte) & ~escapes) |
           ((word - kEveryByte * ' ') & ~word) | word) &
          kTopBits;
      if (stops != 0) {
        at += std::countr_zero(stops) / 8;
        break;
      }
    }
    text = {from, static_cast<std::size_t>(at - from)};
    return *at++ == '"';
  }

  bool take_digits(std::uint64_t& number) {
    constexpr std::array<std::uint64_t, 9> kPowers{
        1, 10, 100, 1000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000};
    const char* from = at;
    number = 0;
    Digits next;
    do {
      next = digits_at(at);
      number = number * kPowers[next.count] + next.number;
      at += next.count;
    } while (next.count == 8 && at - from <= kDigitsMax);
    const auto digits = at - from;
    return digits > 0 && digits <= kDigitsMax && (digits == 1 || *from != '0');
  }

  bool take_integer(std::int64_t& number) {
    const bool negative = *at == '-';
    at += negative ? 1 : 0;
    std::uint64_t digits = 0;
    if (!take_digits(digits) || (negative && digits == 0)) {
      return false;
    }
    number = negative ? -static_cast<std::int64_t>(digits) : static_cast<std::int64_t>(digits);
    return true;
  }
};

/// A word and the quote behind it, at most eight bytes: one comparison.
struct Quoted {
  consteval explicit Quoted(std::string_view text)
      : word(word_of(text)), mask(~std::uint64_t{0} >> (64 - 8 * text.size())), size(text.size()) {}

  [[nodiscard]] bool is(std::uint64_t at) const { return (at & mask) == word; }

  std::uint64_t word;
  std::uint64_t mask;
  std::size_t size;
};

bool take_kind(Cursor& cursor, LineKind& kind) {
  struct Known {
    Quoted word;
    LineKind kind;
  };
  static constexpr std::array kKnown{
      Known{Quoted("begin\""), LineKind::kBegin}, Known{Quoted("end\""), LineKind::kEnd},
      Known{Quoted("counter\""), LineKind::kCounter},
      Known{Quoted("instant\""), LineKind::kInstant}, Known{Quoted("fault\""), LineKind::kFault}};
  const std::uint64_t at = load(cursor.at);
  for (const Known& known : kKnown) {
    if (known.word.is(at)) {
      cursor.at += known.word.size;
      kind = known.kind;
      return true;
    }
  }
  return false;
}

/// The purpose of a member. By length first: this is asked for every member of every line.
enum class Key : std::uint8_t { kOther, kOn, kWhat, kId, kCause, kUncommon };

Key key_of(std::string_view key) {
  switch (key.size()) {
    case 1:  // those that a line has in front
      return key == "t" || key == "r" ? Key::kUncommon : Key::kOther;
    case 2:
      return key == "on" ? Key::kOn : key == "id" ? Key::kId : Key::kOther;
    case 4:
      return key == "what" ? Key::kWhat : key == "hash" ? Key::kUncommon : Key::kOther;
    case 5:
      return key == "cause" || key == "fault" ? Key::kCause : Key::kOther;
    case 6:
      return key == "schema" ? Key::kUncommon : Key::kOther;
    case 7:
      return key == "records" ? Key::kUncommon : Key::kOther;
    default:
      return Key::kOther;
  }
}

/// A key, over its closing quote and the colon.
bool take_key(Cursor& cursor, Key& key) {
  struct Known {
    Quoted word;
    Key key;
  };
  static constexpr std::array kKnown{
      Known{Quoted("on\":"), Key::kOn}, Known{Quoted("id\":"), Key::kId},
      Known{Quoted("what\":"), Key::kWhat}, Known{Quoted("cause\":"), Key::kCause}};
  const std::uint64_t at = load(cursor.at);
  for (const Known& known : kKnown) {
    if (known.word.is(at)) {
      cursor.at += known.word.size;
      key = known.key;
      return true;
    }
  }
  std::string_view name;
  if (!cursor.take_text(name) || *cursor.at++ != ':') {
    return false;
  }
  key = key_of(name);
  return key != Key::kUncommon;
}

bool take_number_member(Cursor& cursor, Key key, Record& record) {
  std::int64_t number = 0;
  if (!cursor.take_integer(number)) {
    return false;
  }
  if (key == Key::kId) {
    record.id = static_cast<std::uint64_t>(number);
    return number >= 0;
  }
  if (key == Key::kCause) {
    record.cause = number;
  }
  return key != Key::kOn && key != Key::kWhat;
}

bool take_text_member(Cursor& cursor, Key key, Record& record) {
  std::string_view text;
  if (!cursor.take_text(text)) {
    return false;
  }
  if (key == Key::kOn) {
    record.on = text;
  } else if (key == Key::kWhat) {
    record.what = text;
  }
  return true;
}

}  // namespace

bool read_common_line(std::string_view line, Record& record) {
  // The scan for the end of a text looks at bytes in their order in memory.
  constexpr std::string_view kShortest = R"({"t":0,"r":"end"})";
  if (std::endian::native != std::endian::little || line.size() < kShortest.size()) {
    return false;
  }
  Cursor cursor{&line.front()};
  if (!cursor.take(R"({"t":)") || !cursor.take_integer(record.t_us) || !cursor.take(R"(,"r":")") ||
      !take_kind(cursor, record.kind)) {
    return false;
  }
  while (*cursor.at == ',') {
    Key key = Key::kOther;
    if (!cursor.take(",\"") || !take_key(cursor, key)) {
      return false;
    }
    const bool is_text = *cursor.at == '"';
    cursor.at += is_text ? 1 : 0;
    if (!(is_text ? take_text_member(cursor, key, record)
                  : take_number_member(cursor, key, record))) {
      return false;
    }
  }
  return *cursor.at == '}' && cursor.at + 1 == line.data() + line.size();
}

}  // namespace aftershock::reports
