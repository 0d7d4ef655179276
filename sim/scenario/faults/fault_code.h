#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "policies/api/severity.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/shape/fields.h"
#include "sim/scenario/text/error_list.h"
#include "sim/scenario/text/units.h"

namespace aftershock::sim::scenario {

/// The code of an accelerator fault as a scenario means it.
struct FaultCode {
  std::string canonical;  ///< "ascend:80E01801", "xid:94"
  std::string warning;    ///< the oddity of it; empty: none
};

/// Reads a vendor's code, or its name, for an accelerator of this pool. Codes that nobody lists are
/// allowed where their form is right, and judged by `severity` where the device says one; names
/// must be known.
std::variant<FaultCode, TextProblem> read_fault_code(
    std::string_view text, const PoolSpec& pool, std::optional<policies::Severity> severity = {});

/// The code that the object has under `key`, in its canonical form. One that is none is an error at
/// its place, and the answer is empty; an odd one is a warning.
std::string read_code(const Fields& fields, std::string_view key, const PoolSpec& pool,
                      std::optional<policies::Severity> severity, ErrorList& errors);

}  // namespace aftershock::sim::scenario
