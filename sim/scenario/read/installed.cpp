#include "sim/scenario/read/installed.h"

#include <vector>

#include <fmt/format.h>

#include "policies/registry.h"
#include "sim/scenario/keys/keys.h"
#include "sim/scenario/shape/fields.h"

namespace aftershock::sim::scenario {
namespace {

/// The policies of all jobs and experiments, as written, in the order of the scenario.
std::vector<const LocatedValue*> written_policies(const LocatedValue& root) {
  std::vector<const LocatedValue*> found;
  for (const char* section : {"jobs", "experiments"}) {
    const LocatedValue* list = root.find(section);
    if (list == nullptr) {
      continue;
    }
    for (const LocatedValue& one : std::get<LocatedValue::List>(list->data)) {
      if (const LocatedValue* policy = one.find("policy")) {
        found.push_back(policy);
      }
    }
  }
  return found;
}

std::string title_of(const Fields& policy) {
  const std::string profile = policy.text("profile");
  return profile.empty() ? policy.text("name") : fmt::format("{}@{}", policy.text("name"), profile);
}

bool is_installed(const Fields& policy) {
  return policy.text("profile") == policies::kInstalledProfile;
}

}  // namespace

std::shared_ptr<policies::PolicySource> find_installed(const LocatedValue& root,
                                                       InstalledPolicies* installed,
                                                       ErrorList& errors) {
  const LocatedValue* first = nullptr;
  const std::vector<const LocatedValue*> written = written_policies(root);
  for (const LocatedValue* policy : written) {
    if (first == nullptr && is_installed(Fields(keys::policy(), *policy))) {
      first = policy;
    }
  }
  if (first == nullptr) {
    if (installed != nullptr && !installed->option().empty()) {
      errors.add(root, {fmt::format("{}: serves installed code, and the scenario has none",
                                    installed->option()),
                        "--policy NAME@installed, or a policy with the profile \"installed\"",
                        {}});
    }
    return nullptr;
  }
  const Fields fields(keys::policy(), *first);
  const std::string title = title_of(fields);
  for (const LocatedValue* policy : written) {
    const std::string other = title_of(Fields(keys::policy(), *policy));
    if (other != title) {
      errors.add(*policy, {fmt::format("{} stands beside {}, and installed code plays the policies "
                                       "of all jobs and experiments or of none",
                                       other, title),
                           {},
                           {}});
      return nullptr;
    }
  }
  const LocatedValue& place = fields.blame("profile");
  if (installed == nullptr) {
    errors.add(place, {fmt::format("{}: installed code is not started here", title),
                       "a profile of the port, or a recording that `aftershock run --record` made",
                       {}});
    return nullptr;
  }
  auto source = installed->find(fields.text("name"));
  if (const auto* why = std::get_if<std::string>(&source)) {
    errors.add(place, {*why, {}, {}});
    return nullptr;
  }
  return std::get<0>(std::move(source));
}

}  // namespace aftershock::sim::scenario
