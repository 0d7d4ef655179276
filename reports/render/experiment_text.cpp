#include "reports/render/experiment_text.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "reports/render/bucket_table.h"
#include "reports/render/format.h"
#include "reports/render/story.h"
#include "reports/render/table.h"

namespace aftershock::reports {

namespace {

using Align = Table::Align;

constexpr std::size_t kTrialsShown = 5;

/// The few trials that failed or lost something, worst first.
std::vector<const TrialSummary*> worst_trials(const std::vector<TrialSummary>& trials) {
  std::vector<const TrialSummary*> worst;
  for (const TrialSummary& trial : trials) {
    if (trial.failures > 0 || trial.lost_us > 0) {
      worst.push_back(&trial);
    }
  }
  const std::size_t shown = std::min(worst.size(), kTrialsShown);
  // Of two alike the earlier one, which is that of the lower address.
  std::ranges::partial_sort(worst, worst.begin() + static_cast<std::ptrdiff_t>(shown), {},
                            [](const TrialSummary* trial) {
                              return std::tuple(-trial->lost_us, -trial->failures, trial);
                            });
  worst.resize(shown);
  return worst;
}

std::string budget_lines(const ExperimentSummary& experiment, const Style& style) {
  if (experiment.budgets.empty()) {
    return {};
  }
  std::string out =
      "  " + style.paint("retry budgets, of the trial that used most", Colour::kHeading);
  Table table({{Align::kLeft, true}, {}, {Align::kLeft, true}});
  for (const auto& [name, budget] : experiment.budgets) {
    table.row({printable(name, style.unicode), budget_use(budget), charge_causes(budget, style)},
              budget.exhausted ? Colour::kBad : Colour::kPlain);
  }
  return out + '\n' + table.text(style, 4);
}

}  // namespace

std::string trial_lines(const ExperimentSummary& experiment, const Style& style) {
  const auto worst = worst_trials(experiment.trials);
  if (worst.empty()) {
    return {};
  }
  std::string out = "  " + style.paint("trials, those that lost most first", Colour::kHeading);
  Table table({{Align::kLeft, true},
               {Align::kLeft, true},
               {Align::kRight},
               {Align::kRight},
               {Align::kRight},
               {Align::kRight}});
  table.row({"trial", "status", "iterations", "failures", "restored", "lost"}, Colour::kFaint);
  for (const TrialSummary* trial : worst) {
    table.row({printable(trial->id, style.unicode), printable(trial->status, style.unicode),
               format_count(trial->iterations), format_count(trial->failures),
               format_count(trial->restores), format_duration(trial->lost_us)});
  }
  return out + '\n' + table.text(style, 4);
}

std::string trial_counts(const ExperimentSummary& experiment, const Style& style) {
  std::string trials =
      fmt::format("trials {}", format_count(static_cast<std::int64_t>(experiment.trials.size())));
  for (const auto& [status, count] : experiment.statuses) {
    if (count != 0) {
      trials += fmt::format(", {} {}", printable(status, style.unicode), format_count(count));
    }
  }
  return trials;
}

std::string restore_lines(const ExperimentSummary& experiment, const Style& style) {
  std::string out;
  for (const RestoreSummary& restore : experiment.restores) {
    out += fmt::format("  restored at {} with {} trials\n", format_duration(restore.t_us),
                       format_count(restore.trials));
  }
  if (!experiment.lost_trials.empty()) {
    constexpr std::size_t kNamed = 10;
    const std::size_t count = experiment.lost_trials.size();
    std::string names;
    for (std::size_t i = 0; i < std::min(count, kNamed); ++i) {
      names += (i > 0 ? ", " : ": ") + printable(experiment.lost_trials[i], style.unicode);
    }
    out += wrapped(fmt::format("trials lost to the restore: {}{}{}",
                               format_count(static_cast<std::int64_t>(count)), names,
                               count > kNamed ? ", ..." : ""),
                   2, style.width);
  }
  return out;
}

std::string experiment_text(const ExperimentSummary& experiment, const Style& style) {
  if (experiment.outcome == "running" && experiment.wall_us == 0 && experiment.attempts == 0) {
    return {};
  }
  const auto show = [&](std::string_view text) { return printable(text, style.unicode); };
  std::string out =
      '\n' + style.paint(shorten(show(experiment.name), 60, style.unicode), Colour::kHeading);
  if (!experiment.policy.empty()) {
    out += " under " + show(experiment.policy);
  }
  if (!experiment.vendor_state.empty()) {
    out += ", ended as " + show(experiment.vendor_state);
  }
  out += '\n';
  out +=
      wrapped(fmt::format("{}; attempts {}, wall {}", trial_counts(experiment, style),
                          format_count(experiment.attempts), format_duration(experiment.wall_us)),
              2, style.width);
  out += bucket_table("where the trials' time went", experiment.ledger_us, style);
  if (experiment.lost_us == 0 && experiment.lost_steps == 0) {
    out += "  lost progress: none\n";
  } else {
    out += wrapped(
        fmt::format(
            "lost progress: {} steps, {}, {}", format_count(experiment.lost_steps),
            format_duration(experiment.lost_us),
            format_accelerator_time(experiment.lost_accelerator_us, show(style.accelerator))),
        2, style.width);
  }
  out += restore_lines(experiment, style);
  return out + trial_lines(experiment, style) + budget_lines(experiment, style);
}

}  // namespace aftershock::reports
