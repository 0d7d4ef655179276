#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace aftershock::reports {

/// Makes a tree by the calls that JsonWriter makes text by, so that one function says of which
/// members an object is. Looking into the tree then needs no text that is parsed again. The first
/// value is the root.
class JsonTree {
 public:
  /// The value that was opened first; all that was opened must be closed.
  [[nodiscard]] nlohmann::ordered_json take();

  /// Each may stand wherever a value may, and what is opened last is closed first.
  void open_object();
  /// Closes the object that was opened last.
  void close_object() { close(); }
  /// Like an object, for values without keys.
  void open_array() { open(nlohmann::ordered_json::array()); }
  /// Closes the array that was opened last.
  void close_array() { close(); }

  /// The next value is that of a member of the object that was opened last.
  void key(std::string_view key) { key_ = key; }
  /// A value: an element of an array, or the member of the key before it. Numbers that are not
  /// finite become null, as in text.
  void value(nlohmann::ordered_json of) { put(std::move(of)); }
  void value(std::nullptr_t) { put(nullptr); }
  void value(std::string_view text) { put(text); }
  void value(const std::string& text) { put(text); }
  void value(const char* text) { put(text); }
  template <class Value>
  void value(const std::optional<Value>& optional) {
    put(optional ? nlohmann::ordered_json(*optional) : nlohmann::ordered_json());
  }
  void value(const std::vector<std::string>& texts) { put(texts); }

  /// Key and value.
  template <class Value>
  void member(std::string_view name, const Value& of) {
    key(name);
    value(of);
  }

 private:
  nlohmann::ordered_json& put(nlohmann::ordered_json of);
  void open(nlohmann::ordered_json empty) { open_.push_back(&put(std::move(empty))); }
  void close();

  nlohmann::ordered_json root_;
  std::vector<nlohmann::ordered_json*> open_;  ///< the root, and so on to the value opened last
  std::string_view key_;
};

}  // namespace aftershock::reports
