#include "sim/drivers/driver_runs.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "base/assert.h"

namespace aftershock::sim::drivers {

std::optional<std::uint32_t> session_of(const nlohmann::json& durable) {
  static const nlohmann::json::json_pointer kSession("/experiment_state/session");
  if (!durable.is_object() || !durable.contains(kSession) ||
      !durable.at(kSession).is_number_unsigned()) {
    return std::nullopt;
  }
  return durable.at(kSession).get<std::uint32_t>();
}

bool leaves_session(const DriverRun& run, const nlohmann::json& durable) {
  const auto session = session_of(durable);
  return session && session != run.found_session;
}

std::size_t DriverRuns::begin(DriverRun run) {
  runs_.push_back(std::move(run));
  return runs_.size() - 1;
}

void DriverRuns::finish(std::size_t number, std::int64_t t_us, std::optional<std::uint32_t> fault) {
  DriverRun& run = (*this)[number];
  AFTERSHOCK_ASSERT(!run.ended_us && t_us >= run.started_us);
  run.ended_us = t_us;
  run.ended_by = fault;
}

DriverRun& DriverRuns::operator[](std::size_t number) {
  AFTERSHOCK_ASSERT(number < runs_.size());
  return runs_[number];
}

const DriverRun& DriverRuns::operator[](std::size_t number) const {
  AFTERSHOCK_ASSERT(number < runs_.size());
  return runs_[number];
}

}  // namespace aftershock::sim::drivers
