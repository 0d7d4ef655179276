#include <utility>

#include <nlohmann/json.hpp>

#include "policies/api/case_runner.h"
#include "policies/api/json.h"

namespace aftershock::policies {

Driver::Driver(std::unique_ptr<Policy> policy, Inventory inventory)
    : policy_(std::move(policy)), view_(std::move(inventory)) {}

std::variant<Decision, Issue> Driver::decide(const nlohmann::json& json) {
  auto read = batch_from_json(json);
  if (auto* issue = std::get_if<Issue>(&read)) {
    return std::move(*issue);
  }
  auto& batch = std::get<Batch>(read);
  if (!json.contains("seq")) {
    batch.seq = next_seq_;
  }
  if (!json.contains("t_us")) {
    batch.t_us = t_us_;
  }
  if (batch.seq < next_seq_) {
    return Issue{
        "/seq", "got " + std::to_string(batch.seq), "at least " + std::to_string(next_seq_), {}};
  }
  if (batch.t_us < t_us_) {
    return Issue{"/t_us",
                 "got " + std::to_string(batch.t_us),
                 "at least " + std::to_string(t_us_) + ": time does not go back",
                 {}};
  }
  next_seq_ = batch.seq + 1;
  t_us_ = batch.t_us;
  for (const Event& event : batch.events) {
    view_.apply(event);
  }
  return policy_->on_events(batch, view_);
}

std::variant<std::string, Driver::Error> Driver::answer(std::string_view batch_line) {
  const auto parsed = parse_json(batch_line);
  if (const auto* issue = std::get_if<Issue>(&parsed)) {
    return Error{describe(*issue)};
  }
  const auto answer = decide(std::get<nlohmann::json>(parsed));
  if (const auto* issue = std::get_if<Issue>(&answer)) {
    return Error{describe(*issue)};
  }
  return to_line(std::get<Decision>(answer), policy_->info());
}

}  // namespace aftershock::policies
