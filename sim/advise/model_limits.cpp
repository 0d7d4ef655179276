#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/render/format.h"
#include "sim/advise/job_model.h"

namespace aftershock::sim::advise {
namespace {

std::string shown_seconds(double seconds) {
  return reports::format_duration(std::llround(seconds) * 1'000'000);
}

bool may_shrink(const scenario::JobSpec& job) {
  const auto config = job.policy.config->find("num_workers");
  return config != job.policy.config->end() && !config->is_number();
}

void add_failure_limits(const scenario::Scenario& scenario, const JobModel& model,
                        std::vector<std::string>& notes) {
  const RestartModel& restart = model.restart;
  if (model.hang_downtime > (restart.downtime + restart.restart) / 10) {
    notes.push_back(fmt::format(
        "Hangs: waiting for the collective timeout is {} of the {} that a failure costs beside the "
        "work that is done again; what looks for hangs sooner is not in the formula.",
        shown_seconds(model.hang_downtime), shown_seconds(restart.downtime + restart.restart)));
  }
  const double masked = restart.downtime / restart.mtbf;
  if (masked > 0.01) {
    notes.push_back(fmt::format(
        "Masked failures: {:.1f} % of them come while an earlier one is not yet noticed.",
        100 * masked));
  }
  const auto scripted = std::ranges::count_if(
      scenario.faults,
      [](const scenario::FaultSpec& fault) { return !fault.source || fault.source->occurrences; });
  if (scripted > 0) {
    notes.push_back(fmt::format("Scripted faults: {} of them {} not in the formula.", scripted,
                                scripted == 1 ? "is" : "are"));
  }
  if (std::ranges::any_of(scenario.faults, [](const scenario::FaultSpec& fault) {
        return fault.source && scenario::on_clock(*fault.source);
      })) {
    notes.emplace_back(
        "Exposure clock: failures do not come all the time; the formula has them strike "
        "restarts as well.");
  }
}

}  // namespace

std::vector<std::string> model_limits(const scenario::Scenario& scenario, const JobModel& model) {
  std::vector<std::string> notes;
  const RestartModel& restart = model.restart;
  const scenario::JobSpec& job = scenario.jobs.front();
  if (!model.whole_restarts) {
    notes.emplace_back(
        "Strategies: this policy restarts processes in place or single pods where it can; the "
        "formula has every failure start the whole job anew.");
  }
  add_failure_limits(scenario, model, notes);
  if (model.waits) {
    notes.push_back(fmt::format(
        "Repairs: {:.2g} nodes are away at a time in the mean; the formula (Erlang's B) has them "
        "fail one by one and takes off the time without a spare, {:.2g} % with {} of them.",
        model.in_repair, 100 * erlang_b(model.spares + 1, model.in_repair), model.spares));
  }
  if (model.waits && scenario.cluster.repair_crew) {
    notes.push_back(fmt::format(
        "Repair crew: {} at a time; the formula has all repairs go on at once, and so takes off "
        "too little.",
        *scenario.cluster.repair_crew));
  }
  if (job.script.steps_per_attempt || job.script.returns_on_notice) {
    notes.emplace_back(
        "Script: how much it does depends on what befalls it; the formula has it do its steps "
        "once.");
  }
  if (model.upload > restart.interval / 20) {
    notes.push_back(fmt::format(
        "Asynchronous upload: a checkpoint counts {} after it was taken, of an interval of {}; the "
        "formula adds that to every restart, which holds where it is much less than the interval.",
        shown_seconds(model.upload), shown_seconds(restart.interval)));
  }
  if (may_shrink(job)) {
    notes.emplace_back(
        "Elastic job: it goes on with fewer workers; the formula has it wait for all.");
  }
  if (restart.interval > restart.mtbf) {
    notes.push_back(fmt::format("Interval: it is longer than the {} between two failures.",
                                shown_seconds(restart.mtbf)));
  }
  return notes;
}

}  // namespace aftershock::sim::advise
