#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QTimer>
#include <array>
#include <cstdint>
#include <optional>

namespace aftershock::gui {

class ChangeBar;
class MainWindow;
class Pane;
class Workspace;

/// The identity of a file as it was read, to compare with the file that is there under its name.
struct FileVersion {
  std::uint64_t inode = 0;
  std::int64_t bytes = 0;
  std::int64_t changed_ns = 0;  ///< when it was written to last

  friend bool operator==(const FileVersion&, const FileVersion&) = default;
};

/// None where no ordinary file is there.
std::optional<FileVersion> version_of(const QString& path);

/// Looks at the files of recordings that have been read, and says in a bar of the window when one
/// is another, or has more in it. One that is being read as it grows is left to its reader, and so
/// are files that the viewer itself writes and takes away.
class ChangeWatch : public QObject {
  Q_OBJECT

 public:
  /// `window` and `workspace` outlive it.
  ChangeWatch(MainWindow& window, Workspace& workspace);

  [[nodiscard]] ChangeBar& bar() const { return *bar_; }

 private:
  /// The watched file of one of the two panes.
  struct Watched {
    Pane* pane = nullptr;
    QString path = {};  ///< empty: nothing to look at
    bool grows = false;
    std::optional<FileVersion> read = {};    ///< as it is shown
    std::optional<FileVersion> passed = {};  ///< that the user does not want to hear of
  };

  void begin(Watched& watched);
  void watch_paths();
  void look();
  void pass_over();

  MainWindow& window_;
  Workspace& workspace_;
  ChangeBar* bar_;
  QFileSystemWatcher watcher_;
  QTimer timer_;
  std::array<Watched, 2> watched_;
};

}  // namespace aftershock::gui
