#pragma once

#include <string>
#include <utility>

#include "reports/check/report.h"

namespace aftershock::reports {

/// A run of quickstart whose job had completed and now is exhausted, on a retry budget one smaller.
inline CheckedRun worse_run() {
  CheckedRun checked;
  BaselineRun old;
  old.key = {"scenarios/quickstart.json", "", 1};
  old.policy = "ray_train@2026-05";
  old.text = "00000000000000ab";
  old.outcome = "completed";
  old.values.resize(metrics().size());
  old.values[*metric_named("completed")] = std::int64_t{1};
  old.values[*metric_named("alive")] = std::int64_t{1};
  old.values[*metric_named("useful_share")] = 0.972;
  old.values[*metric_named("useful_us")] = std::int64_t{349'920'000'000};
  old.values[*metric_named("ettr")] = 0.972;
  old.decisions.first = {{"p.start", 1}, {"p.retry, max_failures 2 to 3 of 3 (node)", 1}};
  old.decisions.count = 2;
  BaselineRun now = old;
  now.verdict = Verdict::kFailed;
  now.outcome = "failed";
  now.values[*metric_named("completed")] = std::int64_t{0};
  now.values[*metric_named("alive")] = std::int64_t{0};
  now.values[*metric_named("failed")] = std::int64_t{1};
  // It dies at its second failure, and is held against as long as it had taken without any.
  now.values[*metric_named("useful_share")] = 0.1944;
  now.values[*metric_named("useful_us")] = std::int64_t{67'965'000'000};
  now.values[*metric_named("ettr")] = 0.613;
  TimedTrace trace;
  trace.trace.first = {{"p.start", 1}, {"p.give_up, max_failures 2 of 2, exhausted", 1}};
  trace.trace.count = 2;
  trace.at_us = {0, 110'872'000'000};
  now.decisions = trace.trace;
  checked.judgement = judge(old, now, trace, {});
  checked.run = std::move(now);
  checked.old = std::move(old);
  checked.name = "quickstart";
  checked.reason = "1 of 2 expectations failed: /jobs/0/outcome: wanted \"completed\"";
  return checked;
}

/// A run that is as it was.
inline CheckedRun same_run(const std::string& path, std::uint64_t seed) {
  CheckedRun checked;
  checked.run.key = {path, "", seed};
  checked.run.policy = "modelarts";
  checked.run.outcome = "completed";
  checked.name = "same";
  checked.old = checked.run;
  checked.judgement.standing = Standing::kSame;
  return checked;
}

/// One worse run, one that is the same.
inline CheckReport sample_report() {
  CheckReport report;
  report.baseline = "ci.json";
  report.runs.push_back(same_run("scenarios/a.json", 4));
  report.runs.push_back(worse_run());
  return report;
}

/// A name that means something to every format.
inline const std::string kHostileName =
    "a<script>&\"'`|*[x](y)\n::error::%,:\x01\x1b[31m\xff ]]>\xe4\xb8\xad.json";

}  // namespace aftershock::reports
