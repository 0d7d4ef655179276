#include "reports/render/story.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "reports/render/format.h"
#include "reports/render/table.h"

namespace aftershock::reports {

namespace {

using Align = Table::Align;

int rank_of(const std::string& outcome) {
  return outcome == "failed" ? 0 : outcome == "aborted" ? 1 : outcome == "completed" ? 3 : 2;
}

/// The charge that a budget's end is put down to: the last one that counted.
const Charge* fatal_charge(const BudgetSummary& budget) {
  if (!budget.exhausted) {
    return nullptr;
  }
  const auto last = std::find_if(budget.charges.rbegin(), budget.charges.rend(),
                                 [](const Charge& charge) { return !charge.exempt; });
  return last == budget.charges.rend() ? nullptr : &*last;
}

std::string short_rule(const Charge& charge) {
  // Every rule's id begins with the policy, which is told elsewhere.
  return charge.rule.substr(charge.rule.find('.') + 1);
}

std::string exemption(const Charge& charge) {
  return charge.rule.empty() ? fmt::format("exempt: {} does not count", charge.cause)
                             : fmt::format("exempt: {}", short_rule(charge));
}

/// ", and waited for nodes for 97.0 % of it": where that was most of its time; else nothing. It
/// waits for those that are being made, too.
template <class Summary>
std::string wait_words(const Summary& job) {
  const std::int64_t waited_us = job.ledger_us[index_of(Bucket::kWaitingForCapacity)] +
                                 job.ledger_us[index_of(Bucket::kProvisioning)];
  const std::int64_t all_us =
      std::accumulate(job.ledger_us.begin(), job.ledger_us.end(), std::int64_t{0});
  return all_us > 0 && waited_us > all_us / 2
             ? fmt::format(", and waited for nodes for {} of it", format_share(waited_us, all_us))
             : std::string();
}

constexpr std::string_view kUseful = "; useful work ";

/// "; useful work 79.0 % of 30d 00:00:00", or of its own time where it completed.
template <class Summary>
std::string useful_words(const Summary& job) {
  if (job.useful.of_us == 0) {
    return {};
  }
  const std::string of = job.outcome == "completed" || job.useful.of_us == job.wall_us
                             ? std::string()
                             : " of " + format_duration(job.useful.of_us);
  return fmt::format("{}{}{}", kUseful, format_share(job.useful.us, job.useful.of_us), of);
}

/// "; 56 of 200 trials ended as ERROR": those that were given up, also where the search completed.
std::string given_up_words(const ExperimentSummary& experiment) {
  std::int64_t trials = 0;
  std::int64_t errors = 0;
  for (const auto& [status, count] : experiment.statuses) {
    trials += count;
    errors += status == "ERROR" ? count : 0;
  }
  return errors == 0 ? std::string()
                     : fmt::format("; {} of {} trial{} ended as ERROR", format_count(errors),
                                   format_count(trials), trials == 1 ? "" : "s");
}
std::string given_up_words(const JobSummary& /*job*/) { return {}; }

std::string_view end_words(EndState at_end) {
  return at_end == EndState::kWaiting      ? " waits at the end"
         : at_end == EndState::kStarting   ? " is starting at the end"
         : at_end == EndState::kRecovering ? " is recovering at the end"
                                           : " is still running";
}

template <class Summary>
std::string outcome_words(const Summary& job, bool submitted, const Style& style) {
  const std::string name = shorten(printable(job.name, style.unicode), 60, style.unicode);
  const std::string reason = printable(job.reason, style.unicode);
  const std::string after = " after " + format_duration(job.wall_us) + wait_words(job) +
                            given_up_words(job) + useful_words(job);
  if (job.outcome == "completed") {
    return style.paint(name + " completed", Colour::kGood) + after;
  }
  if (!submitted) {
    return style.paint(name + " was not submitted before the end", Colour::kWarning);
  }
  if (job.outcome == "running") {
    const bool stuck = job.at_end == EndState::kStuck;
    return style.paint(name + std::string(stuck ? " is STUCK" : end_words(job.at_end)),
                       stuck ? Colour::kBad : Colour::kWarning) +
           (stuck || reason.empty() ? "" : ": " + reason) + after;
  }
  const std::string word = job.outcome == "failed"    ? "FAILED"
                           : job.outcome == "aborted" ? "ABORTED"
                                                      : printable(job.outcome, style.unicode);
  return style.paint(name + " " + word, Colour::kBad) + (reason.empty() ? "" : ": " + reason) +
         after;
}

/// An outcome on as many lines as it needs.
std::string on_lines(const std::string& line, const Style& style) {
  const std::size_t useful = line.rfind(kUseful);
  if (display_width(line) <= style.width || useful == line.npos) {
    return wrapped(line, 0, style.width);
  }
  return wrapped(line.substr(0, useful + 1), 0, style.width) +
         wrapped(line.substr(useful + 2), 2, style.width);
}

}  // namespace

std::string outcome_line(const JobSummary& job, const Style& style) {
  return outcome_words(job, was_submitted(job), style);
}

std::string outcome_line(const ExperimentSummary& experiment, const Style& style) {
  const bool submitted =
      experiment.outcome != "running" || experiment.wall_us > 0 || experiment.attempts > 0;
  return outcome_words(experiment, submitted, style);
}

std::string outcome_text(const JobSummary& job, const Style& style) {
  return on_lines(outcome_line(job, style), style);
}

std::string outcome_text(const ExperimentSummary& experiment, const Style& style) {
  return on_lines(outcome_line(experiment, style), style);
}

bool was_submitted(const JobSummary& job) {
  return job.outcome != "running" || job.wall_us > 0 || job.attempts > 0;
}

std::vector<std::string> reason_lines(std::string_view reason) {
  std::vector<std::string> lines;
  while (!reason.empty()) {
    const std::string_view line = reason.substr(0, reason.find('\n'));
    reason.remove_prefix(std::min(reason.size(), line.size() + 1));
    const std::size_t begin = line.find_first_not_of(" \t");
    const bool command =
        !lines.empty() && begin != line.npos && (line[begin] == ':' || line[begin] == '#');
    lines.push_back((command ? "  | " : "") + std::string(line));
  }
  return lines;
}

std::string verdict_line(std::string_view verdict, std::string_view reason, const Style& style) {
  const auto known = verdict_named(verdict);
  std::string line =
      style.paint(known ? fmt::format("verdict {} (exit code {})", verdict, exit_code(*known))
                        : fmt::format("verdict {}", verdict),
                  Colour::kBad);
  std::string text;
  for (const std::string& reason_line : reason_lines(reason)) {
    line += (text.empty() ? ": " : "") + printable(reason_line, style.unicode);
    text += wrapped(line, 0, style.width);
    line.clear();
  }
  if (text.empty()) {
    return line + '\n';
  }
  // A line that begins where another was full must not read as a command of a CI system either.
  std::string safe;
  for (const std::string& each : reason_lines(text)) {
    safe += each + '\n';
  }
  return safe;
}

std::vector<const JobSummary*> by_outcome(const std::vector<JobSummary>& jobs) {
  std::vector<const JobSummary*> order;
  order.reserve(jobs.size());
  for (const JobSummary& job : jobs) {
    order.push_back(&job);
  }
  // Jobs of one outcome stay in the scenario's order, which is that of their addresses.
  std::ranges::sort(order, {},
                    [](const JobSummary* job) { return std::pair(rank_of(job->outcome), job); });
  return order;
}

const std::pair<std::string, BudgetSummary>* fatal_budget(std::string_view reason,
                                                          const Budgets& budgets) {
  const auto named = std::ranges::find_if(budgets, [reason](const auto& budget) {
    return reason == fmt::format("exhausted({})", budget.first);
  });
  if (named != budgets.end()) {
    return &*named;
  }
  const auto exhausted =
      std::ranges::find_if(budgets, [](const auto& budget) { return budget.second.exhausted; });
  return exhausted == budgets.end() ? nullptr : &*exhausted;
}

std::string budget_use(const BudgetSummary& budget) {
  if (!budget.limit) {
    return fmt::format("{} used, unlimited", format_count(budget.used));
  }
  if (budget.by_agent) {
    const std::string left = budget.exhausted
                                 ? std::string("exhausted by one of them")
                                 : fmt::format("{} left to the one that used most",
                                               format_count(*budget.limit - budget.used));
    return fmt::format("{} used by all agents together, {}", format_count(budget.used), left);
  }
  return fmt::format("{} of {} used{}", format_count(budget.used), format_count(*budget.limit),
                     budget.exhausted ? ", exhausted" : "");
}

std::string charge_causes(const BudgetSummary& budget, const Style& style) {
  using Counts = std::vector<std::pair<std::string, std::int64_t>>;
  // In the order in which they first came.
  Counts charged;
  Counts exempt;
  const Charge* last = nullptr;  // that was not exempt: many a budget is charged for one cause
  std::size_t last_count = 0;
  for (const Charge& charge : budget.charges) {
    if (last != nullptr && !charge.exempt && charge.cause == last->cause) {
      ++charged[last_count].second;
      continue;
    }
    Counts& counts = charge.exempt ? exempt : charged;
    const std::string name = printable(
        charge.exempt ? fmt::format("{} ({})", charge.cause, short_rule(charge)) : charge.cause,
        style.unicode);
    const auto found =
        std::ranges::find(counts, name, &std::pair<std::string, std::int64_t>::first);
    const auto at = static_cast<std::size_t>(found - counts.begin());
    if (found == counts.end()) {
      counts.emplace_back(name, 1);
    } else {
      ++found->second;
    }
    last = charge.exempt ? last : &charge;
    last_count = charge.exempt ? last_count : at;
  }
  std::string out;
  const auto add = [&out](std::string_view before, const Counts& counts) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      out += fmt::format("{}{} {}", i > 0 ? ", " : before, format_count(counts[i].second),
                         counts[i].first);
    }
  };
  add("", charged);
  add(out.empty() ? "exempt: " : "; exempt: ", exempt);
  return out;
}

