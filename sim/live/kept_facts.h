#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "reports/recording/sink.h"
#include "sim/live/driver.h"

// A live run's facts in a file: the plan that its driver was given in the first line, and behind it
// the driver's lines as they came. Readers need neither the controller nor its time.
namespace aftershock::sim::live {

/// Writes the plan, and then each line that it is given, before `take` gets it.
TakeLine keeping(reports::LineSink& kept, std::string_view plan, TakeLine take);

/// Why facts of the plan `kept` tell nothing of `plan`: the place of the first difference and both
/// values. Empty: they do. A plan with namespaces is the same as one without; a member of an object
/// that `kept` lacks is one that plans did not have then.
std::string other_plan(std::string_view kept, std::string_view plan);

/// The facts in the file, plain or of zstd frames, whose plan is to be `plan`; or the file and why
/// it cannot be read. More than 64 MiB of them is an error.
std::variant<std::vector<std::string>, std::string> read_kept(const std::string& path,
                                                              std::string_view plan);

}  // namespace aftershock::sim::live
