#include "gui/app/policy_settings.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <algorithm>

namespace aftershock::gui {

namespace {

constexpr int kShowPatience_ms = 5000;

QString text_in(const QJsonValue& of, const char* name) {
  return of[QLatin1StringView(name)].toString();
}

PolicySetting setting_from(const QJsonValue& told) {
  const QString unit = text_in(told, "unit");
  return {
      .name = text_in(told, "name"),
      .type = text_in(told, "type") + (unit.isEmpty() ? QString() : QStringLiteral(" in ") + unit),
      .default_words = text_in(told, "default"),
      .meaning = text_in(told, "meaning")};
}

}  // namespace

bool PolicySettings::has(const QString& name) const {
  return std::ranges::find(settings, name, &PolicySetting::name) != settings.end();
}

PolicySettings settings_of_policy(const QString& simulator, const QString& title) {
  PolicySettings all;
  if (simulator.isEmpty() || title.isEmpty()) {
    return all;
  }
  QProcess process;
  process.start(simulator, {QStringLiteral("policies"), QStringLiteral("show"),
                            QStringLiteral("--json"), QStringLiteral("--"), title});
  if (!process.waitForFinished(kShowPatience_ms)) {
    return all;
  }
  const QJsonObject told = QJsonDocument::fromJson(process.readAllStandardOutput()).object();
  for (const QJsonValue& each : told[QStringLiteral("parameters")].toArray()) {
    all.settings.push_back(setting_from(each));
  }
  for (const QJsonValue& each : told[QStringLiteral("presets")].toArray()) {
    all.presets.push_back({.name = text_in(each, "name"),
                           .config = each[QStringLiteral("config")].toObject(),
                           .words = text_in(each, "what")});
  }
  return all;
}

QJsonObject carried_over(const QJsonObject& config, const PolicySettings& to, QStringList& left) {
  QJsonObject carried = to.presets.empty() ? QJsonObject() : to.presets.front().config;
  for (auto each = config.begin(); each != config.end(); ++each) {
    if (to.has(each.key())) {
      carried[each.key()] = each.value();
    } else {
      left << each.key();
    }
  }
  return carried;
}

}  // namespace aftershock::gui
