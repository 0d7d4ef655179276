#include "gui/app/settings.h"

#include <QFileInfo>
#include <algorithm>

#include "gui/app/arguments.h"

namespace aftershock::gui {

namespace {

constexpr qsizetype kRecentMax = 10;

}  // namespace

Settings::Settings()
    : store_(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("aftershock"),
             QStringLiteral("viewer")) {
  store_.setFallbacksEnabled(false);
}

Theme Settings::theme() const {
  const std::string name = store_.value(QStringLiteral("theme")).toString().toStdString();
  return theme_of(name).value_or(Theme::kDark);
}

void Settings::set_theme(Theme theme) {
  const std::string_view name = name_of(theme);
  store_.setValue(QStringLiteral("theme"), QString::fromUtf8(name.data(), qsizetype(name.size())));
}

int Settings::scale_percent() const {
  return std::clamp(store_.value(QStringLiteral("scale"), 100).toInt(), kScaleMin, kScaleMax);
}

void Settings::set_scale_percent(int percent) {
  store_.setValue(QStringLiteral("scale"), std::clamp(percent, kScaleMin, kScaleMax));
}

QStringList Settings::recent() const {
  QStringList there;
  for (const QString& path : store_.value(QStringLiteral("recent")).toStringList()) {
    if (there.size() < kRecentMax && QFileInfo(path).isFile()) {
      there << path;
    }
  }
  return there;
}

void Settings::add_recent(const QString& path) {
  const QString whole = QFileInfo(path).absoluteFilePath();
  QStringList all = recent();
  all.removeAll(whole);
  all.prepend(whole);
  store_.setValue(QStringLiteral("recent"), QVariant(all.mid(0, kRecentMax)));
}

QByteArray Settings::geometry() const {
  return store_.value(QStringLiteral("window/geometry")).toByteArray();
}

QByteArray Settings::panels() const {
  return store_.value(QStringLiteral("window/panels")).toByteArray();
}

void Settings::set_window(const QByteArray& geometry, const QByteArray& panels) {
  store_.setValue(QStringLiteral("window/geometry"), geometry);
  store_.setValue(QStringLiteral("window/panels"), panels);
}

KeyOverrides Settings::keys() const {
  KeyOverrides keys;
  QSettings store(store_.fileName(), QSettings::IniFormat);
  store.beginGroup(QStringLiteral("keys"));
  for (const QString& name : store.childKeys()) {
    // A comma that stands alone makes a list of the value.
    keys[name.toStdString()] = store.value(name).toStringList().join(u',').toStdString();
  }
  return keys;
}

}  // namespace aftershock::gui
