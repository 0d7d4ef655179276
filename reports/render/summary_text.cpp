#include "reports/render/summary_text.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/json/json_as_text.h"
#include "reports/render/bucket_table.h"
#include "reports/render/experiment_text.h"
#include "reports/render/format.h"
#include "reports/render/story.h"
#include "reports/render/table.h"

namespace aftershock::reports {

namespace {

using Align = Table::Align;

constexpr std::size_t kFaultsShown = 5;

class SummaryText {
 public:
  SummaryText(const RunSummary& run, const SummaryTextOptions& options)
      : run_(run), style_(options.style), host_s_(options.host_s), real_(options.real) {}

  std::string text() {
    outcomes();
    for (const JobSummary* job : by_outcome(run_.jobs)) {
      if (!was_submitted(*job)) {
        continue;
      }
      out_ += '\n';
      job_numbers(*job);
      out_ += bucket_table("where the time went", job->ledger_us, style_);
      progress(*job);
      faults(*job);
      budgets(*job);
      out_ += death_lines(*job, style_);
    }
    for (const ExperimentSummary& experiment : run_.experiments) {
      out_ += experiment_text(experiment, style_);
    }
    out_ += '\n';
    expectations();
    invariants();
    warnings();
    cluster();
    run_line();
    return std::move(out_);
  }

 private:
  void outcomes();
  void job_numbers(const JobSummary& job);
  void progress(const JobSummary& job);
  void faults(const JobSummary& job);
  void budgets(const JobSummary& job);
  void expectations();
  void invariants();
  void warnings();
  void cluster();
  void not_usable();
  void run_line();

  [[nodiscard]] std::string show(std::string_view text) const {
    return printable(text, style_.unicode);
  }
  void heading(std::string_view text) {
    out_ += "  " + style_.paint(text, Colour::kHeading) + '\n';
  }

