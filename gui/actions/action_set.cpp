#include "gui/actions/action_set.h"

#include <QAction>
#include <QActionGroup>
#include <QKeyEvent>
#include <QKeySequence>
#include <QMenu>
#include <QMenuBar>
#include <QShortcut>
#include <QSignalBlocker>
#include <QWidget>
#include <algorithm>
#include <optional>
#include <utility>

#include "base/assert.h"

namespace aftershock::gui {

namespace {

QList<QKeySequence> sequences(const std::string& keys) {
  QList<QKeySequence> out;
  for (const std::string_view key : split_keys(keys)) {
    out.append(
        QKeySequence::fromString(QString::fromUtf8(key.data(), static_cast<qsizetype>(key.size())),
                                 QKeySequence::PortableText));
  }
  return out;
}

std::size_t index_of(ActionId id) { return static_cast<std::size_t>(id); }

bool is_key(const QKeySequence& sequence) {
  return sequence.count() == 1 && sequence[0].key() != Qt::Key_unknown;
}

/// The action other than `own` that has one of `keys`.
const ActionSpec* owner_of(const std::vector<ActionSpec>& table, const ActionSpec& own,
                           const QList<QKeySequence>& keys) {
  for (const ActionSpec& spec : table) {
    if (spec.id == own.id) {
      continue;
    }
    for (const QKeySequence& key : sequences(spec.keys)) {
      if (keys.contains(key)) {
        return &spec;
      }
    }
  }
  return nullptr;
}

/// A menu is there where one of its actions is.
void show_where_used(QAction* shown, const std::vector<QAction*>& of) {
  const auto update = [shown, of] {
    shown->setVisible(std::ranges::any_of(of, [](QAction* action) { return action->isVisible(); }));
  };
  for (QAction* action : of) {
    QObject::connect(action, &QAction::visibleChanged, shown, update);
  }
  update();
}

/// Gives each entry a letter of its own: the first of a word, else any.
void add_mnemonics(QMenu& menu) {
  QString used;
  for (QAction* entry : menu.actions()) {
    const QString text = entry->text().remove(u'&');
    qsizetype at = -1;
    for (const bool of_word : {true, false}) {
      for (qsizetype i = 0; i < text.size() && at < 0; ++i) {
        const bool begins = i == 0 || text[i - 1] == u' ';
        const bool usable = text[i].unicode() < 128 && text[i].isLetterOrNumber();
        if (usable && (begins || !of_word) && !used.contains(text[i].toLower())) {
          at = i;
        }
      }
    }
    if (at >= 0) {
      used += text[at].toLower();
      entry->setText(text.left(at) + u'&' + text.mid(at));
    }
  }
}

/// The menu of a path in `bar`; those on the way are made as they are needed.
class Menus {
 public:
  explicit Menus(QMenuBar& bar) : bar_(bar) {}

  QMenu* menu(const QString& path) {
    if (QMenu* known = menus_.value(path)) {
      return known;
    }
    const qsizetype slash = path.lastIndexOf(u'/');
    const QString title = path.mid(slash + 1);
    QMenu* made = slash < 0 ? bar_.addMenu(u'&' + title) : menu(path.left(slash))->addMenu(title);
    menus_.insert(path, made);
    return made;
  }
  [[nodiscard]] const QMap<QString, QMenu*>& all() const { return menus_; }

