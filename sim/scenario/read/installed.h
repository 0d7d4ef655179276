#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "policies/api/config.h"
#include "sim/scenario/text/error_list.h"
#include "sim/scenario/text/located_json.h"

namespace aftershock::sim::scenario {

/// The way to the installed code of other projects.
class InstalledPolicies {
 public:
  virtual ~InstalledPolicies() = default;

  /// The maker of the policies of a family, the same one at each call; or, in words, why it does
  /// not start and what would help.
  virtual std::variant<std::shared_ptr<policies::PolicySource>, std::string> find(
      std::string_view family) = 0;
  /// An option that serves installed code alone, e.g. "--python", which a scenario without
  /// installed code must not have; empty: none was given.
  [[nodiscard]] virtual std::string_view option() const = 0;

 protected:
  InstalledPolicies() = default;
  InstalledPolicies(const InstalledPolicies&) = default;
  InstalledPolicies& operator=(const InstalledPolicies&) = default;
};

/// The maker of a scenario's policies where they have the profile "installed": one family plays
/// them all. Null where none has, and with an error where it cannot start. `root` has the right
/// form; `installed` null: nobody starts installed code here.
std::shared_ptr<policies::PolicySource> find_installed(const LocatedValue& root,
                                                       InstalledPolicies* installed,
                                                       ErrorList& errors);

}  // namespace aftershock::sim::scenario
