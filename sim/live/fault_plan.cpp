#include "sim/live/fault_plan.h"

#include <array>

#include <fmt/format.h>

#include "sim/scenario/faults/fault_catalogue.h"
#include "sim/scenario/phase.h"
#include "sim/scenario/text/node_names.h"

namespace aftershock::sim::live {

namespace {

using reports::JsonWriter;

std::string_view word_of(scenario::CrashManner manner) {
  switch (manner) {
    case scenario::CrashManner::kException:
      return "exception";
    case scenario::CrashManner::kOutOfMemory:
      return "oom";
    case scenario::CrashManner::kExit:
      return "exit";
    case scenario::CrashManner::kErrorWithoutExit:
      return "error_without_exit";
  }
  return "";
}

constexpr std::array<std::string_view, 4> kDuring{"construction", "context_init", "backend_setup",
                                                  "launch"};
constexpr std::array<std::string_view, 3> kDirections{"both", "outwards", "inwards"};

void write_target(JsonWriter& json, const scenario::Scenario& scenario,
                  const scenario::Target& target) {
  json.key("target");
  json.open_object();
  switch (target.kind) {
    case scenario::TargetKind::kNode:
    case scenario::TargetKind::kAccelerator:
      json.member("node", scenario::node_name(scenario.cluster.pools[target.pool], target.index));
      break;
    case scenario::TargetKind::kRank:
      json.member("rank", target.rank);
      break;
    case scenario::TargetKind::kAgent:
      json.member("agent", target.agent);
      break;
    case scenario::TargetKind::kHead:
      json.member("head", true);
      break;
    default:
      json.member("job", true);
  }
  json.close_object();
  json.member("on", target.text);
}

void write_when(JsonWriter& json, const scenario::FaultSpec& fault, const Seconds& seconds) {
  seconds.member(json, "at_s", fault.at_us);
  json.member("at_step", fault.at_step);
  json.member("every_attempt", fault.every_attempt);
  json.key("when");
  if (!fault.when) {
    json.value(nullptr);
    return;
  }
  json.open_object();
  json.member("phase", scenario::name_of(fault.when->phase));
  json.member("nth", fault.when->nth);
  seconds.member(json, "offset_s", fault.when->offset_us);
  json.close_object();
}

std::optional<std::int64_t> constant_us(const std::optional<scenario::Distribution>& length) {
  if (!length) {
    return std::nullopt;
  }
  const auto* const constant = std::get_if<scenario::Distribution::Constant>(&length->shape);
  return constant == nullptr ? std::nullopt : std::optional(constant->value_us);
}

void write_effect(JsonWriter& json, const scenario::FaultEffect& effect, const Seconds& seconds) {
  json.member("kind", scenario::name_of(effect.kind));
  json.member("how", word_of(effect.manner));
  json.member("exit_code", effect.exit_code);
  json.key("during");
  if (effect.during) {
    json.value(kDuring[static_cast<std::size_t>(*effect.during)]);
  } else {
    json.value(nullptr);
  }
  seconds.member(json, "lasts_s", constant_us(effect.lasts));
  seconds.member(json, "notice_s", effect.notice_us);
  seconds.member(json, "early_s", effect.early_us);
  json.member("deadline_told", effect.deadline_told);
  json.member("answers", effect.answers);
  json.member("connections", effect.closes_connections ? "closed" : "silent");
  json.member("direction", kDirections[static_cast<std::size_t>(effect.network.direction)]);
  json.member("times", effect.times);
  seconds.member(json, "apart_s", effect.apart_us);
  json.member("state_kept", effect.state_kept);
  json.member("signal", effect.terminated ? "SIGTERM" : "SIGKILL");
}

}  // namespace

std::string refused_fault(const scenario::FaultSpec& fault, Backend backend) {
  if (fault.source) {
    return "a random source strikes otherwise in each run; a live run takes scripted faults";
  }
  if (fault.effects.size() != 1) {
    return "it draws one of several causes; a live run takes one";
  }
  const scenario::FaultEffect& effect = fault.effects.front().effect;
  if (const std::string_view why = unable(backend, effect, fault.target.kind); !why.empty()) {
    return fmt::format("{} cannot be done live by {}: {}", scenario::name_of(effect.kind),
                       name_of(backend), why);
  }
  if (fault.when && fault.when->offset_ppm) {
    return "the length of the phase is not known before it is over; expected \"offset\" as a "
           "duration";
  }
  if (fault.when) {
    if (const auto why = unable_to_wait(fault.when->phase); !why.empty()) {
      return fmt::format("phase {} cannot be waited for by {}: {}",
                         scenario::name_of(fault.when->phase), name_of(backend), why);
    }
  }
  return {};
}

void write_fault(JsonWriter& json, const scenario::Scenario& scenario, std::size_t index,
                 const Seconds& seconds) {
  const scenario::FaultSpec& fault = scenario.faults[index];
  json.open_object();
  json.member("index", index);
  json.member("id", fault.id);
  write_effect(json, fault.effects.front().effect, seconds);
  write_target(json, scenario, fault.target);
  write_when(json, fault, seconds);
  json.close_object();
}

}  // namespace aftershock::sim::live
