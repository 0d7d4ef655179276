#include "sim/cli/inspect/named_policy.h"

#include <variant>
#include <vector>

#include "policies/registry.h"
#include "sim/cli/command.h"

namespace aftershock::sim::cli {

policies::PolicyRequest request_of(const std::string& title) {
  policies::PolicyRequest request;
  const std::size_t at = title.find('@');
  request.name = title.substr(0, at);
  request.profile = at == std::string::npos ? "" : title.substr(at + 1);
  if (request.name == "ray_train") {
    // The name means Ray Train V2, also where the version itself would still default to V1.
    request.env["RAY_TRAIN_V2_ENABLED"] = "1";
  }
  return request;
}

std::unique_ptr<policies::Policy> make_or_complain(const policies::PolicyRequest& request) {
  policies::MakeResult made = policies::make_policy(request);
  if (const auto* issues = std::get_if<std::vector<policies::ConfigIssue>>(&made)) {
    for (const policies::ConfigIssue& issue : *issues) {
      // A title such as ray_train@2026-05 is not JSON: its parts have no places.
      const bool title = issue.pointer == "/name" || issue.pointer == "/profile";
      complain(title ? policies::describe_without_place(issue) : policies::describe(issue));
    }
    return nullptr;
  }
  auto& configured = std::get<policies::ConfiguredPolicy>(made);
  for (const policies::ConfigIssue& warning : configured.warnings) {
    complain("warning: " + policies::describe(warning));
  }
  return std::move(configured.policy);
}

}  // namespace aftershock::sim::cli
