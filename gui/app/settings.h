#pragma once

#include <QByteArray>
#include <QSettings>
#include <QStringList>

#include "gui/actions/action_set.h"
#include "gui/theme/theme.h"

namespace aftershock::gui {

/// The settings that the viewer remembers from one start to the next, in the user's configuration
/// folder (aftershock/viewer.ini).
class Settings {
 public:
  Settings();

  /// Dark where nothing was chosen.
  [[nodiscard]] Theme theme() const;
  void set_theme(Theme theme);

  /// Size of text in percent, within kScaleMin and kScaleMax.
  [[nodiscard]] int scale_percent() const;
  void set_scale_percent(int percent);

  /// Files opened last, the latest first; at most ten, without those that are gone.
  [[nodiscard]] QStringList recent() const;
  /// Puts one in front.
  void add_recent(const QString& path);

  /// Place and size of the window, and its panels, as QMainWindow gives them.
  [[nodiscard]] QByteArray geometry() const;
  [[nodiscard]] QByteArray panels() const;
  void set_window(const QByteArray& geometry, const QByteArray& panels);

  /// The group "keys": an action's name = keys with spaces between.
  [[nodiscard]] KeyOverrides keys() const;

 private:
  QSettings store_;
};

}  // namespace aftershock::gui
