#pragma once

#include <QString>
#include <QStringList>
#include <vector>

namespace aftershock::gui {

/// A policy that the simulator has.
struct PolicyChoice {
  QString name;
  QString summary;       ///< a sentence
  QStringList profiles;  ///< of versions and configurations that were shipped; the first is default
};

/// Every policy, as the simulator lists them; none without a simulator.
std::vector<PolicyChoice> list_policies(const QString& simulator);

/// The policy that "NAME" or "NAME@PROFILE" names; null where there is none of that name.
const PolicyChoice* policy_named(const std::vector<PolicyChoice>& policies, const QString& title);

}  // namespace aftershock::gui
