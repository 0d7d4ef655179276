#include "gui/why/cause_and_effect.h"

#include <algorithm>

#include "base/assert.h"
#include "gui/trace/find.h"

namespace aftershock::gui {

namespace {

EntityFaultCost fault_cost_from(const Account& account, std::string_view fault) {
  EntityFaultCost told{.entity = account.entity, .recovery = {}, .us = {}};
  if (const Recovered* recovered = recovery_of(account, fault)) {
    told.recovery = *recovered;
  }
  if (const FaultCost* cost = fault_cost_of(account, fault)) {
    told.us = cost->us;
  }
  return told;
}

}  // namespace

FaultCard fault_card(const Trace& trace, const std::vector<Account>& accounts,
                     std::uint32_t fault) {
  AFTERSHOCK_ASSERT(fault < trace.faults.size());
  FaultCard card;
  card.fault = fault;
  const TextId id = trace.faults[fault].id;
  for (std::uint32_t i = 0; i < trace.decisions.size(); ++i) {
    if (id != kNoText && trace.decisions[i].fault == id) {
      card.decisions.push_back(i);
    }
  }
  const auto [first, last] = effects_of(trace, fault);
  card.effects.assign(trace.effects.begin() + static_cast<std::ptrdiff_t>(first),
                      trace.effects.begin() + static_cast<std::ptrdiff_t>(last));
  std::ranges::copy_if(trace.rolled_back, std::back_inserter(card.rolled_back),
                       [fault](const RolledBack& each) { return each.fault == fault; });
  for (const Account& account : accounts) {
    EntityFaultCost cost = fault_cost_from(account, trace.texts[id]);
    if (cost.recovery || !cost.us.empty()) {
      const auto said = cost.recovery ? cost.recovery->detected_us : std::nullopt;
      if (said && (!card.detected_us || *said < *card.detected_us)) {
        card.detected_us = said;
      }
      card.fault_costs.push_back(std::move(cost));
    }
  }
  if (!card.detected_us && !card.decisions.empty()) {
    card.detected_us = trace.decisions[card.decisions.front()].t_us;
  }
  return card;
}

std::optional<std::uint32_t> fault_of_span(const Trace& trace, std::uint32_t lane,
                                           std::uint32_t span) {
  const auto found = std::ranges::find_if(
      trace.effects, [&](const Effect& each) { return each.lane == lane && each.span == span; });
  return found == trace.effects.end() || found->fault >= trace.faults.size()
             ? std::nullopt
             : std::optional(found->fault);
}

std::optional<std::uint32_t> fault_of_decision(const Trace& trace, std::uint32_t decision) {
  return decision < trace.decisions.size() ? fault_with_id(trace, trace.decisions[decision].fault)
                                           : std::nullopt;
}

std::optional<std::uint32_t> first_decision(const Trace& trace, std::uint32_t fault) {
  const TextId id = fault < trace.faults.size() ? trace.faults[fault].id : kNoText;
  const auto found = std::ranges::find_if(
      trace.decisions, [id](const Decision& each) { return id != kNoText && each.fault == id; });
  return found == trace.decisions.end()
             ? std::nullopt
             : std::optional(static_cast<std::uint32_t>(found - trace.decisions.begin()));
}

}  // namespace aftershock::gui
