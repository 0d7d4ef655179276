#include "gui/compare/job_states.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>

#include "base/assert.h"
#include "gui/compare/short_summary.h"
#include "reports/json/json_value.h"

namespace aftershock::gui {

namespace {

/// Entities of the jobs that did all their work.
std::set<std::string, std::less<>> completed_jobs(const Trace& trace) {
  const reports::JsonValue line = reports::parsed(without_long_lists(trace.summary_json));
  const reports::JsonValue& inner = reports::part(line, "summary");
  std::set<std::string, std::less<>> names;
  for (const reports::JsonValue& job : reports::part(inner.is_object() ? inner : line, "jobs")) {
    if (reports::text_in(job, "outcome") == "completed") {
      names.insert("job:" + reports::text_in(job, "name"));
    }
  }
  return names;
}

void add(std::vector<StateFrom>& states, std::int64_t begin_us, JobState state) {
  if (!states.empty() && states.back().begin_us == begin_us) {
    states.pop_back();
  }
  if (states.empty() || states.back().state != state) {
    states.push_back({begin_us, state});
  }
}

}  // namespace

std::vector<StateFrom> job_states(const Trace& trace, const Lane& phases, const JobState& after) {
  AFTERSHOCK_ASSERT(phases.sub == SubLane::kPhases);
  std::vector<StateFrom> states;
  std::int64_t end_us = std::numeric_limits<std::int64_t>::min();
  add(states, end_us, {});
  const LaneSpans spans = phases.columns.spans();
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (spans.end_us[i] <= spans.begin_us[i]) {
      continue;
    }
    if (spans.begin_us[i] > end_us) {
      add(states, end_us, {});
    }
    add(states, spans.begin_us[i], {JobState::Is::kPhase, spans.kind[i]});
    end_us = spans.end_us[i];
  }
  if (end_us != kOpen && states.size() > 1) {
    add(states, end_us, after);
  }
  // A state that no record ended may go on, and so may a run whose end was not recorded.
  if (end_us == kOpen || (trace.summary_json.empty() && after.is == JobState::Is::kNothing)) {
    while (states.size() > 1 && states.back().begin_us > trace.last_us) {
      states.pop_back();
    }
    add(states, trace.last_us, {.is = JobState::Is::kUnknown});
  }
  return states;
}

RunStates run_states(const Trace& trace) {
  const auto completed = completed_jobs(trace);
  RunStates states{.of = {}, .last_us = trace.last_us};
  for (const Lane& lane : trace.lanes) {
    if (lane.sub != SubLane::kPhases) {
      continue;
    }
    const std::string_view name = trace.entities[lane.entity];
    const JobState after{.is = !name.starts_with("job:")  ? JobState::Is::kUnknown
                               : completed.contains(name) ? JobState::Is::kCompleted
                                                          : JobState::Is::kNothing};
    states.of.try_emplace(std::string(name), job_states(trace, lane, after));
  }
  return states;
}

}  // namespace aftershock::gui
