#include "sim/live/fact_order.h"

#include <variant>

#include <fmt/format.h>

namespace aftershock::sim::live {

FactOrder::FactOrder(const scenario::Scenario& scenario, Backend backend)
    : scenario_(scenario), backend_(backend), told_(scenario.faults.size()) {}

std::string FactOrder::at_start(const Fact& fact) const {
  if (taken_ == 2) {
    return std::holds_alternative<Rules>(fact.about) ? "" : "expected the fact \"rules\"";
  }
  const auto* const begun = std::get_if<Begun>(&fact.about);
  if (begun == nullptr) {
    return "expected the fact \"begin\"";
  }
  return begun->backend == name_of(backend_)
             ? std::string()
             : fmt::format("these facts are not of --backend {}", name_of(backend_));
}

std::string FactOrder::of_fault(const FaultTold& told) {
  std::optional<std::string>& before = told_[told.fault];
  const std::string& id = scenario_.faults[told.fault].id;
  if (told.what == "over") {
    return before == "struck" ? std::string()
                              : fmt::format("fault {} is over, and has not struck", id);
  }
  if (before && !scenario_.faults[told.fault].every_attempt) {
    return fmt::format("fault {} is told for the second time", id);
  }
  before = told.what;
  return {};
}

std::string FactOrder::take(const Fact& fact) {
  ++taken_;
  if (over_) {
    return "the run has ended before this fact";
  }
  over_ = std::holds_alternative<Ended>(fact.about) || std::holds_alternative<Invalid>(fact.about);
  // A driver that cannot start says so in the place of its first facts.
  if (std::holds_alternative<Invalid>(fact.about)) {
    return {};
  }
  if (taken_ <= 2) {
    return at_start(fact);
  }
  if (std::holds_alternative<Begun>(fact.about) || std::holds_alternative<Rules>(fact.about)) {
    return "the facts \"begin\" and \"rules\" come once";
  }
  const auto* const told = std::get_if<FaultTold>(&fact.about);
  return told == nullptr ? std::string() : of_fault(*told);
}

}  // namespace aftershock::sim::live
