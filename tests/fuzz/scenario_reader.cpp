#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/assert.h"
#include "policies/api/json_as_text.h"
#include "sim/scenario/read/read.h"

namespace {

namespace policies = aftershock::policies;
using namespace aftershock::sim;

/// An `extends` that leaves the folder could name a device or a pipe.
bool reaches_out(std::string_view text) {
  const auto json = policies::json_or_discarded(text);
  if (!json.is_object() || !json.contains("extends") || !json["extends"].is_string()) {
    return false;
  }
  const auto path = json["extends"].get<std::string>();
  return path.starts_with('/') || path.find("..") != std::string::npos;
}

void check_errors(const std::vector<scenario::ScenarioError>& errors) {
  constexpr std::size_t kMostErrors = 20;
  AFTERSHOCK_ASSERT(!errors.empty() && errors.size() <= kMostErrors);
  for (const scenario::ScenarioError& error : errors) {
    AFTERSHOCK_ASSERT(!error.message.empty() && error.line > 0 && error.column > 0);
    const std::string line = scenario::format(error);
    AFTERSHOCK_ASSERT(std::none_of(line.begin(), line.end(), [](char c) {
      return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
    }));
  }
}

}  // namespace

// Text is refused with errors that say where, or becomes a scenario whose resolved form is the same
// scenario again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (reaches_out(text)) {
    return 0;
  }
  const auto result = scenario::read_scenario_text(text, "fuzz.json");
  if (const auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&result)) {
    check_errors(*errors);
    return 0;
  }
  const std::string resolved =
      policies::text_from_json(*std::get<scenario::ReadScenario>(result).scenario.resolved);
  const auto again = scenario::read_scenario_text(resolved, "resolved.json");
  AFTERSHOCK_ASSERT(std::holds_alternative<scenario::ReadScenario>(again));
  AFTERSHOCK_ASSERT(policies::text_from_json(
                        *std::get<scenario::ReadScenario>(again).scenario.resolved) == resolved);
  return 0;
}
