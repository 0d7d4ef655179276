#include "reports/compare/decision_text.h"

#include <fmt/format.h>

#include "reports/render/format.h"

namespace aftershock::reports {

namespace {

std::string orders_text(const DecisionStep& step, bool unicode) {
  std::string out;
  for (const OrderedCommand& command : step.commands) {
    out += (out.empty() ? "orders " : "; ") + printable(command.words, unicode);
  }
  return out.empty() ? "orders nothing" : out;
}

/// One run's half of a line.
std::string half_of_line(const std::optional<DecisionStep>& step, const Divergence& divergence,
                         bool unicode) {
  if (!step) {
    return "nothing further";
  }
  std::string out = step_text(*step, unicode);
  if (divergence.differs == Differs::kCommands) {
    out += ", " + orders_text(*step, unicode);
  }
  if (divergence.differs == Differs::kStates) {
    out += ", " + states_text(*step, unicode);
  }
  if (divergence.differs == Differs::kFault) {
    out += step->fault.empty() ? ", answers no fault"
                               : ", answers fault " + printable(step->fault, unicode);
  }
  if (step->t_us != divergence.a_us) {
    out += " at " + format_duration(step->t_us);
  }
  return out;
}

/// The step of one run, below its name.
void add_step(std::string& out, std::string_view name, const std::optional<DecisionStep>& step,
              bool with_saw, const Style& style) {
  const bool unicode = style.unicode;
  const auto add = [&](std::size_t indent, const std::string& text) {
    out += wrapped(text, indent, style.width);
  };
  if (!step) {
    return add(2, fmt::format("{}: nothing further", name));
  }
  add(2,
      fmt::format("{} at {}: {}, {}{}", name, format_duration(step->t_us),
                  printable(step->rule, unicode), states_text(*step, unicode),
                  step->word.empty() ? "" : fmt::format(" ({})", printable(step->word, unicode))));
  for (const std::string& event : step->saw) {
    if (with_saw) {
      add(4, "saw " + printable(event, unicode));
    }
  }
  for (const BudgetMove& move : step->budgets) {
    add(4, "budget " + budget_text(move, unicode));
  }
  for (const OrderedCommand& command : step->commands) {
    add(4, "orders " + printable(command.words, unicode));
  }
  if (step->commands.empty()) {
    add(4, "orders nothing");
  }
  for (const Rejected& rejected : step->rejected) {
    add(4, fmt::format("rejects {}: {}", printable(rejected.what, unicode),
                       printable(rejected.why, unicode)));
  }
}

}  // namespace

std::string budget_text(const BudgetMove& move, bool unicode) {
  const std::string limit = move.limit ? fmt::format(" of {}", *move.limit) : ", no limit";
  const std::string budget = printable(move.budget, unicode);
  const std::string cause = printable(move.cause, unicode);
  return (move.charged
              ? fmt::format("{} {} to {}{} ({})", budget, move.before, move.used, limit, cause)
              : fmt::format("{} {}{}, {} is exempt", budget, move.used, limit, cause)) +
         (move.exhausted ? ", exhausted" : "");
}

std::string step_text(const DecisionStep& step, bool unicode) {
  std::string out = printable(step.rule, unicode);
  for (const BudgetMove& move : step.budgets) {
    out += ", " + budget_text(move, unicode);
  }
  return out;
}

std::string about(const Divergence& divergence, bool unicode) {
  const std::string owner = printable(divergence.owner, unicode);
  if (!divergence.fault.empty()) {
    return fmt::format("fault {} of {}", printable(divergence.fault, unicode), owner);
  }
  return divergence.false_alarm ? fmt::format("a hang that was none, of {}", owner) : owner;
}

std::string states_text(const DecisionStep& step, bool unicode) {
  const std::string to = printable(step.to, unicode);
  return step.from == step.to ? fmt::format("stays {}", to)
                              : fmt::format("{} to {}", printable(step.from, unicode), to);
}

std::string divergence_line(const Divergence& divergence, bool unicode) {
  return fmt::format("at {}, {}: {} | {}", format_duration(divergence.a_us),
                     about(divergence, unicode), half_of_line(divergence.a, divergence, unicode),
                     half_of_line(divergence.b, divergence, unicode));
}

std::string divergence_text(const Divergence& divergence, std::string_view name_a,
                            std::string_view name_b, const Style& style) {
  const bool unicode = style.unicode;
  std::string out = wrapped(
      fmt::format("at {}, {}", format_duration(divergence.a_us), about(divergence, unicode)), 2,
      style.width);
  const bool alike = divergence.a && divergence.b && divergence.a->saw == divergence.b->saw;
  if (alike) {
    for (const std::string& event : divergence.a->saw) {
      out += wrapped("both saw " + printable(event, unicode), 4, style.width);
    }
  }
  add_step(out, printable(name_a, unicode), divergence.a, !alike, style);
  add_step(out, printable(name_b, unicode), divergence.b, !alike, style);
  return out;
}

}  // namespace aftershock::reports
