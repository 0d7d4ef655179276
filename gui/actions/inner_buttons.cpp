#include "gui/actions/inner_buttons.h"

#include <QAbstractButton>
#include <QCoreApplication>
#include <QTableView>

namespace aftershock::gui {

void name_inner_buttons(QWidget& widget) {
  const bool table = qobject_cast<QTableView*>(&widget) != nullptr;
  const char* name = table ? "Select all" : "Clear";
  for (QAbstractButton* button : widget.findChildren<QAbstractButton*>()) {
    if (button->accessibleName().isEmpty()) {
      button->setAccessibleName(QCoreApplication::translate("InnerButtons", name));
    }
  }
}

}  // namespace aftershock::gui
