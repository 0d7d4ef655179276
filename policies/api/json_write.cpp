#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>

#include "base/assert.h"
#include "policies/api/json.h"

namespace aftershock::policies {
namespace {

/// The end of a string that JSON is appended to. A text that fits is copied without a call; the
/// string has its length again when this is gone.
class Out {
 public:
  explicit Out(std::string& text) : text_(text), begin_(text.size()), size_(text.size()) {}
  ~Out() { text_.resize(size_); }
  Out(const Out&) = delete;
  Out& operator=(const Out&) = delete;

  void add(std::string_view text) {
    std::memcpy(room(text.size()), text.data(), text.size());
    size_ += text.size();
  }
  void add(char letter) {
    *room(1) = letter;
    ++size_;
  }
  template <class Integer>
  void add_integer(Integer value) {
    constexpr std::size_t kLongest = 20;
    char* at = room(kLongest);
    size_ += static_cast<std::size_t>(std::to_chars(at, at + kLongest, value).ptr - at);
  }
  /// A word of ours as a string: nothing in it needs escaping.
  void add_word(std::string_view word) {
    char* at = room(word.size() + 2);
    *at++ = '"';
    std::memcpy(at, word.data(), word.size());
    at[word.size()] = '"';
    size_ += word.size() + 2;
  }
  /// A member's key, with the comma before it where another came first.
  void add_key(std::string_view key, bool first) {
    char* at = room(key.size() + 4);
    *at = ',';
    at += first ? 0 : 1;
    *at++ = '"';
    std::memcpy(at, key.data(), key.size());
    at[key.size()] = '"';
    at[key.size() + 1] = ':';
    size_ += key.size() + (first ? 3 : 4);
  }

 private:
  char* room(std::size_t bytes) {
    constexpr std::size_t kAtLeast = 512;
    if (text_.size() - size_ < bytes) {
      text_.resize(size_ + std::max(bytes + kAtLeast, 2 * (size_ - begin_)));
    }
    return text_.data() + size_;
  }

  std::string& text_;
  std::size_t begin_;
  std::size_t size_;
};

void append_bool(Out& out, bool value) { out.add(value ? "true" : "false"); }

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

void append_escaped(Out& out, char letter) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto code = static_cast<unsigned char>(letter);
  switch (letter) {
    case '"':
      out.add("\\\"");
      return;
    case '\\':
      out.add("\\\\");
      return;
    case '\n':
      out.add("\\n");
      return;
    case '\r':
      out.add("\\r");
      return;
    case '\t':
      out.add("\\t");
      return;
    default:
      break;
  }
  out.add("\\u00");
  out.add(kHex[code >> 4U]);
  out.add(kHex[code & 0xFU]);
}

void append_string(Out& out, std::string_view text) {
  out.add('"');
  std::size_t plain = 0;  // start of what is yet to be copied as it is
  std::size_t at = 0;
  const auto flush = [&] { out.add(text.substr(plain, at - plain)); };
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
      out.add("\xEF\xBF\xBD");
      plain = ++at;
    }
  }
  flush();
  out.add('"');
}

void append(Out& out, const RankSet& ranks);
void append(Out& out, const Command& command);
template <class Value>
void append_value(Out& out, const Value& value);

template <class Value>
bool says_nothing(const Value& value) {
  if constexpr (std::is_same_v<Value, bool>) {
    return !value;
  } else if constexpr (requires { value.has_value(); }) {
    return !value.has_value();
  } else if constexpr (requires { value.empty(); }) {
    return value.empty();
  }
  return false;
}

template <class Struct>
void append_members(Out& out, const Struct& value, bool first) {
  const auto member = [&](const auto& named) {
    if (named.sparse && says_nothing(value.*named.member)) {
      return;
    }
    out.add_key(named.name, first);
    first = false;
    append_value(out, value.*named.member);
  };
  Struct::fields([&](const auto&... named) { (member(named), ...); });
}

template <class Message>
void append_message(Out& out, const Message& message) {
  out.add("{\"type\":\"");
  out.add(message.kName);
  out.add('"');
  append_members(out, message, false);
  out.add('}');
}

