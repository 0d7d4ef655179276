#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "policies/api/decision.h"
#include "policies/api/events.h"
#include "policies/api/json.h"
#include "policies/api/policy.h"
#include "policies/external/messages.h"
#include "sim/control/external/external_source.h"

namespace aftershock::sim::control {

/// The decision that an answer to a batch holds.
struct Decided {
  policies::Decision decision;
  policies::wire::Standing standing;
};

/// Reads it, or says in words what is wrong. `state`: the one that the policy was in. Alternatives
/// that were rejected refer to `texts`, which it replaces; the vendor's words to those of `source`.
std::variant<Decided, std::string> read_decide(std::string_view line, const policies::Batch& batch,
                                               const policies::PolicyInfo& info,
                                               std::uint16_t state, ExternalSource& source,
                                               std::deque<std::string>& texts);

/// The fault of a watch with which the world would look for ever: a period of 0, or metrics of
/// polls that there are not; empty: it has none.
inline std::string_view endless(const policies::Watch& watch) {
  const bool polled = watch.poll && watch.metrics && watch.poll->epoch == watch.metrics->epoch;
  return watch.poll && watch.poll->period_us == 0 ? "poll/period_us: got 0, expected a period"
         : watch.capacity && watch.capacity->query_period_us == 0
             ? "capacity/query_period_us: got 0, expected a period"
         : watch.capacity && watch.capacity->request_period_us == 0
             ? "capacity/request_period_us: got 0, expected a period"
         : watch.drain && watch.drain->period_us == 0 ? "drain/period_us: got 0, expected a period"
         : watch.hang && watch.hang->period_us == 0   ? "hang/period_us: got 0, expected a period"
         : watch.metrics && !polled ? "metrics: expected a poll of the same epoch beside it"
                                    : "";
}

/// The states of trials that a policy reports. The vendor's words are kept by `source`.
policies::ReadResult<std::vector<policies::TrialState>> read_trials(const nlohmann::json& trials,
                                                                    ExternalSource& source);

}  // namespace aftershock::sim::control
