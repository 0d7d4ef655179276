#include "reports/recording/common_line.h"

#include <bit>
#include <cstdint>
#include <cstring>

namespace aftershock::reports {

namespace {

constexpr std::uint64_t kEveryByte = 0x0101010101010101U;
constexpr std::uint64_t kTopBits = 0x8080808080808080U;
constexpr int kDigitsMax = 18;  // that many always fit

/// Whether these are eight digits.
constexpr bool all_digits(std::uint64_t word) {
  constexpr std::uint64_t kHigh = kEveryByte * 0xf0U;
  constexpr std::uint64_t kToTen = kEveryByte * 6;
  return (word & kHigh) == kEveryByte * '0' && ((word + kToTen) & kHigh) == kEveryByte * '0';
}

/// The number that eight digits are, the first in the lowest byte.
constexpr std::uint64_t number_of(std::uint64_t word) {
  word -= kEveryByte * '0';
  word = (word * 10 + (word >> 8U)) & 0x00ff00ff00ff00ffU;
  word = (word * 100 + (word >> 16U)) & 0x0000ffff0000ffffU;
  return (word * 10'000 + (word >> 32U)) & 0xffffffffU;
}

/// What is left of a line. Nothing is read beyond the padding: a newline or zero stops every scan.
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
      std::uint64_t word = 0;
      std::memcpy(&word, at, sizeof(word));
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
    const char* from = at;
    number = 0;
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof(word));
    if (all_digits(word)) {
      number = number_of(word);
      at += sizeof(word);
    }
    for (; static_cast<unsigned char>(*at - '0') < 10 && at - from <= kDigitsMax; ++at) {
      number = number * 10 + static_cast<std::uint64_t>(*at - '0');
    }
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

bool common_kind(std::string_view word, LineKind& kind) {
  kind = word == "begin"     ? LineKind::kBegin
         : word == "end"     ? LineKind::kEnd
         : word == "counter" ? LineKind::kCounter
         : word == "instant" ? LineKind::kInstant
         : word == "fault"   ? LineKind::kFault
                             : LineKind::kOther;
  return kind != LineKind::kOther;
}

/// What a member is for. By length first: this is asked for every member of every line.
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
  std::string_view kind;
  if (!cursor.take(R"({"t":)") || !cursor.take_integer(record.t_us) || !cursor.take(R"(,"r":")") ||
      !cursor.take_text(kind) || !common_kind(kind, record.kind)) {
    return false;
  }
  while (*cursor.at == ',') {
    std::string_view name;
    if (!cursor.take(",\"") || !cursor.take_text(name) || *cursor.at++ != ':') {
      return false;
    }
    const Key key = key_of(name);
    if (key == Key::kUncommon) {
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
