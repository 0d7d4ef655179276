#include "gui/app/side_panels.h"

#include <QAction>
#include <QDockWidget>
#include <QLineEdit>
#include <optional>
#include <utility>

#include "gui/app/main_window.h"
#include "gui/panels/budget_panel.h"
#include "gui/panels/chain.h"
#include "gui/panels/event_table.h"
#include "gui/panels/inspector.h"
#include "gui/panels/ledger_bars.h"

namespace aftershock::gui {

namespace {

/// Wide enough for a card's tables.
constexpr int kInspector_px = 360;

}  // namespace

SidePanels::SidePanels(MainWindow& window, Workspace& workspace)
    : window_(window),
      workspace_(workspace),
      inspector_(new Inspector),
      events_(new EventTable),
      ledger_(new LedgerBars),
      budgets_(new BudgetPanel) {
  auto* inspector = window.add_panel(ActionId::kInspector, QStringLiteral("inspector"), inspector_,
                                     Qt::RightDockWidgetArea);
  drawer_ = window.add_panel(ActionId::kDrawer, QStringLiteral("events"), events_,
                             Qt::BottomDockWidgetArea);
  auto* ledger = window.add_panel(ActionId::kLedger, QStringLiteral("ledger"), ledger_,
                                  Qt::RightDockWidgetArea);
  auto* budgets = window.add_panel(ActionId::kBudgets, QStringLiteral("budgets"), budgets_,
                                   Qt::BottomDockWidgetArea);
  // What answers "why" is seen first; the rest is a key away.
  drawer_->hide();
  ledger->hide();
  budgets->hide();
  window.tabifyDockWidget(drawer_, budgets);
  window.resizeDocks({inspector}, {kInspector_px}, Qt::Horizontal);
  window.actions().set_search_field(&events_->field());

  connect(&workspace, &Workspace::session_opened, this, [this] { set_run(nullptr); });
  connect(&workspace, &Workspace::session_finished, this,
          [this] { set_run(workspace_.session()); });
  const auto recolour = [this](Theme theme) {
    ledger_->set_theme(theme);
    budgets_->set_theme(theme);
  };
  recolour(window.theme());
  connect(&window, &MainWindow::theme_changed, this, recolour);

  connect(&workspace, &Workspace::selection_changed, this, &SidePanels::show_selection);
  connect(events_, &EventTable::place_chosen, inspector_, &Inspector::show_place);
  connect(events_, &EventTable::go_to, this, &SidePanels::go_to);
  connect(budgets_, &BudgetPanel::go_to, this, &SidePanels::go_to);
  connect(inspector_, &Inspector::go_to, this, &SidePanels::go_to);
  connect(inspector_, &Inspector::rule_asked, this, [this](const QString& rule) {
    drawer_->show();
    drawer_->raise();
    events_->set_filter(rule);
  });
  window.actions().handle(ActionId::kSearch, [this] {
    drawer_->show();
    drawer_->raise();
    events_->field().setFocus();
    events_->field().selectAll();
  });
  for (const auto& [id, by] :
       {std::pair(ActionId::kSearchNext, 1), std::pair(ActionId::kSearchPrevious, -1)}) {
    window.actions().handle(id, [this, by = by] { events_->step(by); });
  }
  connect(window.actions().action(ActionId::kClearSelection), &QAction::triggered, this, [this] {
    if (events_->field().hasFocus()) {
      workspace_.timeline().setFocus();
    }
  });
  window.actions().handle(ActionId::kToEffect,
                          [this] { follow(&to_effect, tr("nothing further came of this fault")); });
  window.actions().handle(ActionId::kToCause,
                          [this] { follow(&to_cause, tr("no fault is known behind this")); });
}

void SidePanels::set_run(RunSession* session) {
  const Trace* trace = session == nullptr ? nullptr : &session->trace();
  const std::string path = session == nullptr ? std::string() : session->path().toStdString();
  inspector_->set_run(trace, path);
  events_->set_run(trace, path);
  ledger_->set_run(trace);
  budgets_->set_run(trace, path);
  if (trace == nullptr) {
    return;
  }
  // What died is what one has come for.
  for (const reports::HeaderJob& job : trace->header.jobs) {
    if (const auto entity = trace->entities.find("job:" + job.name)) {
      Place whole;
      whole.entity = *entity;
      inspector_->show_place(whole);
      break;
    }
  }
}

void SidePanels::go_to(const Place& place) {
  if (workspace_.session() == nullptr || place == Place()) {
    return;
  }
  going_ = true;
  workspace_.go_to(place);
  going_ = false;
  inspector_->show_place(place);
}

void SidePanels::show_selection() {
  const Place place = workspace_.selected();
  const auto range = selected_range(workspace_.timeline().state());
  ledger_->set_range(range ? std::optional(std::pair(range->begin_us, range->end_us))
                           : std::nullopt);
  if (going_ || place == Place()) {
    return;
  }
  inspector_->show_place(place);
  ledger_->show_entity(place.entity);
  if (drawer_->isVisible()) {
    events_->select_nearest(place.t_us);
  }
}

void SidePanels::follow(Place (*step)(const Trace&, const Place&), const QString& nothing) {
  const Place from = workspace_.selected();
  if (from == Place()) {
    window_.set_status(QStringLiteral("word"), tr("nothing is selected"));
    return;
  }
  const Place next = step(workspace_.session()->trace(), from);
  window_.set_status(QStringLiteral("word"), next == Place() ? nothing : QString());
  go_to(next);
}

}  // namespace aftershock::gui
