#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reports/compare/decisions.h"

namespace aftershock::reports::testing {

/// A step at a time, of job:x and in answer to a fault, that gives orders of these types.
inline DecisionStep sample_step(std::int64_t t_us, std::string fault, std::string rule,
                                const std::vector<std::string>& orders = {}) {
  DecisionStep step;
  step.t_us = t_us;
  step.owner = "job:x";
  step.fault = std::move(fault);
  step.rule = std::move(rule);
  step.from = "RUNNING";
  step.to = "RESTARTING";
  for (const std::string& type : orders) {
    step.commands.push_back({.type = type, .words = type, .id = {}, .epoch = {}});
  }
  return step;
}

}  // namespace aftershock::reports::testing
