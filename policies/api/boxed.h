#pragma once

#include <memory>

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
  Boxed(Json value);  // NOLINT(google-explicit-constructor): it is the value
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
