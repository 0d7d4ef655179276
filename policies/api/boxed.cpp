#include "policies/api/boxed.h"

#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

namespace aftershock::policies {

template <class Json>
Boxed<Json>::Boxed() : value_(std::make_unique<Json>()) {}

template <class Json>
Boxed<Json>::Boxed(const Boxed& other) : value_(std::make_unique<Json>(*other.value_)) {}

template <class Json>
Boxed<Json>::Boxed(Boxed&& other) noexcept
    : value_(std::make_unique<Json>(std::move(*other.value_))) {}

template <class Json>
Boxed<Json>& Boxed<Json>::operator=(const Boxed& other) {
  if (this != &other) {
    *value_ = *other.value_;
  }
  return *this;
}

template <class Json>
Boxed<Json>& Boxed<Json>::operator=(Boxed&& other) noexcept {
  if (this != &other) {
    *value_ = std::move(*other.value_);
  }
  return *this;
}

template <class Json>
Boxed<Json>::~Boxed() = default;

template class Boxed<nlohmann::json>;
template class Boxed<nlohmann::ordered_json>;

Boxed<nlohmann::json> empty_object() { return {nlohmann::json::object()}; }

}  // namespace aftershock::policies
