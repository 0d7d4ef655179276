#pragma once

#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <vector>

namespace aftershock::gui {

/// A setting that a policy reads.
struct PolicySetting {
  QString name;
  QString type;           ///< "integer", "number in s", "boolean", ...
  QString default_words;  ///< "2", "none"
  QString meaning;        ///< a sentence
};

/// Settings that go together.
struct PolicyPreset {
  QString name;
  QJsonObject config;
  QString words;  ///< of what they do
};

/// All settings of a policy; none where it is not known.
struct PolicySettings {
  std::vector<PolicySetting> settings;
  std::vector<PolicyPreset> presets;  ///< the first is that of a name alone

  /// Whether the policy reads a setting of this name.
  [[nodiscard]] bool has(const QString& name) const;
};

/// The settings of NAME[@PROFILE], as the simulator tells of them.
PolicySettings settings_of_policy(const QString& simulator, const QString& title);

/// The configuration that stands for `config` under another policy: its first preset, with the
/// settings that have a namesake there. `left` gets the names of those that have none.
QJsonObject carried_over(const QJsonObject& config, const PolicySettings& to, QStringList& left);

}  // namespace aftershock::gui
