#include "sim/cli/run/transcript_writer.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "reports/baseline/baseline.h"
#include "sim/control/external/channel.h"
#include "sim/engine/isolate.h"

namespace aftershock::sim::cli {

namespace {

constexpr std::string_view kDied = "the process of a run that was to be compared has died";

/// The tape as text, from one process to another.
std::string text_of(const control::Exchanges& tape) {
  nlohmann::json all = nlohmann::json::array();
  for (const std::vector<control::Exchange>& policy : tape) {
    nlohmann::json& list = all.emplace_back(nlohmann::json::array());
    for (const control::Exchange& exchange : policy) {
      list.push_back({exchange.to, exchange.from, exchange.answered});
    }
  }
  return policies::text_from_json(all);
}

control::Exchanges tape_in(std::string_view text) {
  control::Exchanges tape;
  for (const nlohmann::json& policy : policies::json_from_text<nlohmann::json>(text)) {
    std::vector<control::Exchange>& list = tape.emplace_back();
    for (const nlohmann::json& exchange : policy) {
      list.push_back({exchange[0], exchange[1], exchange[2]});
    }
  }
  return tape;
}

/// The answer of a run's policy that differs from before; empty where none does.
std::string difference_in(const std::shared_ptr<const scenario::Scenario>& scenario,
                          const simulate::SimulateOptions& options) {
  const reports::RunSummary summary = simulate::simulate(scenario, options);
  return summary.verdict == reports::Verdict::kPolicyFailed ? summary.verdict_reason : "";
}

/// The same in a process of its own; a policy that is unavailable there counts as another
/// difference.
std::string difference_apart(const std::shared_ptr<const scenario::Scenario>& scenario,
                             const simulate::SimulateOptions& options) {
  const auto said = engine::run_isolated([&] {
    try {
      return difference_in(scenario, options);
    } catch (const control::PolicyFailed& failed) {
      return std::string(failed.what());
    }
  });
  return said.value_or(std::string(kDied));
}

}  // namespace

TranscriptWriter::TranscriptWriter(std::shared_ptr<control::ExternalSource> source)
    : source_(std::move(source)) {
  listen();
}

void TranscriptWriter::listen() {
  source_->listen(
      {.heard = [this](std::size_t policy,
                       const control::Exchange& exchange) { heard_.push_back({policy, exchange}); },
       .before = rehearsed_.empty() ? nullptr : &rehearsed_});
}

control::Exchanges TranscriptWriter::tape() const {
  control::Exchanges tape;
  for (const auto& [policy, exchange] : heard_) {
    tape.resize(std::max(tape.size(), policy + 1));
    tape[policy].push_back(exchange);
  }
  return tape;
}

TranscriptWriter::~TranscriptWriter() { source_->listen({}); }

std::optional<simulate::TriggerOffsets> TranscriptWriter::offsets(
    const std::shared_ptr<const scenario::Scenario>& scenario,
    const simulate::SimulateOptions& options) {
  if (!simulate::takes_simgrid(*scenario, options.driver)) {
    return std::nullopt;
  }
  source_->listen({});
  auto found = simulate::resolve_trigger_offsets(scenario, options.driver, options.max_entries);
  heard_.clear();
  listen();
  return found;
}

std::optional<std::string> TranscriptWriter::write(const std::string& path,
                                                   const scenario::Scenario& scenario,
                                                   const control::RunHow& how,
                                                   const reports::RunSummary& summary) const {
  control::TranscriptText text(policies::text_from_json(*scenario.resolved), how);
  for (const auto& [policy, exchange] : heard_) {
    text.add(policy, exchange);
  }
  return reports::write_whole(
      path, std::move(text).finish(name_of(summary.verdict), fmt::format("{:016x}", summary.hash)));
}

std::optional<std::string> TranscriptWriter::differs(
    const std::shared_ptr<const scenario::Scenario>& scenario,
    const simulate::SimulateOptions& options, int times) {
  const control::Exchanges said = tape();
  simulate::SimulateOptions again = options;
  again.sink = nullptr;
  std::string difference;
  for (int i = 0; i < times && difference.empty(); ++i) {
    source_->listen({.before = &said});
    difference = difference_in(scenario, again);
  }
  source_->listen({});
  return difference.empty() ? std::nullopt : std::optional(difference);
}

std::optional<std::string> TranscriptWriter::rehearse(
    const std::shared_ptr<const scenario::Scenario>& scenario,
    const simulate::SimulateOptions& options, int times) {
  simulate::SimulateOptions again = options;
  again.sink = nullptr;
  const auto said = engine::run_isolated([&] {
    try {
      simulate::simulate(scenario, again);
    } catch (const control::PolicyFailed&) {
      return std::string();  // the run will say so
    }
    return text_of(tape());
  });
  if (!said) {
    return std::string(kDied);
  }
  if (said->empty()) {
    return std::nullopt;
  }
  rehearsed_ = tape_in(*said);
  std::string difference;
  for (int i = 1; i < times && difference.empty(); ++i) {
    source_->listen({.before = &rehearsed_});
    difference = difference_apart(scenario, again);
  }
  heard_.clear();
  listen();
  return difference.empty() ? std::nullopt : std::optional(difference);
}

}  // namespace aftershock::sim::cli
