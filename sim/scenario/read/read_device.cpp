#include "sim/scenario/read/read_device.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "policies/device_codes/catalogue.h"
#include "sim/scenario/faults/fault_code.h"
#include "sim/scenario/text/error.h"

namespace aftershock::sim {
namespace {

using policies::DeviceNeed;
using policies::Severity;

// Corrected errors have filled 16 rows of the memory, or come at a high rate (modelarts.md 6.1,
// 7.1).
constexpr std::string_view kNpuStorm = "ascend:80E18401";
constexpr std::string_view kGpuStorm = "xid:92";

std::string read_code(const Fields& fields, std::string_view key, const PoolSpec& pool,
                      std::optional<Severity> severity, ErrorList& errors) {
  const LocatedValue& written = *fields.written(key);
  auto read = read_fault_code(fields.text(key), pool, severity);
  if (auto* problem = std::get_if<TextProblem>(&read)) {
    errors.add(written, std::move(*problem));
    return {};
  }
  auto& code = std::get<FaultCode>(read);
  if (!code.warning.empty()) errors.warn(written, code.warning);
  return std::move(code.canonical);
}

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

}  // namespace

void read_device(const Fields& fields, const PoolSpec& pool, FaultEffect& effect,
                 ErrorList& errors) {
  if (fields.has("severity")) {
    const auto& words = policies::EnumNames<Severity>::kNames;
    effect.severity =
        static_cast<Severity>(std::ranges::find(words, fields.text("severity")) - words.begin());
  }
  effect.code = read_code(fields, "code", pool, effect.severity, errors);
  read_healing(fields, effect, effect.code, errors);
}

void read_storm(const Fields& fields, const PoolSpec& pool, FaultEffect& effect,
                ErrorList& errors) {
  effect.code = pool.accelerator == AcceleratorKind::kNpu ? kNpuStorm : kGpuStorm;
  if (const LocatedValue* code = fields.written("code")) {
    effect.code = read_code(fields, "code", pool, std::nullopt, errors);
    if (policies::find_device_code(effect.code) != nullptr && !listed_as_hint(effect.code)) {
      errors.add(*code, {fmt::format("{} is no hint: it is not corrected", in_quotes(effect.code)),
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

}  // namespace aftershock::sim
