#include <QAbstractScrollArea>
#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QLayout>
#include <QMessageBox>
#include <QScrollBar>
#include <QToolBar>
#include <algorithm>
#include <initializer_list>
#include <string>

#include "aftershock_version.h"
#include "gui/actions/command_palette.h"
#include "gui/actions/key_sheet.h"
#include "gui/app/arguments.h"
#include "gui/app/focus_ring.h"
#include "gui/app/legend.h"
#include "gui/app/main_window.h"
#include "gui/app/settings.h"
#include "gui/app/tool_icons.h"

// Changes of the window to itself, whatever is open in it.
namespace aftershock::gui {

namespace {

/// Property of a panel: what it is called, whatever run it shows.
constexpr char kPanelName[] = "aftershock_name";

constexpr int kScaleStep = 10;

/// The first widget in or below `pane` that takes the keyboard; null where there is none.
QWidget* focusable_in(QWidget* pane) {
  if (pane->isEnabled() && (pane->focusPolicy() & Qt::TabFocus) != 0) {
    return pane;
  }
  for (QWidget* at = pane->nextInFocusChain(); at != pane; at = at->nextInFocusChain()) {
    if (pane->isAncestorOf(at) && at->isVisible() && at->isEnabled() &&
        (at->focusPolicy() & Qt::TabFocus) != 0) {
      return at;
    }
  }
  return nullptr;
}

/// A screen reader meets them as controls.
void name_scroll_bars(QWidget& panel) {
  QList<QAbstractScrollArea*> areas = panel.findChildren<QAbstractScrollArea*>();
  if (auto* itself = qobject_cast<QAbstractScrollArea*>(&panel)) {
    areas << itself;
  }
  for (QAbstractScrollArea* area : areas) {
    for (QScrollBar* bar : {area->verticalScrollBar(), area->horizontalScrollBar()}) {
      if (bar->accessibleName().isEmpty()) {
        bar->setAccessibleName(MainWindow::tr("Scroll: %1").arg(area->accessibleName()));
      }
    }
  }
}

}  // namespace

void MainWindow::handle_window_actions() {
  using enum ActionId;
  actions_->handle_check(kDark, [this](bool) { set_theme(Theme::kDark); });
  actions_->handle_check(kLight, [this](bool) { set_theme(Theme::kLight); });
  actions_->handle(kScaleUp, [this] { set_scale(settings_.scale_percent() + kScaleStep); });
  actions_->handle(kScaleDown, [this] { set_scale(settings_.scale_percent() - kScaleStep); });
  actions_->handle(kScaleReset, [this] { set_scale(100); });
  actions_->handle_check(kFullScreen, [this](bool on) {
    setWindowState(on ? windowState() | Qt::WindowFullScreen
                      : windowState() & ~Qt::WindowFullScreen);
  });
  actions_->handle(kNextPane, [this] { move_focus(1); });
  actions_->handle(kPreviousPane, [this] { move_focus(-1); });
  actions_->handle(kPalette, [this] { palette_->show_actions(); });
  actions_->handle(kKeySheet, [this] { keys_->show_keys(); });
  actions_->handle(kLegend, [this] { show_legend(theme(), this); });
  actions_->handle(kAbout, [this] { show_about(); });
}

void MainWindow::fill_tools() {
  using enum ActionId;
  tools_->setObjectName(QStringLiteral("tools"));
  tools_->setMovable(false);
  // It would be lost to those who do not know where to find its menu.
  tools_->toggleViewAction()->setVisible(false);
  for (const auto& group : std::initializer_list<std::initializer_list<ActionId>>{
           {kOpenFile, kOpenSecond, kRunAgain},
           {kReverse, kPlay, kSlower, kFaster},
           {kPreviousFault, kNextFault, kPreviousDecision, kNextDecision},
           {kZoomOut, kZoomIn, kFitAll},
           {kCompare, kLinkCursors},
           {kClusterMap, kFaultTable, kDrawer}}) {
    QAction* separator = tools_->actions().isEmpty() ? nullptr : tools_->addSeparator();
    for (const ActionId id : group) {
      tools_->addAction(actions_->action(id));
    }
    if (separator == nullptr) {
      continue;
    }
    // Of a group that nobody handles there is nothing to be parted.
    QAction* first = actions_->action(*group.begin());
    separator->setVisible(first->isVisible());
    connect(first, &QAction::visibleChanged, separator,
            [separator, first] { separator->setVisible(first->isVisible()); });
  }
}

Theme MainWindow::theme() const { return settings_.theme(); }

void MainWindow::set_theme(Theme theme) {
  settings_.set_theme(theme);
  actions_->show_checked(theme == Theme::kDark ? ActionId::kDark : ActionId::kLight, true);
  apply_theme(theme);
  set_tool_icons(*actions_, theme);
  Q_EMIT theme_changed(theme);
}

void MainWindow::set_scale(int percent) {
  settings_.set_scale_percent(percent);
  QFont font = QApplication::font();
  const int letter_px = QFontMetrics(font).averageCharWidth();
  font.setPointSizeF(font_points_ * settings_.scale_percent() / 100);
  QApplication::setFont(font);
  const int side = QFontMetrics(font).height() + 2;
  tools_->setIconSize({side, side});
  // Widgets that exist already keep the font that they were made with.
  for (QWidget* widget : QApplication::topLevelWidgets()) {
    widget->setFont(font);
  }
  // Panels beside the lanes keep their width in letters.
  QList<QDockWidget*> beside;
  QList<int> widths;
  for (QDockWidget* dock : panels_) {
    if (dock->isVisible() && !dock->isFloating() &&
        dockWidgetArea(dock) == Qt::RightDockWidgetArea) {
      beside << dock;
      widths << dock->width() * QFontMetrics(font).averageCharWidth() / std::max(1, letter_px);
    }
  }
  resizeDocks(beside, widths, Qt::Horizontal);
  // At once: the next change of the size counts from these widths.
  layout()->activate();
}

int MainWindow::letters_px(int letters) const {
  return letters * QFontMetrics(QApplication::font()).averageCharWidth();
}

void MainWindow::move_focus(int by) {
  std::vector<QWidget*> panes{centralWidget()};
  for (QDockWidget* dock : panels_) {
    if (dock->isVisible() && focusable_in(dock->widget()) != nullptr) {
      panes.push_back(dock->widget());
    }
  }
  if (focusable_in(tools_) != nullptr) {
    panes.push_back(tools_);
  }
  const QWidget* focused = focusWidget();
  const auto here = std::ranges::find_if(panes, [&](const QWidget* pane) {
    return focused != nullptr && (pane == focused || pane->isAncestorOf(focused));
  });
  const auto count = static_cast<std::ptrdiff_t>(panes.size());
  const std::ptrdiff_t from = here == panes.end() ? -by : here - panes.begin();
  QWidget* to = focusable_in(panes.at(static_cast<std::size_t>((from + by + count) % count)));
  if (to != nullptr) {
    to->setFocus(Qt::TabFocusReason);
    auto* ring = findChild<FocusRing*>();
    (ring == nullptr ? new FocusRing(this) : ring)->surround(to);
  }
}

QDockWidget* MainWindow::add_panel(ActionId toggle, const QString& name, QWidget* panel,
                                   Qt::DockWidgetArea area) {
  auto* dock = new QDockWidget(actions_->action(toggle)->iconText(), this);
  dock->setObjectName(name);
  dock->setAccessibleName(dock->windowTitle());
  dock->setWidget(panel);
  name_scroll_bars(*panel);
  addDockWidget(area, dock);
  // Of a window that is shown already, new children are not.
  dock->show();
  panels_.push_back(dock);
  actions_->handle_check(toggle, [dock](bool on) {
    dock->setVisible(on);
    // Behind another in its tab it would be there and not seen.
    dock->raise();
  });
  connect(dock, &QDockWidget::visibilityChanged, this, [this, toggle, dock] {
    // A panel behind another in its tab is there, too.
    actions_->show_checked(toggle, !dock->isHidden());
  });
  actions_->show_checked(toggle, true);
  return dock;
}

void MainWindow::restore_window() {
  restoreGeometry(settings_.geometry());
  restoreState(settings_.panels());
  tell_of_panels();
}

void MainWindow::showEvent(QShowEvent* event) {
  QMainWindow::showEvent(event);
  tell_of_panels();
}

void MainWindow::tell_of_panels() {
  // Those that were hidden before the window was shown have told nobody.
  for (QDockWidget* panel : panels_) {
    Q_EMIT panel->visibilityChanged(!panel->isHidden());
  }
}

void MainWindow::show_run_in_panels(const QString& letter) {
  for (QDockWidget* panel : panels_) {
    // The comparison is about both.
    const bool of_one = panel->objectName() != QStringLiteral("comparison");
    const QVariant known = panel->property(kPanelName);
    const QString name = known.isValid() ? known.toString() : panel->windowTitle();
    panel->setProperty(kPanelName, name);
    panel->setWindowTitle(letter.isEmpty() || !of_one ? name
                                                      : tr("%1 of run %2").arg(name, letter));
    panel->setAccessibleName(panel->windowTitle());
  }
}

void MainWindow::show_about() {
  auto* box = new QMessageBox(QMessageBox::NoIcon, tr("About Aftershock"), QString(),
                              QMessageBox::Close, this);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setIconPixmap(windowIcon().pixmap(96, 96));
  box->setTextFormat(Qt::PlainText);
  box->setText(tr("Aftershock %1").arg(QString::fromStdString(std::string(kVersion))));
  box->setInformativeText(
      tr("commit %1\nQt %2\n\nWhen things break, what will this recovery policy lose?")
          .arg(QString::fromStdString(std::string(kCommit)), QLatin1StringView(qVersion())));
  box->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  box->open();
}

}  // namespace aftershock::gui
