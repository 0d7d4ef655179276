#include "sim/scenario/read/read_machine_fault.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "policies/device_codes/device_need.h"
#include "sim/scenario/faults/fault_code.h"
#include "sim/scenario/text/error.h"
#include "sim/scenario/text/node_names.h"

namespace aftershock::sim {
namespace {

std::string read_machine_code(const Fields& fields, const PoolSpec& pool, ErrorList& errors) {
  const LocatedValue& written = *fields.written("code");
  auto read = read_fault_code(fields.text("code"), pool, std::nullopt);
  if (auto* problem = std::get_if<TextProblem>(&read)) {
    errors.add(written, std::move(*problem));
    return {};
  }
  auto& code = std::get<FaultCode>(read);
  if (!code.warning.empty()) errors.warn(written, code.warning);
  return std::move(code.canonical);
}

void read_bad_replacement(const Fields& fields, const PoolSpec& pool, FaultEffect& effect,
                          ErrorList& errors) {
  effect.times = fields.count("times");
  effect.machine.machines = fields.word<NewMachines>("machines");
  effect.every = fields.distribution("after", errors);
  if (fields.has("code")) {
    effect.then = read_machine_code(fields, pool, errors);
    effect.needs = policies::need_of_code(effect.then, std::nullopt);
  } else {
    effect.until_repaired = !effect.lasts && pool.repair.has_value();
  }
  const bool provisions = pool.replacement != Replacement::kNone;
  if ((effect.machine.machines == NewMachines::kSpares && pool.spares == 0) ||
      (effect.machine.machines == NewMachines::kProvisioned && !provisions) ||
      (effect.machine.machines == NewMachines::kAny && !provisions && pool.spares == 0)) {
    errors.add(fields.blame("machines"),
               {fmt::format("pool {} has no such machines", in_quotes(pool.name)),
                R"("spares" or "replacement" in the pool)",
                {}});
  }
}

void read_alarm(const Fields& fields, const PoolSpec& pool, FaultEffect& effect,
                ErrorList& errors) {
  effect.machine.alarm = fields.word<Alarm>("alarm");
  if (effect.machine.alarm == Alarm::kHang) {
    if (const LocatedValue* code = fields.written("code")) {
      errors.add(*code, {"a hang has no code", R"("alarm": "device_fault" beside it)", {}});
    }
    return;
  }
  if (!fields.has("code")) {
    errors.add(fields.object(), {"missing key \"code\"", "what the device is said to have", {}});
    return;
  }
  effect.code = read_machine_code(fields, pool, errors);
  effect.needs = policies::need_of_code(effect.code, std::nullopt);
}

}  // namespace

void read_machine_fault(const Fields& fields, const PoolSpec& pool, FaultEffect& effect,
                        ErrorList& errors) {
  if (effect.kind != FaultKind::kFalseAlarm && fields.has("lasts")) {
    effect.lasts = fields.distribution("lasts", errors);
  }
  switch (effect.kind) {
    case FaultKind::kStraggler:
      effect.machine.slowdown_ppm = std::llround(fields.number("slowdown") * 1e6);
      break;
    case FaultKind::kBadReplacement:
      read_bad_replacement(fields, pool, effect, errors);
      break;
    case FaultKind::kCapacityDenial:
      effect.machine.spares_too = fields.boolean("spares");
      break;
    case FaultKind::kLemonNode:
      effect.every = fields.distribution("every", errors);
      effect.machine.for_ever = !fields.has("times");
      effect.until_repaired = !effect.lasts && pool.repair.has_value();
      break;
    case FaultKind::kFalseAlarm:
      read_alarm(fields, pool, effect, errors);
      break;
    default:
      break;
  }
}

void read_blamed_node(const Fields& fields, const PoolSpec& pool, FaultEffect& effect,
                      ErrorList& errors) {
  const std::string text = fields.text("blames");
  constexpr std::string_view kNode = "node:";
  const auto slot =
      text.starts_with(kNode) ? node_slot(pool, text.substr(kNode.size())) : std::nullopt;
  if (!slot) {
    errors.add(*fields.written("blames"),
               {fmt::format("{} is no node of pool {}", in_quotes(text), in_quotes(pool.name)),
                fmt::format("a node such as \"node:{}-0\"", pool.name),
                {}});
    return;
  }
  effect.machine.blamed_node = *slot;
}

}  // namespace aftershock::sim
