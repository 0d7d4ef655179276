#include "gui/app/search_box.h"

#include <QDockWidget>
#include <QLineEdit>
#include <QShortcut>
#include <QToolBar>

#include "gui/actions/inner_buttons.h"
#include "gui/app/main_window.h"
#include "gui/app/workspace.h"
#include "gui/panels/event_table.h"

namespace aftershock::gui {

namespace {

/// It has room for so many letters.
constexpr int kSearchLetters = 16;

QString search_text(const char* text) { return MainWindow::tr(text); }

}  // namespace

void add_search_box(MainWindow& window, Workspace& workspace, EventTable& events,
                    QDockWidget& drawer) {
  auto* box = new QLineEdit;
  box->setPlaceholderText(search_text("Search events"));
  box->setAccessibleName(search_text("Search events, faults and decisions"));
  box->setToolTip(search_text("Events with these words are listed below; Enter goes to the next"));
  box->setClearButtonEnabled(true);
  box->setMinimumWidth(box->fontMetrics().averageCharWidth() * kSearchLetters);
  name_inner_buttons(*box);
  window.tools().addSeparator();
  window.tools().addWidget(box);
  // It and the field of the table hold the same words.
  QObject::connect(box, &QLineEdit::textEdited, &events, [&](const QString& words) {
    drawer.show();
    drawer.raise();
    events.set_filter(words);
  });
  QObject::connect(box, &QLineEdit::returnPressed, &events, [&events] { events.step(1); });
  QObject::connect(&events.field(), &QLineEdit::textChanged, box, [box](const QString& words) {
    // Words that were typed here would lose their cursor.
    if (box->text() != words) {
      box->setText(words);
    }
  });
  new QShortcut(
      QKeySequence(Qt::Key_Escape), box, &workspace,
      [&workspace] { workspace.timeline().setFocus(); }, Qt::WidgetShortcut);
}

}  // namespace aftershock::gui
