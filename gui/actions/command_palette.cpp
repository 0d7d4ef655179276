#include "gui/actions/command_palette.h"

#include <QAction>

#include "gui/actions/action_set.h"

namespace aftershock::gui {

CommandPalette::CommandPalette(ActionSet& actions, QWidget* window)
    : Picker(tr("Command palette"), tr("Type parts of an action's name"), window),
      actions_(actions) {
  connect(this, &Picker::picked, this, [this](int item) {
    actions_.action(shown_.at(static_cast<std::size_t>(item)))->trigger();
  });
}

void CommandPalette::show_actions() {
  std::vector<PickItem> items;
  shown_.clear();
  for (const ActionSpec& spec : actions_.table()) {
    if (spec.id == ActionId::kPalette || !actions_.is_handled(spec.id) ||
        !actions_.action(spec.id)->isEnabled()) {
      continue;
    }
    const QString menu = QString::fromStdString(spec.menu).replace(u'/', QStringLiteral(", "));
    const QString text = QString::fromStdString(spec.text);
    items.push_back({.text = text,
                     .keys = shown_keys(spec),
                     .detail = QString::fromStdString(spec.help),
                     .also = menu + u' ' + text + u' ' + QString::fromStdString(spec.help)});
    shown_.push_back(spec.id);
  }
  pick_from(std::move(items));
}

}  // namespace aftershock::gui
