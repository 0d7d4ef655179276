#include "sim/cli/talk.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace aftershock::sim::cli {

Talk::Talk(std::shared_ptr<ExternalSource> source) : source_(std::move(source)) {
  source_->listen({.heard = [this](std::size_t policy, const Exchange& exchange) {
    heard_.push_back({policy, exchange});
  }});
}

Talk::~Talk() { source_->listen({}); }

std::optional<std::string> Talk::write(const std::string& path, const Scenario& scenario,
                                       const reports::RunSummary& summary) const {
  TranscriptFile file(path, scenario.resolved.dump());
  for (const auto& [policy, exchange] : heard_) {
    file.add(policy, exchange);
  }
  return file.finish(name_of(summary.verdict), fmt::format("{:016x}", summary.hash));
}

std::optional<reports::RunSummary> Talk::differs(const std::shared_ptr<const Scenario>& scenario,
                                                 const SimulateOptions& options, int times) {
  Tape tape;
  for (const auto& [policy, exchange] : heard_) {
    tape.resize(std::max(tape.size(), policy + 1));
    tape[policy].push_back(exchange);
  }
  SimulateOptions again = options;
  again.sink = nullptr;
  for (int i = 0; i < times; ++i) {
    source_->listen({.before = &tape});
    reports::RunSummary summary = simulate(scenario, again);
    if (summary.verdict == reports::Verdict::kPolicyFailed) {
      source_->listen({});
      return summary;
    }
  }
  source_->listen({});
  return std::nullopt;
}

}  // namespace aftershock::sim::cli
