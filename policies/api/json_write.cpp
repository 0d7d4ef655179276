#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>

#include "policies/api/assert.h"
#include "policies/api/json.h"

namespace aftershock::policies {
namespace {

template <class Integer>
void append_integer(std::string& out, Integer value) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, value);
  out.append(digits, end.ptr);
}

void append_bool(std::string& out, bool value) { out += value ? "true" : "false"; }

/// Length of the well-formed UTF-8 sequence at the start of `text`, 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t index) { return static_cast<unsigned char>(text[index]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0x80                   ? 1
                             : lead >= 0xC2 && lead < 0xE0 ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  if (length == 0 || length > text.size()) {
    return 0;
  }
  for (std::size_t index = 1; index < length; ++index) {
    if ((byte(index) & 0xC0U) != 0x80U) {
      return 0;
    }
  }
  if (length >= 3) {
    // Overlong forms, surrogates, and what lies beyond U+10FFFF show in the second byte.
    const unsigned char second = byte(1);
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
        (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F)) {
      return 0;
    }
  }
  return length;
}

void append_escaped(std::string& out, char letter) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto code = static_cast<unsigned char>(letter);
  switch (letter) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  out += "\\u00";
  out += kHex[code >> 4U];
  out += kHex[code & 0xFU];
}

template <class Value>
void append_value(std::string& out, const Value& value);

template <class Struct>
void append_members(std::string& out, const Struct& value, bool first) {
  const auto member = [&](const auto& named) {
    if (!first) {
      out += ',';
    }
    first = false;
    out += '"';
    out += named.name;
    out += "\":";
    append_value(out, value.*named.member);
  };
  std::apply([&](const auto&... named) { (member(named), ...); }, Struct::fields());
}

template <class Message>
void append_message(std::string& out, const Message& message) {
  out += "{\"type\":\"";
  out += message.kName;
  out += '"';
  append_members(out, message, false);
  out += '}';
}

template <class List, class Append>
void append_array(std::string& out, const List& list, Append append) {
  out += '[';
  bool first = true;
  for (const auto& element : list) {
    if (!first) {
      out += ',';
    }
    first = false;
    append(element);
  }
  out += ']';
}

template <class Value>
struct IsVector : std::false_type {};
template <class Element>
struct IsVector<std::vector<Element>> : std::true_type {};
template <class Value>
struct IsOptional : std::false_type {};
template <class Element>
struct IsOptional<std::optional<Element>> : std::true_type {};

template <class Value>
void append_value(std::string& out, const Value& value) {
  if constexpr (std::is_same_v<Value, bool>) {
    append_bool(out, value);
  } else if constexpr (std::is_integral_v<Value>) {
    append_integer(out, value);
  } else if constexpr (std::is_enum_v<Value>) {
    append_json_string(out, name_of(value));
  } else if constexpr (std::is_convertible_v<Value, std::string_view>) {
    append_json_string(out, value);
  } else if constexpr (std::is_same_v<Value, RankSet>) {
    append_json(out, value);
  } else if constexpr (IsOptional<Value>::value) {
    if (value) {
      append_value(out, *value);
    } else {
      out += "null";
    }
  } else if constexpr (IsVector<Value>::value) {
    append_array(out, value, [&](const auto& element) { append_value(out, element); });
  } else {
    out += '{';
    append_members(out, value, true);
    out += '}';
  }
}

std::string_view state_word(const PolicyInfo& info, std::uint16_t state) {
  AFTERSHOCK_ASSERT(state < info.states.size());
  return info.states[state];
}

void append_budget(std::string& out, const BudgetMove& move, const PolicyInfo& info) {
  AFTERSHOCK_ASSERT(move.budget < info.budgets.size());
  out += "{\"budget\":";
  append_json_string(out, info.budgets[move.budget]);
  out += ",\"cause\":";
  append_value(out, move.cause);
  out += ",\"used\":";
  append_value(out, move.used);
  out += ",\"limit\":";
  append_value(out, move.limit);
  out += ",\"charged\":";
  append_bool(out, !move.exempt);
  out += ",\"exhausted\":";
  append_bool(out, move.exhausted);
  out += '}';
}

