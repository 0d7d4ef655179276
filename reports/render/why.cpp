#include "reports/render/why.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "reports/render/experiment_text.h"
#include "reports/render/format.h"
#include "reports/render/run_story.h"
#include "reports/render/story.h"
#include "reports/render/table.h"

namespace aftershock::reports {

namespace {

using Align = Table::Align;

std::string all_charges(const JobSummary& job, const Style& style) {
  std::string out;
  for (const auto& [name, budget] : job.budgets) {
    out += fmt::format("  {}: {}\n", style.paint(printable(name, style.unicode), Colour::kHeading),
                       budget_use(budget));
    out += charge_lines(budget, style, 4);
  }
  return out.empty() ? "  no retry budget was charged\n" : out;
}

std::string recoveries(const JobSummary& job, const Style& style) {
  if (job.recoveries.empty()) {
    return std::string(nothing_recovered(job));
  }
  Table table({{Align::kRight},
               {Align::kLeft, true},
               {Align::kLeft, true},
               {Align::kRight},
               {Align::kRight}});
  table.row({"detected", "fault", "what", "running again", "lost"}, Colour::kFaint);
  for (const Recovery& recovery : job.recoveries) {
    table.row({recovery.detected_us ? format_duration(*recovery.detected_us) : "never",
               printable(recovery.fault, style.unicode), printable(recovery.what, style.unicode),
               recovery.running_us ? format_duration(*recovery.running_us) : "never",
               format_duration(recovery.lost_us)});
  }
  return "  " + style.paint("recoveries", Colour::kHeading) + '\n' + table.text(style, 4);
}

std::string last_decision(const std::optional<RunStory::Decision>& decision, const Style& style) {
  if (!decision) {
    return "  the policy decided nothing\n";
  }
  const RunStory::Decision& last = *decision;
  return wrapped(
      fmt::format("last decision: {}, {}{}{}, from {} to {}", format_duration(last.t_us),
                  printable(last.word, style.unicode), last.word.empty() ? "" : " by ",
                  printable(last.rule, style.unicode), printable(last.from, style.unicode),
                  printable(last.to, style.unicode)),
      2, style.width);
}

std::string job_story(const RunStory::Job& job, const Style& style) {
  if (!job.ended) {
    return style.paint(printable(job.summary.name, style.unicode) + " had not ended",
                       Colour::kWarning) +
           '\n' + all_charges(job.summary, style) + last_decision(job.last_decision, style);
  }
  if (!was_submitted(job.summary)) {
    return outcome_text(job.summary, style);
  }
  std::string out = outcome_text(job.summary, style) + death_lines(job.summary, style) +
                    false_alarm_lines(job.summary, style);
  const bool died = job.summary.outcome == "failed" || job.summary.outcome == "aborted";
  const bool told = died && fatal_budget(job.summary.reason, job.summary.budgets) != nullptr;
  if (!told) {
    out += all_charges(job.summary, style);
  }
  return out + (died ? last_decision(job.last_decision, style) : recoveries(job.summary, style));
}

/// Each charge is of one trial, and no budget ends an experiment: what failed in it is told.
std::string experiment_story(const RunStory::Experiment& experiment, const Style& style) {
  const ExperimentSummary& summary = experiment.summary;
  std::string out = experiment.ended
                        ? outcome_text(summary, style)
                        : style.paint(printable(summary.name, style.unicode) + " had not ended",
                                      Colour::kWarning) +
                              '\n';
  if (experiment.ended) {
    out += wrapped(fmt::format("{}; attempts {}; lost {} steps, {}", trial_counts(summary, style),
                               format_count(summary.attempts), format_count(summary.lost_steps),
                               format_duration(summary.lost_us)),
                   2, style.width);
  }
  out += restore_lines(summary, style) + trial_lines(summary, style);
  for (const auto& [name, budget] : summary.budgets) {
    out += fmt::format("  {}, of each trial: {}\n",
                       style.paint(printable(name, style.unicode), Colour::kHeading),
                       budget.limit ? "up to " + format_count(*budget.limit) : "unlimited");
    out += charge_lines(budget, style, 4, true);
  }
  if (summary.budgets.empty()) {
    out += "  no retry budget was charged\n";
  }
  return out + last_decision(experiment.last_decision, style);
}

std::string no_such_job(const std::string& name, const RunStory& story) {
  std::string names;
  for (const RunStory::Job& job : story.jobs()) {
    names += (names.empty() ? "" : ", ") + job.summary.name;
  }
  for (const RunStory::Experiment& experiment : story.experiments()) {
    names += (names.empty() ? "" : ", ") + experiment.summary.name;
  }
  return fmt::format("there is no job \"{}\" in the recording; it has: {}", name, names);
}

WhyResult tell(const RunStory& story, const ReadResult& read, const WhyOptions& options) {
  WhyResult result;
  result.state = read.state;
  if (!read.readable() || read.line == 0) {
    result.problem = read.message;
    return result;
  }
  const Style& style = options.style;
  if (read.state == ReadState::kPartial) {
    result.text = style.paint(
        wrapped(fmt::format("The recording ends at {} (line {}) without the end of the run: it was "
                            "killed, it still runs, or the file was cut. This is what had happened "
                            "until then.",
                            format_duration(read.t_us), read.line),
                0, style.width),
        Colour::kWarning);
  }
  std::vector<const RunStory::Job*> chosen;
  for (const RunStory::Job& job : story.jobs()) {
    if (options.job.empty() || job.summary.name == options.job) {
      chosen.push_back(&job);
    }
  }
  std::vector<const RunStory::Experiment*> experiments;
  for (const RunStory::Experiment& experiment : story.experiments()) {
    if (options.job.empty() || experiment.summary.name == options.job) {
      experiments.push_back(&experiment);
    }
  }
  if (chosen.empty() && experiments.empty() && !options.job.empty()) {
    result.text.clear();
    result.problem = no_such_job(options.job, story);
    return result;
  }
  for (const RunStory::Job* job : chosen) {
    result.text += (result.text.empty() ? "" : "\n") + job_story(*job, style);
  }
  for (const RunStory::Experiment* experiment : experiments) {
    result.text += (result.text.empty() ? "" : "\n") + experiment_story(*experiment, style);
  }
  if (story.verdict() && *story.verdict() != name_of(Verdict::kPassed)) {
    result.text += '\n' + verdict_line(printable(*story.verdict(), style.unicode),
                                       story.verdict_reason(), style);
  }
  return result;
}

RecordCallback gather_into(RunStory& story) {
  return [&story](const Record& record) {
    story.add(record);
    return true;
  };
}

}  // namespace

WhyResult why(const std::string& path, const WhyOptions& options) {
  RunStory story;
  const ReadResult read = read_recording(path, gather_into(story));
  return tell(story, read, options);
}

WhyResult why(std::unique_ptr<RawBytes> bytes, std::string_view name, const WhyOptions& options) {
  RunStory story;
  const ReadResult read = read_recording(std::move(bytes), name, gather_into(story));
  return tell(story, read, options);
}

}  // namespace aftershock::reports
