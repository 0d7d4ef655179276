#include "gui/app/policy_list.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <algorithm>

namespace aftershock::gui {

namespace {

constexpr int kListPatienceMs = 5000;

}  // namespace

std::vector<PolicyChoice> list_policies(const QString& simulator) {
  if (simulator.isEmpty()) {
    return {};
  }
  QProcess process;
  process.start(simulator,
                {QStringLiteral("policies"), QStringLiteral("list"), QStringLiteral("--json")});
  if (!process.waitForFinished(kListPatienceMs)) {
    return {};
  }
  std::vector<PolicyChoice> all;
  const QJsonArray list = QJsonDocument::fromJson(process.readAllStandardOutput()).array();
  for (const QJsonValue& each : list) {
    PolicyChoice choice{.name = each[QStringLiteral("name")].toString(),
                        .summary = each[QStringLiteral("summary")].toString(),
                        .profiles = {}};
    const QJsonArray profiles = each[QStringLiteral("profiles")].toArray();
    for (const QJsonValue& profile : profiles) {
      choice.profiles << profile.toString();
    }
    if (!choice.name.isEmpty()) {
      all.push_back(std::move(choice));
    }
  }
  return all;
}

const PolicyChoice* policy_named(const std::vector<PolicyChoice>& policies, const QString& title) {
  const QString name = title.section(u'@', 0, 0);
  const auto found = std::ranges::find(policies, name, &PolicyChoice::name);
  return found == policies.end() ? nullptr : &*found;
}

}  // namespace aftershock::gui