void append_step(std::string& out, const Step& step, const PolicyInfo& info) {
  AFTERSHOCK_ASSERT(step.rule < info.rules.size());
  out += "{\"rule\":";
  append_json_string(out, info.rules[step.rule].id);
  out += ",\"from\":";
  append_json_string(out, state_word(info, step.from_state));
  out += ",\"to\":";
  append_json_string(out, state_word(info, step.to_state));
  out += ",\"saw\":";
  append_value(out, step.saw);
  out += ",\"budgets\":";
  append_array(out, step.budgets, [&](const auto& move) { append_budget(out, move, info); });
  out += ",\"commands\":";
  append_array(out, step.commands, [&](const auto& command) { append_json(out, command); });
  out += ",\"rejected\":";
  append_array(out, step.rejected, [&](const Rejected& rejected) {
    out += "{\"what\":";
    append_json_string(out, rejected.what);
    out += ",\"why\":";
    append_json_string(out, rejected.why);
    out += '}';
  });
  out += '}';
}

template <class... Arguments>
std::string line_of(const Arguments&... arguments) {
  std::string line;
  append_json(line, arguments...);
  return line;
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  std::size_t plain = 0;  // start of what is yet to be copied as it is
  std::size_t at = 0;
  const auto flush = [&] { out.append(text, plain, at - plain); };
  while (at < text.size()) {
    const auto code = static_cast<unsigned char>(text[at]);
    if (code < 0x80) [[likely]] {
      if (code < 0x20 || code == '"' || code == '\\') {
        flush();
        append_escaped(out, text[at]);
        plain = at + 1;
      }
      ++at;
    } else if (const std::size_t length = utf8_length(text.substr(at)); length > 0) {
      at += length;
    } else {
      flush();
      out += "\xEF\xBF\xBD";
      plain = ++at;
    }
  }
  flush();
  out += '"';
}

void append_json(std::string& out, const RankSet& ranks) {
  append_array(out, ranks.intervals(), [&](const RankSet::Interval& interval) {
    const Rank last = interval.end - 1;
    if (interval.first == last) {
      append_integer(out, last);
      return;
    }
    out += '[';
    append_integer(out, interval.first);
    out += ',';
    append_integer(out, last);
    out += ']';
  });
}

void append_json(std::string& out, const Event& event) {
  std::visit([&](const auto& message) { append_message(out, message); }, event);
}

void append_json(std::string& out, const Command& command) {
  std::visit([&](const auto& message) { append_message(out, message); }, command);
}

void append_json(std::string& out, const Batch& batch) {
  out += "{\"seq\":";
  append_integer(out, batch.seq);
  out += ",\"t_us\":";
  append_integer(out, batch.t_us);
  out += ",\"events\":";
  append_array(out, batch.events, [&](const Event& event) { append_json(out, event); });
  out += '}';
}

void append_json(std::string& out, const Watch& watch) { append_value(out, watch); }

void append_json(std::string& out, const Inventory& inventory) { append_value(out, inventory); }

void append_json(std::string& out, const Decision& decision, const PolicyInfo& info) {
  out += "{\"steps\":";
  append_array(out, decision.steps, [&](const Step& step) { append_step(out, step, info); });
  out += ",\"watch\":";
  append_json(out, decision.watch);
  out += '}';
}

std::string to_line(const RankSet& ranks) { return line_of(ranks); }
std::string to_line(const Event& event) { return line_of(event); }
std::string to_line(const Command& command) { return line_of(command); }
std::string to_line(const Batch& batch) { return line_of(batch); }
std::string to_line(const Watch& watch) { return line_of(watch); }
std::string to_line(const Inventory& inventory) { return line_of(inventory); }
std::string to_line(const Decision& decision, const PolicyInfo& info) {
  return line_of(decision, info);
}

}  // namespace aftershock::policies
