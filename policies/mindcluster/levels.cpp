#include <algorithm>

#include "policies/mindcluster/controller.h"

// The reaction to a fault of a chip, by its level (modelarts.md 6.1).
namespace aftershock::policies::mindcluster {

void MindCluster::on(Turn& turn, Index at, const DeviceFault& fault) {
  if (fault.ranks.empty()) {
    turn.not_current.push_back(at);
    return;
  }
  const TimeUs now_us = turn.batch.t_us;
  if (config_.separates_manually && is_software(memory_.chips, fault, now_us)) {
    add_step(turn, RuleId::kSoftwareCode, state_, at);
  }
  const auto [level, why] = judge(config_, memory_.chips, fault, now_us);
  if (why != Why::kList) {
    const RuleId rule = why == Why::kUnlisted    ? RuleId::kUnlisted
                        : why == Why::kRelation  ? RuleId::kRelation
                        : why == Why::kFrequency ? RuleId::kFrequency
                                                 : RuleId::kManual;
    add_step(turn, rule, state_, at);
  }
  if (const auto lasts = duration_of(fault); lasts && level < lasts->level) {
    lasting_.push_back({fault, now_us + lasts->longer_than_s * kSecondUs, lasts->level});
  }
  handle(turn, at, fault, level);
}

void MindCluster::handle(Turn& turn, Index at, const DeviceFault& fault, HandlingLevel level) {
  const bool again = level > HandlingLevel::kSubHealthFault &&
                     std::ranges::any_of(memory_.separated, [&](const Separated& one) {
                       return one.node == fault.node;
                     });
  if (again) {
    // It has a fault once more: the time without one begins anew.
    std::erase_if(memory_.separated, [&](const Separated& one) { return one.node == fault.node; });
    memory_.separated.push_back({fault.node, turn.batch.t_us});
  }
  if (level == HandlingLevel::kNotHandleFault) {
    add_step(turn, RuleId::kNotHandled, state_, at);
    return;
  }
  if (level == HandlingLevel::kPreSeparateNpu) {
    separate(turn, RuleId::kPreSeparated, at, fault.node);
    return;
  }
  if (level == HandlingLevel::kSubHealthFault) {
    if (config_.sub_healthy == SubHealthy::kIgnore) {
      add_step(turn, RuleId::kSubHealthIgnored, state_, at);
      return;
    }
    turn.exchange = config_.sub_healthy == SubHealthy::kHotSwitch;
    turn.force = config_.sub_healthy == SubHealthy::kForceExit;
    add_step(turn, turn.exchange ? RuleId::kSubHealthHotSwitch : RuleId::kSubHealthExit, state_,
             at);
  }
  const bool re_executes =
      level == HandlingLevel::kRestartRequest || level == HandlingLevel::kRestartBusiness;
  const bool memory_error = fault.code.ends_with("80E01801");
  turn.retryable = turn.retryable && memory_error && re_executes;
  turn.in_place = turn.in_place && re_executes;
  turn.hardware = at;
  turn.faulty.add(fault.ranks);
  turn.nodes.push_back(fault.node);
}

void MindCluster::separate(Turn& turn, RuleId rule, Index at, NodeId node) {
  Step& step = add_step(turn, rule, state_, at);
  const bool known = std::ranges::any_of(memory_.separated,
                                         [node](const Separated& one) { return one.node == node; });
  if (!known) {
    memory_.separated.push_back({node, turn.batch.t_us});
    step.commands.push_back(gang_.ask<IsolateNode>(node));
  }
}

void MindCluster::release(Turn& turn, Index at) {
  while (config_.fault_free_us && !memory_.separated.empty() &&
         memory_.separated.front().since_us + *config_.fault_free_us <= turn.batch.t_us) {
    add_step(turn, RuleId::kReleased, state_, at)
        .commands.push_back(gang_.ask<ReleaseNode>(memory_.separated.front().node));
    memory_.separated.erase(memory_.separated.begin());
  }
}

}  // namespace aftershock::policies::mindcluster