std::string charge_lines(const BudgetSummary& budget, const Style& style, std::size_t indent,
                         bool of_trials) {
  Table table({{Align::kRight},
               {Align::kLeft, true},
               {Align::kLeft, true},
               {},
               {Align::kLeft, true},
               {Align::kRight},
               {Align::kLeft, true}});
  const Charge* fatal = of_trials ? nullptr : fatal_charge(budget);
  const auto show = [&style](const std::string& text) {
    return text.empty() ? std::string("-") : printable(text, style.unicode);
  };
  const std::string limit = budget.limit ? format_count(*budget.limit) : "unlimited";
  // Nobody dies of a budget without a limit, so its beginning and end will do.
  constexpr std::size_t kShownAtEachEnd = 10;
  const std::size_t count = budget.charges.size();
  const bool folded = (of_trials || !budget.limit) && count > 2 * kShownAtEachEnd + 1;
  for (std::size_t i = 0; i < count; ++i) {
    if (folded && i == kShownAtEachEnd) {
      table.note(fmt::format("({} more)",
                             format_count(static_cast<std::int64_t>(count - 2 * kShownAtEachEnd))));
      i = count - kShownAtEachEnd;
    }
    const Charge& charge = budget.charges[i];
    const bool is_fatal = &charge == fatal;
    table.row(
        {format_duration(charge.t_us), show(charge.fault), show(charge.what), show(charge.cause),
         show(charge.decision), fmt::format("{}/{}", format_count(charge.used), limit),
         is_fatal        ? "<- fatal"
         : charge.exempt ? printable(exemption(charge), style.unicode)
                         : ""},
        is_fatal        ? Colour::kBad
        : charge.exempt ? Colour::kFaint
                        : Colour::kPlain);
  }
  return table.text(style, indent);
}

