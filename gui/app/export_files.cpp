#include "gui/app/export_files.h"

#include <QApplication>
#include <QCoreApplication>
#include <QFileInfo>
#include <QSaveFile>
#include <algorithm>
#include <functional>

#include "gui/export/csv.h"
#include "gui/export/perfetto.h"
#include "gui/timeline/view_export.h"
#include "reports/render/format.h"

namespace aftershock::gui {

namespace {

QString export_text(const char* text) { return QCoreApplication::translate("Exports", text); }

/// `write` puts all into the file, or says with false that it cannot.
QString save(const QString& path, const std::function<bool(QSaveFile&)>& write) {
  // The file that was there goes: a device or a pipe must not.
  if (const QFileInfo there(path); there.exists() && !there.isFile()) {
    return export_text("%1: cannot be written: it is not a file").arg(path);
  }
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly) || !write(file) || !file.commit()) {
    return export_text("%1: cannot be written: %2").arg(path, file.errorString());
  }
  return {};
}

using Writer = bool (*)(const Scene&, const DecisionTitles&, const Choice&, const ByteSink&);

QString save_choice(RunSession& session, const ViewState& state, const QString& path,
                    Writer write) {
  const Scene* scene = session.scene();
  if (scene == nullptr) {
    return export_text("nothing has been read yet");
  }
  // It may take some seconds.
  QApplication::setOverrideCursor(Qt::WaitCursor);
  const DecisionTitles titles = decision_titles(scene->trace(), session.path().toStdString());
  const QString problem = save(path, [&](QSaveFile& file) {
    return write(*scene, titles, choice_of(*scene, state), [&](std::string_view bytes) {
      const auto size = static_cast<qint64>(bytes.size());
      return file.write(bytes.data(), size) == size;
    });
  });
  QApplication::restoreOverrideCursor();
  return problem;
}

QString duration_text(std::int64_t t_us) {
  return QString::fromStdString(reports::format_duration(std::max<std::int64_t>(t_us, 0)));
}

}  // namespace

QString save_picture(Timeline& timeline, const QString& title, const QString& path) {
  return save(path,
              [&](QSaveFile& file) { return picture_of(timeline, title).save(&file, "PNG"); });
}

QString save_drawing(Timeline& timeline, const QString& title, const QString& path) {
  return save(path, [&](QSaveFile& file) {
    draw_svg(timeline, title, file);
    return file.error() == QFileDevice::NoError;
  });
}

QString save_slide(Timeline& timeline, const QString& title, const Slide& slide,
                   const QString& path) {
  return save(path,
              [&](QSaveFile& file) { return slide_of(timeline, title, slide).save(&file, "PNG"); });
}

QString save_slide_drawing(Timeline& timeline, const QString& title, const Slide& slide,
                           const QString& path) {
  return save(path, [&](QSaveFile& file) {
    draw_slide_svg(timeline, title, slide, file);
    return file.error() == QFileDevice::NoError;
  });
}

QString save_table(RunSession& session, const ViewState& state, const QString& path) {
  return save_choice(
      session, state, path,
      [](const Scene& scene, const DecisionTitles& titles, const Choice& choice,
         const ByteSink& sink) { return write_csv(scene.trace(), titles, choice, sink); });
}

QString save_perfetto(RunSession& session, const ViewState& state, const QString& path) {
  return save_choice(session, state, path, write_perfetto);
}

QString export_name(const RunTitle& title, const TimeRange& range) {
  QString name = QStringLiteral("%1 %2 to %3")
                     .arg(title.name, duration_text(range.begin_us), duration_text(range.end_us));
  for (QChar& each : name) {
    // Characters that every file system takes.
    const bool plain = each.isLetterOrNumber() || each == u' ' || each == u'.' || each == u'_';
    each = plain ? each : u'-';
  }
  while (name.startsWith(u'.') || name.startsWith(u' ')) {
    name.remove(0, 1);
  }
  return name;
}

QString export_title(const RunTitle& title, const TimeRange& range) {
  return export_text("%1, from %2 to %3")
      .arg(one_line(title), duration_text(range.begin_us), duration_text(range.end_us));
}

}  // namespace aftershock::gui
