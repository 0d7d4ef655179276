#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aftershock::reports {

/// Writes JSON on one line, commas included. A recording has millions of lines of a few members
/// each: what is written goes straight into a buffer that is used again after `clear`, and is never
/// a tree. Whether objects and arrays are closed in turn is the caller's business.
class JsonWriter {
 public:
  /// The text so far, until the next call that writes.
  [[nodiscard]] std::string_view text() const { return {buffer_.data(), size_}; }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Begins anew with the same buffer.
  void clear() {
    size_ = 0;
    comma_ = false;
  }

  /// Each may stand wherever a value may, and what is opened last is closed first.
  void open_object() { open('{'); }
  /// Closes the object that was opened last.
  void close_object() { close('}'); }
  /// Like an object, for values without keys.
  void open_array() { open('['); }
  /// Closes the array that was opened last.
  void close_array() { close(']'); }

  /// The next value is that of a member. `key` is a word of ours: nothing in it needs escaping.
  void key(std::string_view key) {
    char* at = room(key.size() + 4);
    *at = ',';
    at += comma_ ? 1 : 0;
    *at++ = '"';
    std::memcpy(at, key.data(), key.size());
    at += key.size();
    *at++ = '"';
    *at++ = ':';
    written_up_to(at);
    comma_ = false;
  }

  /// A value: an element of an array, or what the key before it is of.
  template <std::integral Integer>
  void value(Integer number) {
    if constexpr (std::same_as<Integer, bool>) {
      raw(number ? "true" : "false");
    } else if constexpr (std::signed_integral<Integer>) {
      integer(number);
    } else {
      unsigned_integer(number);
    }
  }
  /// As short as it can be without losing a bit; NaN and infinity become null.
  void value(double number);
  void value(std::nullptr_t) { raw("null"); }
  /// Invalid UTF-8 becomes U+FFFD, so that the result always is valid.
  void value(std::string_view text) { string(text); }
  void value(const std::string& text) { string(text); }
  void value(const char* text) { string(text); }
  template <class Value>
  void value(const std::optional<Value>& optional) {
    optional ? value(*optional) : value(nullptr);
  }
  void value(const std::vector<std::string>& texts) {
    open_array();
    for (const std::string& text : texts) {
      value(text);
    }
    close_array();
  }
  /// A value that is JSON already, or a word of ours in quotes.
  void raw(std::string_view json) {
    separate();
    append(json);
    comma_ = true;
  }
  /// A word of ours as a string: nothing in it needs escaping.
  void word(std::string_view word) {
    separate();
    char* at = room(word.size() + 2);
    *at++ = '"';
    std::memcpy(at, word.data(), word.size());
    at += word.size();
    *at++ = '"';
    written_up_to(at);
    comma_ = true;
  }
  /// Members, with their keys and without the braces around them; may be empty.
  void members(std::string_view members) {
    if (!members.empty()) {
      raw(members);
    }
  }

  /// Key and value.
  template <class Value>
  void member(std::string_view name, const Value& of) {
    key(name);
    value(of);
  }

 private:
  void integer(std::int64_t number);
  void unsigned_integer(std::uint64_t number);
  void string(std::string_view text);
  void escaped(std::string_view text);

  void open(char bracket) {
    separate();
    append({&bracket, 1});
    comma_ = false;
  }
  void close(char bracket) {
    append({&bracket, 1});
    comma_ = true;
  }
  void separate() {
    if (comma_) {
      append(",");
    }
  }
  void append(std::string_view text) {
    char* at = room(text.size());
    std::memcpy(at, text.data(), text.size());
    size_ += text.size();
  }
  /// At least so many bytes to write to, behind what there is.
  char* room(std::size_t bytes) {
    if (buffer_.size() - size_ < bytes) {
      buffer_.resize(std::max(2 * buffer_.size(), size_ + bytes));
    }
    return buffer_.data() + size_;
  }
  void written_up_to(const char* end) { size_ = static_cast<std::size_t>(end - buffer_.data()); }

  std::vector<char> buffer_;
  std::size_t size_ = 0;
  bool comma_ = false;
};

}  // namespace aftershock::reports
