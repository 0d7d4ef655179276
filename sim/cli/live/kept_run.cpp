#include "sim/cli/live/kept_run.h"

#include <cstdint>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include "sim/cli/command.h"
#include "sim/cli/files.h"
#include "sim/cli/recording_file.h"
#include "sim/live/fact.h"
#include "sim/live/fact_order.h"

namespace aftershock::sim::cli {

bool open_kept(const std::string& record, const std::string& keep_facts, Kept& kept) {
  if (!keep_facts.empty() && !is_new_file("--keep-facts", keep_facts)) {
    return false;
  }
  if (!record.empty() && !open_recording(record, kept.recording)) {
    return false;
  }
  if (keep_facts.empty()) {
    return true;
  }
  kept.facts.emplace(keep_facts);
  if (kept.facts->error()) {
    complain(*kept.facts->error());
    return false;
  }
  return true;
}

std::string drive(live::LiveRun& run, const scenario::Scenario& scenario, live::Backend backend,
                  const Facts& facts, const std::string& file, Kept& kept) {
  constexpr std::int64_t kFlushEachUs = 1'000'000;
  std::int64_t flushed_us = 0;
  std::string problem;
  std::int64_t line_number = 0;
  live::FactOrder order(scenario, backend);
  const live::FactLimits limits{scenario.faults.size(), scenario.jobs.front().workers};
  const auto at_line = [&](std::string_view why) {
    // The first line of a file is the plan.
    return file.empty() ? fmt::format("line {} of the driver: {}", line_number, why)
                        : fmt::format("{}: line {}: {}", file, line_number + 1, why);
  };
  std::string ended = facts([&](std::string_view line) {
    ++line_number;
    const auto read = live::read_fact(line, limits);
    if (const auto* why = std::get_if<std::string>(&read)) {
      problem = at_line(*why);
      return false;
    }
    const auto& fact = std::get<live::Fact>(read);
    if (const std::string why = order.take(fact); !why.empty()) {
      problem = at_line(why);
      return false;
    }
    run.take(fact);
    if (run.now_us() - flushed_us >= kFlushEachUs) {
      flushed_us = run.now_us();
      kept.flush();
    }
    return true;
  });
  if (!problem.empty()) {
    return problem;
  }
  if (ended.empty() && !run.over()) {
    ended = "it ended without a word about the end of the run";
  }
  return ended.empty() || run.over()
             ? std::string()
             : fmt::format("{}: {}", file.empty() ? std::string("the driver") : file, ended);
}

int finish(Kept& kept, reports::Verdict verdict) {
  bool written = true;
  for (auto* const sink : {&kept.recording, &kept.facts}) {
    if (const auto error = *sink ? (*sink)->finish() : std::nullopt) {
      complain(*error);
      written = false;
    }
  }
  return written ? reports::exit_code(verdict) : kUnusable;
}

}  // namespace aftershock::sim::cli
