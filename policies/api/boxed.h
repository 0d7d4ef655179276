#pragma once

#include <concepts>
#include <memory>
#include <utility>

#include <nlohmann/json_fwd.hpp>

namespace aftershock::policies {

/// A JSON value as a member of a struct whose header need not read nlohmann/json.hpp, which takes a
/// compiler longer than most sources do. A value like any other: copies are deep, and there is
/// always one (null at first, and after it was moved from). `Json` is nlohmann::json or
/// nlohmann::ordered_json.
template <class Json>
class Boxed {
 public:
  Boxed();
  /// Of a JSON value alone: braces would make a list of what was meant as an object's member.
  template <std::same_as<Json> Value>
  Boxed(Value value) : value_(std::make_unique<Json>(std::move(value))) {}
  Boxed(const Boxed& other);
  Boxed(Boxed&& other) noexcept;
  Boxed& operator=(const Boxed& other);
  Boxed& operator=(Boxed&& other) noexcept;
  ~Boxed();

  const Json& operator*() const { return *value_; }
  Json& operator*() { return *value_; }
  const Json* operator->() const { return value_.get(); }
  Json* operator->() { return value_.get(); }

 private:
  std::unique_ptr<Json> value_;
};

extern template class Boxed<nlohmann::json>;
extern template class Boxed<nlohmann::ordered_json>;

/// The value of an empty object.
Boxed<nlohmann::json> empty_object();

}  // namespace aftershock::policies
