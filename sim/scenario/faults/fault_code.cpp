#include "sim/scenario/faults/fault_code.h"

#include <utility>

#include <fmt/format.h>

#include "policies/device_codes/catalogue.h"
#include "sim/scenario/text/error.h"

namespace aftershock::sim::scenario {
namespace {

using policies::DeviceFamily;
using policies::DeviceSubject;

TextProblem unknown(std::string_view text) {
  return {
      fmt::format("there is no device code {}", in_quotes(text)),
      "an Ascend event id such as \"ascend:80E01801\", an Xid such as \"xid:94\", or a name that "
      "`aftershock faults list ascend` or `aftershock faults list xid` has",
      std::string(policies::nearest_device_code(text))};
}

bool of_accelerators(DeviceSubject subject) {
  return subject == DeviceSubject::kChip || subject == DeviceSubject::kNetworkPort ||
         subject == DeviceSubject::kGpu;
}

}  // namespace

std::variant<FaultCode, TextProblem> read_fault_code(std::string_view text, const PoolSpec& pool,
                                                     std::optional<policies::Severity> severity) {
  const policies::DeviceCode* listed = policies::find_device_code(text);
  const auto form = policies::parse_device_code(text);
  if (listed == nullptr && !form) return unknown(text);
  const DeviceFamily family = listed != nullptr ? listed->family : form->family;
  const bool xid = family == DeviceFamily::kXid;
  if (xid != (pool.accelerator == AcceleratorKind::kGpu)) {
    return TextProblem{
        fmt::format("{} is a code of {}, and pool {} has {}", in_quotes(text),
                    xid ? "GPUs" : "NPUs", in_quotes(pool.name), xid ? "NPUs" : "GPUs"),
        xid ? "an Ascend event id, or \"gpu\" as the pool's kind of accelerators"
            : "an Xid, or \"npu\" as the pool's kind of accelerators",
        {}};
  }
  FaultCode code;
  if (listed == nullptr) {
    code.canonical = (xid ? "xid:" : "ascend:") + form->code;
    code.warning = fmt::format("no list has {}: {}", in_quotes(code.canonical),
                               policies::rule_for_unlisted(*form, severity));
    return code;
  }
  code.canonical = policies::canonical(*listed);
  if (!of_accelerators(listed->subject)) {
    code.warning = fmt::format("{} is in the list of {} codes, not of accelerators",
                               in_quotes(code.canonical), policies::name_of(listed->subject));
  }
  return code;
}

std::string read_code(const Fields& fields, std::string_view key, const PoolSpec& pool,
                      std::optional<policies::Severity> severity, ErrorList& errors) {
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

}  // namespace aftershock::sim::scenario
