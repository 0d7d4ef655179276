#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/cli/scenario_options.h"
#include "sim/control/external/external_source.h"
#include "sim/scenario/read/installed.h"

namespace aftershock::sim::cli {

/// How the programs of hosts are started.
struct HostOptions {
  std::string python;                    ///< of --python
  std::vector<std::string> environment;  ///< NAME=VALUE
  std::int64_t deadline_ms = 0;
  std::string option;  ///< see InstalledPolicies
};

/// The installed code of other projects, by the hosts of sim/hosts.
class HostPolicies final : public scenario::InstalledPolicies {
 public:
  explicit HostPolicies(HostOptions options);

  std::variant<std::shared_ptr<policies::PolicySource>, std::string> find(
      std::string_view family) override;
  [[nodiscard]] std::string_view option() const override { return options_.option; }

  /// Is told each maker before anybody asks it.
  std::function<void(const std::shared_ptr<control::ExternalSource>&)> made{};

 private:
  HostOptions options_;
  std::map<std::string, std::shared_ptr<control::ExternalSource>, std::less<>> sources_;
};

/// Has the policies of `read` decided by what --policy-cmd or --policy-lib names, and those of the
/// profile "installed" by their hosts; false, with a word on standard error, where an option is
/// wrong.
bool add_policy_source(const ScenarioOptions& options, scenario::ReadOptions& read);

}  // namespace aftershock::sim::cli