 private:
  QMenuBar& bar_;
  QMap<QString, QMenu*> menus_;
};

}  // namespace

QStringList apply_key_overrides(std::vector<ActionSpec>& table, const KeyOverrides& overrides) {
  QStringList problems;
  for (const auto& [name, keys] : overrides) {
    const QString shown = QString::fromStdString(name);
    const auto spec = std::ranges::find(table, name, &ActionSpec::name);
    if (spec == table.end()) {
      problems << QStringLiteral("keys: there is no action \"%1\"").arg(shown);
      continue;
    }
    const QList<QKeySequence> wanted = sequences(keys);
    if (!std::ranges::all_of(wanted, is_key)) {
      problems << QStringLiteral("keys: %1: \"%2\" is not a key; one is written as in Ctrl+Shift+P")
                      .arg(shown, QString::fromStdString(keys));
      continue;
    }
    if (const ActionSpec* other = owner_of(table, *spec, wanted)) {
      problems << QStringLiteral("keys: %1: \"%2\" belongs to %3")
                      .arg(shown, QString::fromStdString(keys),
                           QString::fromStdString(other->name));
      continue;
    }
    spec->keys = keys;
  }
  return problems;
}

ActionSet::ActionSet(QWidget* window, std::vector<ActionSpec> table)
    : QObject(window),
      table_(std::move(table)),
      actions_(index_of(ActionId::kCount)),
      handled_(index_of(ActionId::kCount)) {
  for (const ActionSpec& spec : table_) {
    make(spec, window);
  }
  QMap<QString, QActionGroup*> groups;
  for (const ActionSpec& spec : table_) {
    if (spec.check == Check::kChoice) {
      const QString key = QString::fromStdString(spec.menu + "\n" + spec.group);
      if (!groups.contains(key)) {
        groups.insert(key, new QActionGroup(this));
      }
      groups.value(key)->addAction(action(spec.id));
    }
  }
}

void ActionSet::make(const ActionSpec& spec, QWidget* window) {
  auto* made = new QAction(QString::fromStdString(spec.text), this);
  made->setObjectName(QString::fromStdString(spec.name));
  made->setIconText(QString::fromStdString(spec.text).remove(u'…'));
  made->setShortcuts(sequences(spec.keys));
  made->setStatusTip(QString::fromStdString(spec.help));
  const QString keys = shown_keys(spec);
  made->setToolTip(QString::fromStdString(spec.help) +
                   (keys.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(keys)));
  // Without this a menu of its platform may take "Quit" or "About" elsewhere.
  made->setMenuRole(QAction::NoRole);
  made->setCheckable(spec.check != Check::kPlain);
  made->setShortcutContext(spec.scope == Scope::kWindow ? Qt::WindowShortcut
                                                        : Qt::WidgetWithChildrenShortcut);
  made->setVisible(false);
  made->setEnabled(false);
  if (spec.scope == Scope::kWindow) {
    window->addAction(made);
  }
  actions_[index_of(spec.id)] = made;
}

void ActionSet::add_timeline(QWidget* timeline) {
  for (const ActionSpec& spec : table_) {
    if (spec.scope == Scope::kTimeline) {
      timeline->addAction(action(spec.id));
    }
  }
}

void ActionSet::set_search_field(QWidget* field) {
  for (const ActionSpec& spec : table_) {
    for (const QKeySequence& key : sequences(spec.search_keys)) {
      auto* shortcut = new QShortcut(key, field);
      shortcut->setContext(Qt::WidgetShortcut);
      connect(shortcut, &QShortcut::activated, action(spec.id), &QAction::trigger);
    }
  }
}

void ActionSet::mark_handled(ActionId id) {
  action(id)->disconnect(this);
  handled_[index_of(id)] = true;
  action(id)->setEnabled(true);
  action(id)->setVisible(true);
}

void ActionSet::handle(ActionId id, std::function<void()> run) {
  AFTERSHOCK_ASSERT(run != nullptr);
  mark_handled(id);
  connect(action(id), &QAction::triggered, this, [run = std::move(run)] { run(); });
}

void ActionSet::handle_check(ActionId id, std::function<void(bool)> run) {
  AFTERSHOCK_ASSERT(run != nullptr);
  mark_handled(id);
  connect(action(id), &QAction::triggered, this,
          [run = std::move(run)](bool checked) { run(checked); });
}

void ActionSet::handle_all(const ActionHandlers& handlers) {
  for (const auto& [id, run] : handlers.all()) {
    handle_check(id, run);
  }
}

void ActionSet::handle_all(const ActionHandlers& kind, std::function<const ActionHandlers&()> who) {
  for (const auto& entry : kind.all()) {
    handle_check(entry.first,
                 [who, id = entry.first](bool checked) { who().all().at(id)(checked); });
  }
}

void ActionSet::show_checked(ActionId id, bool on) { action(id)->setChecked(on); }

QAction* ActionSet::action(ActionId id) const {
  QAction* made = actions_.at(index_of(id));
  AFTERSHOCK_ASSERT(made != nullptr);
  return made;
}

bool ActionSet::is_handled(ActionId id) const { return handled_.at(index_of(id)); }

void ActionSet::fill_menus(QMenuBar& bar) {
  Menus menus(bar);
  QMap<QString, std::vector<QAction*>> in_menu;
  QMap<QString, std::string> group;
  for (const ActionSpec& spec : table_) {
    const QString path = QString::fromStdString(spec.menu);
    QMenu* menu = menus.menu(path);
    if (group.contains(path) && group.value(path) != spec.group) {
      menu->addSeparator();
    }
    group.insert(path, spec.group);
    menu->addAction(action(spec.id));
    for (QString at = path; !at.isEmpty();
         at = at.left(std::max<qsizetype>(at.lastIndexOf(u'/'), 0))) {
      in_menu[at].push_back(action(spec.id));
    }
  }
  for (QMenu* menu : menus.all()) {
    // Letters are an open menu's own: those that it has no entry for do nothing.
    menu->installEventFilter(this);
    add_mnemonics(*menu);
  }
  for (auto entry = menus.all().begin(); entry != menus.all().end(); ++entry) {
    show_where_used(entry.value()->menuAction(), in_menu.value(entry.key()));
  }
}

bool ActionSet::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const auto keys = static_cast<QKeyEvent*>(event)->modifiers();
    if ((keys & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) == 0) {
      event->accept();
      return true;
    }
  }
  return QObject::eventFilter(watched, event);
}

QString shown_keys(const ActionSpec& spec) {
  QStringList shown;
  for (const QKeySequence& key : sequences(spec.keys)) {
    shown << key.toString(QKeySequence::NativeText);
  }
  return shown.join(QStringLiteral(", "));
}

}  // namespace aftershock::gui
