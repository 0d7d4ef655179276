#pragma once

#include <QJsonObject>
#include <QTableWidget>

#include "gui/app/policy_settings.h"

namespace aftershock::gui {

/// The settings of a policy, a row each: its name, the value that a configuration gives it, which
/// can be typed, and its type and default.
class SettingsTable : public QTableWidget {
  Q_OBJECT

 public:
  /// Columns, in their order.
  enum Column { kSetting, kValue, kType, kColumns };

  explicit SettingsTable(QWidget* parent = nullptr);

  void set_settings(const PolicySettings& settings);
  /// Shows the values of a configuration; `edited` is silent meanwhile.
  void set_config(const QJsonObject& config);

 Q_SIGNALS:
  /// A value was typed; undefined: it was taken away.
  void edited(const QString& setting, const QJsonValue& value);

 private:
  void tell_edited(QTableWidgetItem* item);

  bool silent_ = false;
};

/// A value as it is typed: JSON, or where it is none the words as they are; undefined for nothing.
QJsonValue typed_value(const QString& text);
/// The other way.
QString value_text(const QJsonValue& value);

}  // namespace aftershock::gui