  const RunSummary& run_;
  const Style& style_;
  std::optional<double> host_s_;
  std::string real_;
  std::string out_;
};

void SummaryText::outcomes() {
  for (const JobSummary* job : by_outcome(run_.jobs)) {
    out_ += outcome_text(*job, style_);
  }
  for (const ExperimentSummary& experiment : run_.experiments) {
    out_ += outcome_text(experiment, style_);
  }
  if (run_.jobs.empty() && run_.experiments.empty()) {
    out_ += "no jobs\n";
  }
  if (run_.verdict != Verdict::kPassed) {
    out_ += verdict_line(name_of(run_.verdict), run_.verdict_reason, style_);
  }
}

void SummaryText::job_numbers(const JobSummary& job) {
  const std::string name = shorten(show(job.name), 60, style_.unicode);
  out_ += style_.paint(name, Colour::kHeading);
  if (!job.policy.empty()) {
    out_ += " under " + show(job.policy);
  }
  if (!job.vendor_state.empty()) {
    out_ += ", ended as " + show(job.vendor_state);
  }
  out_ += '\n';
  const std::int64_t productive_us = job.ledger_us[static_cast<std::size_t>(Bucket::kProductive)];
  const std::string steps = job.steps ? fmt::format("steps {} of {}", format_count(job.steps_done),
                                                    format_count(*job.steps))
                                      : fmt::format("steps {}", format_count(job.steps_done));
  out_ += wrapped(
      fmt::format("useful work {} ({} of {}), ETTR {} (productive of wall time)",
                  format_share(job.useful.us, job.useful.of_us), format_duration(job.useful.us),
                  format_duration(job.useful.of_us), format_share(productive_us, job.wall_us)),
      2, style_.width);
  out_ += wrapped(
      fmt::format("wall {}, {}, attempts {}, checkpoints {}", format_duration(job.wall_us), steps,
                  format_count(job.attempts), format_count(job.checkpoints_committed)),
      2, style_.width);
}

void SummaryText::progress(const JobSummary& job) {
  const auto devices = [this](std::int64_t us) {
    return format_accelerator_time(us, show(style_.accelerator));
  };
  if (job.lost_us == 0 && job.lost_steps == 0) {
    out_ += "  lost progress: none\n";
  } else {
    out_ += wrapped(fmt::format("lost progress: {} steps, {}, {}", format_count(job.lost_steps),
                                format_duration(job.lost_us), devices(job.lost_accelerator_us)),
                    2, style_.width);
  }
  constexpr auto kProductive = static_cast<std::size_t>(Bucket::kProductive);
  const std::int64_t unsaved_us =
      job.ledger_accelerator_us[kProductive] - job.useful.accelerator_us;
  const bool shrank = job.reduced_accelerator_us > 0;
  if (unsaved_us > 0) {
    out_ +=
        wrapped(fmt::format("not saved: {} of productive time, which a restart would do again",
                            shrank ? devices(unsaved_us)
                                   : format_duration(job.ledger_us[kProductive] - job.useful.us)),
                2, style_.width);
  }
  if (!job.left_reserved.empty()) {
    out_ += style_.paint(wrapped("left reserved: " + show(job.left_reserved), 2, style_.width),
                         Colour::kWarning);
  }
  if (shrank) {
    out_ += wrapped(fmt::format("smaller than its full size: {} not used; useful work counts an "
                                "hour at half the size as half an hour",
                                devices(job.reduced_accelerator_us)),
                    2, style_.width);
  }
  if (job.stranded_steps != 0 || job.stranded_accelerator_us != 0) {
    out_ +=
        wrapped(fmt::format("stranded in the last checkpoint of a job that did not complete: "
                            "{} steps, {}",
                            format_count(job.stranded_steps), devices(job.stranded_accelerator_us)),
                2, style_.width);
  }
  if (job.stale_accelerator_us != 0) {
    out_ += wrapped(
        fmt::format("held by workers of old attempts: {}", devices(job.stale_accelerator_us)), 2,
        style_.width);
  }
}

/// One fault may be recovered from many times, as where processes restart beside what is broken.
std::string recoveries_heading(const std::vector<Recovery>& recoveries, std::size_t shown) {
  std::vector<std::string_view> faults(recoveries.size());
  std::ranges::transform(recoveries, faults.begin(), &Recovery::fault);
  std::ranges::sort(faults);
  faults.erase(std::ranges::unique(faults).begin(), faults.end());
  const auto count = [](std::size_t of) { return format_count(static_cast<std::int64_t>(of)); };
  const std::string of =
      faults.size() == recoveries.size()
          ? fmt::format("{} faults", count(faults.size()))
          : fmt::format("{} recoveries from {} fault{}", count(recoveries.size()),
                        count(faults.size()), faults.size() == 1 ? "" : "s");
  return shown < recoveries.size()            ? fmt::format("the {} costliest of {}", shown, of)
         : faults.size() == recoveries.size() ? std::string("faults, the costliest first")
                                              : of + ", the costliest first";
}

void SummaryText::faults(const JobSummary& job) {
  out_ += false_alarm_lines(job, style_);
  if (job.recoveries.empty()) {
    out_ += nothing_recovered(job);
    return;
  }
  std::vector<const Recovery*> costliest;
  costliest.reserve(job.recoveries.size());
  for (const Recovery& recovery : job.recoveries) {
    costliest.push_back(&recovery);
  }
  // Of two that cost the same the earlier one, which is that of the lower address.
  std::ranges::sort(costliest, {}, [](const Recovery* recovery) {
    return std::pair(-recovery->cost_us, recovery);
  });
  costliest.resize(std::min(costliest.size(), kFaultsShown));
  heading(recoveries_heading(job.recoveries, costliest.size()));
  Table table({{Align::kRight},
               {Align::kLeft, true},
               {Align::kLeft, true},
               {Align::kRight},
               {Align::kRight}});
  table.row({"detected", "fault", "what", "cost", "lost"}, Colour::kFaint);
  for (const Recovery* recovery : costliest) {
    std::string rules;
    for (const std::string& rule : recovery->rules) {
      rules += (rules.empty() ? "" : ", ") + rule;
    }
    table.row({recovery->detected_us ? format_duration(*recovery->detected_us) : "never",
               show(recovery->fault), show(recovery->what), format_duration(recovery->cost_us),
               format_duration(recovery->lost_us)});
    table.note(rules.empty() ? "not answered" : "answered by " + show(rules));
  }
  out_ += table.text(style_, 4);
}

void SummaryText::budgets(const JobSummary& job) {
  if (job.budgets.empty()) {
    return;
  }
  heading("retry budgets");
  Table table({{Align::kLeft, true}, {}, {Align::kLeft, true}});
  for (const auto& [name, budget] : job.budgets) {
    table.row({show(name), budget_use(budget), charge_causes(budget, style_)},
              budget.exhausted ? Colour::kBad : Colour::kPlain);
  }
  out_ += table.text(style_, 4);
}

void SummaryText::expectations() {
  if (run_.expect.empty()) {
    return;
  }
  const auto met = std::ranges::count_if(run_.expect, &ExpectResult::ok);
  out_ += fmt::format("expectations: {} of {} met\n", met, run_.expect.size());
  for (const ExpectResult& result : run_.expect) {
    if (!result.ok) {
      const std::string got = text_from_json(result.got);
      out_ += style_.paint(wrapped(fmt::format("{}: wanted {}, got {}", show(result.at),
                                               show(result.wanted), show(got)),
                                   2, style_.width),
                           Colour::kBad);
    }
  }
}

void SummaryText::invariants() {
  if (run_.invariants_checked == 0 && run_.violations.empty()) {
    return;
  }
  out_ += fmt::format("invariants: {} checks, {} violated\n", format_count(run_.invariants_checked),
                      run_.violations.empty()
                          ? "none"
                          : format_count(static_cast<std::int64_t>(run_.violations.size())));
  for (const Violation& violation : run_.violations) {
    out_ += style_.paint(wrapped(fmt::format("{} at {}: {}", show(violation.id),
                                             format_duration(violation.t_us), show(violation.what)),
                                 2, style_.width),
                         Colour::kBad);
  }
}

void SummaryText::warnings() {
  for (const std::string& warning : run_.warnings) {
    out_ += style_.paint(wrapped("warning: " + show(warning), 0, style_.width), Colour::kWarning);
  }
}

void SummaryText::cluster() {
  FaultCounts sum;
  for (const auto& [kind, counts] : run_.faults) {
    sum.injected += counts.injected;
    sum.fired += counts.fired;
    sum.masked += counts.masked;
    sum.detected += counts.detected;
  }
  if (sum.injected != 0) {
    const auto never = std::ssize(run_.never_struck);
    out_ += wrapped(
        fmt::format("faults: {} injected, {} fired, {} masked, {}{} detected",
                    format_count(sum.injected), format_count(sum.fired), format_count(sum.masked),
                    never == 0 ? std::string() : format_count(never) + " never struck, ",
                    format_count(sum.detected)),
        0, style_.width);
  }
  for (const NeverStruck& fault : run_.never_struck) {
    out_ +=
        style_.paint(wrapped(fmt::format("{} never struck: {}", show(fault.fault), show(fault.why)),
                             2, style_.width),
                     Colour::kWarning);
  }
  if (run_.idle_spares_us != 0) {
    out_ += fmt::format("idle nodes: spares {}\n",
                        format_accelerator_time(run_.idle_spares_us, "node"));
  }
  not_usable();
  if (run_.cost) {
    const bool differs = run_.cost_reserved && *run_.cost_reserved != *run_.cost;
    out_ += wrapped(
        fmt::format("cost: {:.2f} in the prices' currency{}", *run_.cost,
                    differs ? fmt::format("; the same machine-hours at reserved prices: {:.2f}",
                                          *run_.cost_reserved)
                            : ""),
        0, style_.width);
  }
}

void SummaryText::not_usable() {
  const std::int64_t lost_us = run_.down_us - run_.idle_repairing_us;
  std::int64_t all_us = 0;
  std::string why;
  for (const auto& [what, us] :
       {std::pair{"isolated", run_.idle_isolated_us},
        std::pair{"in repair", run_.idle_repairing_us}, std::pair{"lost", lost_us}}) {
    if (us > 0) {
      all_us += us;
      why += fmt::format("{}{} {}", why.empty() ? "" : ", ", what,
                         format_accelerator_time(us, "node"));
    }
  }
  if (!why.empty()) {
    out_ += wrapped(fmt::format("nodes not usable: {} of their time: {}",
                                format_share(all_us, run_.node_us), why),
                    0, style_.width);
  }
}

void SummaryText::run_line() {
  std::string line = fmt::format("seed {}, hash {:016x}, {} events, {} {}", run_.seed, run_.hash,
                                 format_count(run_.events), format_duration(run_.simulated_us),
                                 real_.empty() ? "simulated" : "on real processes under " + real_);
  if (host_s_) {
    line += fmt::format(" in {:.2f} s", *host_s_);
  }
  out_ += wrapped(line, 0, style_.width);
}

}  // namespace

std::string summary_text(const RunSummary& summary, const SummaryTextOptions& options) {
  return SummaryText(summary, options).text();
}

}  // namespace aftershock::reports
