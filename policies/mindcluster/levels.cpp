#include <algorithm>
#include <optional>
#include <vector>

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
  const Judgement judgement = judge(config_, memory_.chips, fault, now_us);
  if (judgement.why != Why::kList) {
    const RuleId rule = judgement.why == Why::kUnlisted    ? RuleId::kUnlisted
                        : judgement.why == Why::kRelation  ? RuleId::kRelation
                        : judgement.why == Why::kFrequency ? RuleId::kFrequency
                                                           : RuleId::kManual;
    add_step(turn, rule, state_, at);
  }
  if (const auto lasts = duration_of(fault); lasts && judgement.level < lasts->level) {
    lasting_.push_back({fault, now_us + lasts->longer_than_s * kSecondUs, lasts->level});
  }
  handle(turn, at, fault, judgement);
}

void MindCluster::handle(Turn& turn, Index at, const DeviceFault& fault,
                         const Judgement& judgement) {
  const HandlingLevel level = judgement.level;
  Separated node{fault.node, turn.batch.t_us, judgement.released_after_us};
  const auto known = std::ranges::find(memory_.separated, fault.node, &Separated::node);
  if (known != memory_.separated.end() && level > HandlingLevel::kSubHealthFault) {
    known->since_us = turn.batch.t_us;  // the time without a fault begins anew
    if (level < HandlingLevel::kPreSeparateNpu) {
      // A fault that would not separate by itself does not change when the separation ends.
      node.released_after_us = known->released_after_us;
    }
  }
  if (level == HandlingLevel::kNotHandleFault) {
    add_step(turn, RuleId::kNotHandled, state_, at);
    return;
  }
  if (level == HandlingLevel::kPreSeparateNpu) {
    separate(turn, RuleId::kPreSeparated, at, node);
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
  turn.nodes.push_back(node);
}

// A node that was separated before may have been repaired since, which nobody tells.
void MindCluster::separate(Turn& turn, RuleId rule, Index at, const Separated& node) {
  Step& step = add_step(turn, rule, state_, at);
  if (std::ranges::find(turn.separated, node.node) == turn.separated.end()) {
    turn.separated.push_back(node.node);
    step.commands.push_back(gang_.ask<IsolateNode>(node.node));
  }
  const auto known = std::ranges::find(memory_.separated, node.node, &Separated::node);
  if (known == memory_.separated.end()) {
    memory_.separated.push_back(node);
  } else if (!node.released_after_us || !known->released_after_us) {
    known->released_after_us.reset();
  } else {
    known->released_after_us = std::max(known->released_after_us, node.released_after_us);
  }
}

void MindCluster::release(Turn& turn, Index at) {
  std::vector<Separated> due;
  std::erase_if(memory_.separated, [&](const Separated& one) {
    const bool over =
        one.released_after_us && one.since_us + *one.released_after_us <= turn.batch.t_us;
    if (over) {
      due.push_back(one);
    }
    return over;
  });
  for (const Separated& one : due) {
    add_step(turn, RuleId::kReleased, state_, at)
        .commands.push_back(gang_.ask<ReleaseNode>(one.node));
  }
}

}  // namespace aftershock::policies::mindcluster
