#include "gui/app/exports.h"

#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QTextBrowser>
#include <algorithm>

#include "gui/app/export_files.h"
#include "gui/app/main_window.h"
#include "gui/app/slide_dialog.h"
#include "gui/app/workspace.h"
#include "gui/panels/inspector.h"

namespace aftershock::gui {

Exports::Exports(MainWindow& window, Workspace& workspace)
    : QObject(&window), window_(window), workspace_(workspace) {
  using enum ActionId;
  ActionSet& actions = window.actions();
  const auto view_title = [this] {
    return export_title(title_now(), workspace_.timeline().state().shown);
  };
  actions.handle(kExportPng, [this, view_title] {
    ask_and_save({tr("Export view as PNG"), tr("PNG pictures (*.png)"), QStringLiteral("png")},
                 [&](const QString& path) {
                   return save_picture(workspace_.timeline(), view_title(), path);
                 });
  });
  actions.handle(kExportSvg, [this, view_title] {
    ask_and_save({tr("Export view as SVG"), tr("SVG drawings (*.svg)"), QStringLiteral("svg")},
                 [&](const QString& path) {
                   return save_drawing(workspace_.timeline(), view_title(), path);
                 });
  });
  actions.handle(kExportSlide, [this] { export_slide(); });
  actions.handle(kExportCsv, [this] {
    ask_and_save({tr("Export selection as CSV"), tr("Tables (*.csv)"), QStringLiteral("csv")},
                 [this](const QString& path) {
                   return save_table(*workspace_.session(), workspace_.timeline().state(), path);
                 });
  });
  actions.handle(kExportPerfetto, [this] {
    ask_and_save({tr("Export as Perfetto trace"), tr("Perfetto traces (*.pftrace)"),
                  QStringLiteral("pftrace")},
                 [this](const QString& path) {
                   return save_perfetto(*workspace_.session(), workspace_.timeline().state(), path);
                 });
  });
}

void Exports::export_slide() {
  if (workspace_.session() == nullptr) {
    window_.say(tr("nothing is open that could be exported"));
    return;
  }
  Slide first;
  if (auto* inspector = window_.findChild<Inspector*>(); inspector != nullptr) {
    if (const auto* page = inspector->findChild<QTextBrowser*>(); page != nullptr) {
      first.card = inspector->text().isEmpty() ? QString() : page->toHtml();
    }
  }
  const auto choice = ask_slide(first, &window_);
  // The dialog has its own loop: the run may have been closed meanwhile.
  if (!choice || workspace_.session() == nullptr) {
    return;
  }
  const Slide& slide = choice->slide;
  const auto title = [this] {
    return export_title(title_now(), workspace_.timeline().state().shown);
  };
  if (choice->to == SlideTo::kClipboard) {
    QGuiApplication::clipboard()->setImage(slide_of(workspace_.timeline(), title(), slide));
    window_.set_status(QStringLiteral("word"), tr("copied the picture"));
    return;
  }
  const bool is_png = choice->to == SlideTo::kPng;
  ask_and_save(
      is_png ? Kind{tr("Export for slides"), tr("PNG pictures (*.png)"), QStringLiteral("png")}
             : Kind{tr("Export for slides"), tr("SVG drawings (*.svg)"), QStringLiteral("svg")},
      [&](const QString& path) {
        return (is_png ? save_slide : save_slide_drawing)(workspace_.timeline(), title(), slide,
                                                          path);
      });
}

RunTitle Exports::title_now() {
  const QString path = workspace_.session()->path();
  return read_run_title(path.toStdString())
      .value_or(RunTitle{.name = QFileInfo(path).completeBaseName()});
}

TimeRange Exports::range_of(const QString& suffix) {
  const ViewState& state = workspace_.timeline().state();
  const bool is_view = suffix == QStringLiteral("png") || suffix == QStringLiteral("svg");
  return is_view || !state.selection ? state.shown : state.selection->time;
}

void Exports::ask_and_save(const Kind& kind,
                           const std::function<QString(const QString& path)>& save) {
  if (workspace_.session() == nullptr) {
    window_.say(tr("nothing is open that could be exported"));
    return;
  }
  if (folder_.isEmpty()) {
    // Beside the recording, unless that goes with the window.
    const OpenRun& run = window_.run(0);
    const QFileInfo folder(QFileInfo(run.path).absolutePath());
    folder_ = run.temporary || run.path.isEmpty() || !folder.isWritable()
                  ? QDir::homePath()
                  : folder.absoluteFilePath();
  }
  QFileDialog dialog(&window_, kind.title, folder_, kind.filter);
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setDefaultSuffix(kind.suffix);
  dialog.selectFile(export_name(title_now(), range_of(kind.suffix)) + QStringLiteral(".") +
                    kind.suffix);
  if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty()) {
    return;
  }
  // The dialog has its own loop: the run may have been closed meanwhile.
  if (workspace_.session() == nullptr) {
    return;
  }
  const QString path = dialog.selectedFiles().constFirst();
  folder_ = QFileInfo(path).absolutePath();
  const QString problem = save(path);
  if (problem.isEmpty()) {
    window_.set_status(QStringLiteral("word"), tr("saved %1").arg(QFileInfo(path).fileName()));
  } else {
    window_.say(problem);
  }
}

}  // namespace aftershock::gui