template <class List, class Append>
void append_array(Out& out, const List& list, Append append) {
  out.add('[');
  bool first = true;
  for (const auto& element : list) {
    if (!first) {
      out.add(',');
    }
    first = false;
    append(element);
  }
  out.add(']');
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
void append_value(Out& out, const Value& value) {
  if constexpr (std::is_same_v<Value, bool>) {
    append_bool(out, value);
  } else if constexpr (std::is_integral_v<Value>) {
    out.add_integer(value);
  } else if constexpr (std::is_enum_v<Value>) {
    out.add_word(name_of(value));
  } else if constexpr (std::is_convertible_v<Value, std::string_view>) {
    append_string(out, value);
  } else if constexpr (std::is_same_v<Value, RankSet>) {
    append(out, value);
  } else if constexpr (IsOptional<Value>::value) {
    if (value) {
      append_value(out, *value);
    } else {
      out.add("null");
    }
  } else if constexpr (IsVector<Value>::value) {
    append_array(out, value, [&](const auto& element) { append_value(out, element); });
  } else {
    out.add('{');
    append_members(out, value, true);
    out.add('}');
  }
}

std::string_view state_word(const PolicyInfo& info, std::uint16_t state) {
  AFTERSHOCK_ASSERT(state < info.states.size());
  return info.states[state];
}

void append_budget(Out& out, const BudgetMove& move, const PolicyInfo& info) {
  AFTERSHOCK_ASSERT(move.budget < info.budgets.size());
  out.add("{\"budget\":");
  out.add_word(info.budgets[move.budget]);
  out.add(",\"cause\":");
  append_value(out, move.cause);
  out.add(",\"used\":");
  append_value(out, move.used);
  out.add(",\"limit\":");
  append_value(out, move.limit);
  out.add(",\"charged\":");
  append_bool(out, !move.exempt);
  out.add(",\"exhausted\":");
  append_bool(out, move.exhausted);
  out.add('}');
}

void append_step(Out& out, const Step& step, const PolicyInfo& info) {
  AFTERSHOCK_ASSERT(step.rule < info.rules.size());
  out.add("{\"rule\":");
  out.add_word(info.rules[step.rule].id);
  out.add(",\"from\":");
  out.add_word(state_word(info, step.from_state));
  out.add(",\"to\":");
  out.add_word(state_word(info, step.to_state));
  if (!step.decision.empty()) {
    out.add(",\"decision\":");
    append_string(out, step.decision);
  }
  out.add(",\"saw\":");
  append_value(out, step.saw);
  out.add(",\"budgets\":");
  append_array(out, step.budgets, [&](const auto& move) { append_budget(out, move, info); });
  out.add(",\"commands\":");
  append_array(out, step.commands, [&](const auto& command) { append(out, command); });
  out.add(",\"rejected\":");
  append_array(out, step.rejected, [&](const Rejected& rejected) {
    out.add("{\"what\":");
    append_string(out, rejected.what);
    out.add(",\"why\":");
    append_string(out, rejected.why);
    out.add('}');
  });
  out.add('}');
}

void append(Out& out, const RankSet& ranks) {
  append_array(out, ranks.intervals(), [&](const RankSet::Interval& interval) {
    const Rank last = interval.end - 1;
    if (interval.first == last) {
      out.add_integer(last);
      return;
    }
    out.add('[');
    out.add_integer(interval.first);
    out.add(',');
    out.add_integer(last);
    out.add(']');
  });
}

void append(Out& out, const Event& event) {
  std::visit([&](const auto& message) { append_message(out, message); }, event);
}

void append(Out& out, const Command& command) {
  std::visit([&](const auto& message) { append_message(out, message); }, command);
}

void append(Out& out, const Batch& batch) {
  out.add("{\"seq\":");
  out.add_integer(batch.seq);
  out.add(",\"t_us\":");
  out.add_integer(batch.t_us);
  out.add(batch.poll ? ",\"poll\":true" : "");
  out.add(",\"events\":");
  append_array(out, batch.events, [&](const Event& event) { append(out, event); });
  out.add('}');
}

void append(Out& out, const Watch& watch) { append_value(out, watch); }

void append(Out& out, const Inventory& inventory) { append_value(out, inventory); }

void append_members(Out& out, const Decision& decision, const PolicyInfo& info) {
  out.add("\"steps\":");
  append_array(out, decision.steps, [&](const Step& step) { append_step(out, step, info); });
  out.add(",\"watch\":");
  append(out, decision.watch);
}

void append(Out& out, const Decision& decision, const PolicyInfo& info) {
  out.add('{');
  append_members(out, decision, info);
  out.add('}');
}

template <class... Arguments>
void append_to(std::string& text, const Arguments&... arguments) {
  Out out(text);
  append(out, arguments...);
}

template <class... Arguments>
std::string line_of(const Arguments&... arguments) {
  std::string line;
  append_to(line, arguments...);
  return line;
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  Out to(out);
  append_string(to, text);
}

void append_json(std::string& out, const RankSet& ranks) { append_to(out, ranks); }
void append_json(std::string& out, const Event& event) { append_to(out, event); }
void append_json(std::string& out, const Command& command) { append_to(out, command); }
void append_json(std::string& out, const Batch& batch) { append_to(out, batch); }
void append_json(std::string& out, const Watch& watch) { append_to(out, watch); }
void append_json(std::string& out, const Inventory& inventory) { append_to(out, inventory); }
void append_json(std::string& out, const Decision& decision, const PolicyInfo& info) {
  append_to(out, decision, info);
}
void append_json_members(std::string& out, const Decision& decision, const PolicyInfo& info) {
  Out to(out);
  append_members(to, decision, info);
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
