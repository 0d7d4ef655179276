#include "gui/why/charges.h"

#include <algorithm>
#include <utility>

#include "gui/trace/line_texts.h"

namespace aftershock::gui {

namespace {

void take_moves(std::vector<Charge>& moves, const DecisionCard& card) {
  for (const StepTold& step : card.steps) {
    for (const reports::BudgetMove& move : step.budgets) {
      moves.push_back({.decision = card.decision,
                       .t_us = card.t_us,
                       .entity = card.entity,
                       .fault = card.fault,
                       .rule = step.rule,
                       .to = step.word.empty() ? step.to : step.word,
                       .move = move});
    }
  }
}

}  // namespace

std::vector<Charge> budget_moves(const Trace& trace, const std::string& path, std::uint32_t entity,
                                 const std::atomic<bool>* stop) {
  std::vector<std::uint32_t> decisions;
  std::vector<std::uint32_t> lines;
  for (std::uint32_t i = 0; i < trace.decisions.size(); ++i) {
    const Decision& each = trace.decisions[i];
    if (each.line != 0 && (entity == kNone || each.entity == entity)) {
      decisions.push_back(i);
      lines.push_back(each.line);
    }
  }
  std::vector<Charge> moves;
  line_texts(trace, path, lines, [&](std::uint32_t line, std::string_view text) {
    // Most decisions move nothing, and need no more than this look.
    if (text.find("\"budget\"") != std::string_view::npos) {
      const auto at = std::ranges::lower_bound(lines, line) - lines.begin();
      take_moves(moves, card_from(trace, decisions[static_cast<std::size_t>(at)], text));
    }
    return stop == nullptr || !*stop;
  });
  return moves;
}

ChainOfCharges chain_of_charges(const std::vector<Charge>& moves, const Account& account) {
  ChainOfCharges chain;
  chain.outcome = account.outcome;
  chain.reason = account.reason;
  for (const Charge& each : moves) {
    if (each.entity == account.entity && account.reason == "exhausted(" + each.move.budget + ")") {
      chain.budget = each.move.budget;
      break;
    }
  }
  for (const Charge& each : moves) {
    if (chain.budget.empty() && each.entity == account.entity && each.move.exhausted) {
      chain.budget = each.move.budget;
    }
  }
  if (chain.budget.empty()) {
    return chain;
  }
  for (const Charge& each : moves) {
    if (each.entity == account.entity && each.move.budget == chain.budget) {
      chain.charges.push_back(each);
    }
  }
  for (std::size_t i = chain.charges.size(); i > 0; --i) {
    if (chain.charges[i - 1].move.charged && chain.charges[i - 1].move.exhausted) {
      chain.fatal = i - 1;
      break;
    }
  }
  return chain;
}

}  // namespace aftershock::gui