std::string false_alarm_lines(const JobSummary& job, const Style& style) {
  if (job.false_alarms == 0) {
    return {};
  }
  return wrapped(fmt::format("false alarms: {} a hang was suspected and nothing hung",
                             job.false_alarms == 1 ? std::string("once")
                                                   : format_count(job.false_alarms) + " times"),
                 2, style.width);
}

std::string_view nothing_recovered(const JobSummary& job) {
  return job.false_alarms == 0 ? "  nothing had to be recovered from\n"
                               : "  no fault had to be recovered from\n";
}

std::string death_lines(const JobSummary& job, const Style& style) {
  if (job.outcome != "failed" && job.outcome != "aborted") {
    return {};
  }
  const std::string heading = "  " + style.paint("why it died", Colour::kHeading);
  const auto* budget = fatal_budget(job.reason, job.budgets);
  if (budget == nullptr) {
    return fmt::format("{}: {}; no retry budget ran out\n{}", heading,
                       job.reason.empty() ? "for a reason that was not given"
                                          : printable(job.reason, style.unicode),
                       job.unplaced.empty()
                           ? ""
                           : fmt::format("    {}\n", printable(job.unplaced, style.unicode)));
  }
  const std::string name = printable(budget->first, style.unicode);
  if (budget->second.charges.empty()) {
    return fmt::format("{}: {}, {}\n", heading, name, budget_use(budget->second));
  }
  return fmt::format("{}: every charge of {}\n{}", heading, name,
                     charge_lines(budget->second, style, 4));
}

}  // namespace aftershock::reports
