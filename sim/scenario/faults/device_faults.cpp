#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "policies/device_codes/catalogue.h"
#include "policies/device_codes/device_need.h"
#include "sim/scenario/faults/fault_code.h"
#include "sim/scenario/faults/fault_entry.h"
#include "sim/scenario/shape/distribution_keys.h"
#include "sim/scenario/shape/lexicals.h"
#include "sim/scenario/text/node_names.h"

// Faults of accelerators, by the codes that vendors give them.
namespace aftershock::sim::scenario {
namespace {

using enum TargetKind;

using policies::DeviceNeed;
using policies::Severity;

// Corrected errors have filled 16 rows of the memory, or come at a high rate (modelarts.md 6.1,
// 7.1).
constexpr std::string_view kNpuStorm = "ascend:80E18401";
constexpr std::string_view kGpuStorm = "xid:92";

void read_healing(const Fields& fields, FaultEffect& effect, std::string_view code,
                  ErrorList& errors) {
  if (fields.has("heal")) effect.heal = fields.distribution("heal", errors);
  if (fields.has("heal_fails")) effect.heal_fails_ppm = fields.millionths("heal_fails");
  effect.needs = fields.has("needs") ? fields.word<DeviceNeed>("needs")
                                     : policies::need_of_code(code, effect.severity);
}

/// Whether a list has the code, and says that it is a hint.
bool listed_as_hint(std::string_view code) {
  const policies::DeviceCode* listed = policies::find_device_code(code);
  return listed != nullptr && listed->severity == Severity::kHint;
}

Key heal_key() {
  return {"heal", distribution_shape(), false, "",
          "How long it takes to heal it, for a policy that tries. Default: as the pool says."};
}

Key heal_fails_key() {
  return {"heal_fails", shape::number(0, 1), false, "",
          "Share of the tries that do not heal it. Default: as the pool says."};
}

Key needs_key() {
  return {"needs",
          shape::words({policies::kDeviceNeedNames.begin(), policies::kDeviceNeedNames.end()}),
          false, "",
          "The repair that makes it healthy again when its node is isolated. Default: what the "
          "level of its code comes to, or the action of its Xid."};
}

Key lasts_of_accelerator() {
  return lasts_or_repair("",
                         "Until the accelerator is healthy again; \"repair\": by the pool's law "
                         "for what it needs. Default: one that needs a reset is well for the next "
                         "process on it, any other by the pool's law, or never.");
}

// "repair": by the pool's law for what the device needs.
void read_device_lasts(const Fields& fields, const PoolSpec& pool, FaultEffect& effect,
                       ErrorList& errors) {
  if (!fields.has("lasts")) {
    last_as_needed(pool, effect);
    return;
  }
  read_lasts_or_repair(fields, effect, errors);
  if (!effect.until_repaired || pool.device_repairs[static_cast<std::size_t>(effect.needs)]) return;
  const std::string_view need = policies::name_of(effect.needs);
  errors.add(
      fields.value("lasts"),
      {fmt::format("pool {} has no repair law for a {}", in_quotes(pool.name), need),
       fmt::format("a duration here, or \"repair\" or \"repairs\" with \"{}\" in the pool", need),
       {}});
}

void read_blamed_node(const Fields& fields, const PoolSpec& pool, FaultEffect& effect,
                      ErrorList& errors) {
  const std::string text = fields.text("blames");
  constexpr std::string_view kNode = "node:";
  const auto slot =
      text.starts_with(kNode) ? node_slot(pool, text.substr(kNode.size())) : std::nullopt;
  if (!slot) {
    errors.add(*fields.written("blames"),
               {fmt::format("{} is not a node of pool {}", in_quotes(text), in_quotes(pool.name)),
                fmt::format("a node such as \"node:{}-0\"", pool.name),
                {}});
    return;
  }
  effect.machine.blamed_node = *slot;
}

void read_accelerator_fault(const Fields& fields, const PoolSpec& pool, FaultEffect& effect,
                            ErrorList& errors) {
  if (fields.has("severity")) {
    const auto& words = policies::EnumNames<Severity>::kNames;
    effect.severity =
        static_cast<Severity>(std::ranges::find(words, fields.text("severity")) - words.begin());
  }
  effect.code = read_code(fields, "code", pool, effect.severity, errors);
  read_healing(fields, effect, effect.code, errors);
  read_device_lasts(fields, pool, effect, errors);
  if (fields.has("blames")) read_blamed_node(fields, pool, effect, errors);
}

void read_storm_of_errors(const Fields& fields, const PoolSpec& pool, FaultEffect& effect,
                          ErrorList& errors) {
  effect.code = pool.accelerator == AcceleratorKind::kNpu ? kNpuStorm : kGpuStorm;
  if (const LocatedValue* code = fields.written("code")) {
    effect.code = read_code(fields, "code", pool, std::nullopt, errors);
    if (policies::find_device_code(effect.code) != nullptr && !listed_as_hint(effect.code)) {
      errors.add(*code, {fmt::format("{} is not of severity hint: it is not corrected",
                                     in_quotes(effect.code)),
                         "a code of severity hint here, and this one as \"then\"",
                         {}});
    }
  }
  effect.times = fields.count("times");
  effect.every = fields.distribution("every", errors);
  effect.then_share_ppm = fields.millionths("then_share");
  if (const LocatedValue* then = fields.written("then")) {
    effect.then = read_code(fields, "then", pool, std::nullopt, errors);
    if (listed_as_hint(effect.then)) {
      errors.add(*then, {fmt::format("{} is a hint: nothing comes of it", in_quotes(effect.then)),
                         "a code of another severity, or none",
                         {}});
    }
    read_healing(fields, effect, effect.then, errors);
    return;
  }
  for (const std::string_view key : {"then_share", "heal", "heal_fails", "needs", "lasts"}) {
    if (const LocatedValue* written = fields.written(key)) {
      errors.add(*written, {"nothing comes of the storm", "\"then\" beside it", {}});
    }
  }
}

void read_storm(const Fields& fields, const PoolSpec& pool, FaultEffect& effect,
                ErrorList& errors) {
  read_storm_of_errors(fields, pool, effect, errors);
  read_device_lasts(fields, pool, effect, errors);
}

FaultEntry accelerator_fault() {
  return {
      FaultKind::kAcceleratorFault,
      "accelerator_fault",
      {kNode, kAccelerator, kPool, kJob, kRank, kExperiment, kTrial},
      {{"code", shape::lexical(lexicals::fault_code()), true, "",
        "The vendor's code, an NVIDIA Xid or an Ascend event id, or its name; `aftershock faults "
        "list ascend` and `xid` have them."},
       {"blames", shape::lexical(lexicals::target()), false, "",
        "The node of the pool, \"node:NAME\", that the health report names in its place."},
       {"severity", shape::word({"hint", "minor", "major", "critical"}), false, "",
        "The device's word for it. Default: that of the list of codes."},
       heal_key(),
       heal_fails_key(),
       needs_key(),
       lasts_of_accelerator()},
      "The accelerator fails and the worker that uses it dies, unless its code is a hint, which "
      "no process notices.",
      "The node's health service reports the code at once; the death shows at the next poll.",
      "A policy that does not read the code sees an application error, and restarts on the same "
      "accelerator.",
      {.of_device = true, .of_one_accelerator = true, .shown = ShownPlace::kAccelerator},
      read_accelerator_fault};
}

FaultEntry corrected_ecc_storm() {
  return {
      FaultKind::kCorrectedEccStorm,
      "corrected_ecc_storm",
      {kNode, kAccelerator, kPool, kJob, kRank},
      {{"every", distribution_shape(), true, "", "Time from one error to the next."},
       {"times", shape::integer(1, 1'000'000), false, "10",
        "How many errors are corrected. The next one is not, or the storm is over."},
       {"code", shape::lexical(lexicals::fault_code()), false, "",
        "Of every corrected error; a hint. Default: 80E18401, or xid:92."},
       {"then", shape::lexical(lexicals::fault_code()), false, "",
        "Of the error that is not corrected. Default: there is none."},
       {"then_share", shape::number(0, 1), false, "1", "Share of the storms that come to it."},
       heal_key(),
       heal_fails_key(),
       needs_key(),
       lasts_of_accelerator()},
      "Memory errors of one accelerator are corrected, one after the other; after some of them one "
      "is not, and is a fault of the accelerator like any other. It ends when its node goes down "
      "or is isolated.",
      "The node's health service reports each of them at once; no process notices any that is "
      "corrected.",
      "Each by itself is harmless, and work goes on; a policy that ignores them all does not see "
      "what they announce.",
      {.of_device = true, .of_one_accelerator = true, .shown = ShownPlace::kAccelerator},
      read_storm};
}

}  // namespace

std::span<const FaultEntry> device_faults() {
  static const std::array kEntries{accelerator_fault(), corrected_ecc_storm()};
  return kEntries;
}

}  // namespace aftershock::sim::scenario
