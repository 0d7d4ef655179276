#include "gui/app/side_panels.h"

#include <QAction>
#include <QDockWidget>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <algorithm>
#include <optional>
#include <utility>

#include "gui/app/main_window.h"
#include "gui/app/search_box.h"
#include "gui/panels/budget_panel.h"
#include "gui/panels/chain.h"
#include "gui/panels/event_table.h"
#include "gui/panels/fault_table.h"
#include "gui/panels/inspector.h"
#include "gui/panels/ledger_bars.h"
#include "gui/panels/trial_table.h"
#include "gui/trace/find.h"
#include "gui/why/verdict.h"

namespace aftershock::gui {

namespace {

/// Wide enough for a card's tables.
constexpr int kInspectorLetters = 60;
/// While the view moves nobody reads how long what in it lasted.
constexpr int kRangePatience_ms = 150;
/// From so many trials on their table is shown.
constexpr int kManyTrials = 100;

}  // namespace

SidePanels::SidePanels(MainWindow& window, Workspace& workspace)
    : window_(window),
      workspace_(workspace),
      inspector_(new Inspector),
      events_(new EventTable),
      faults_(new FaultTable),
      trials_(new TrialTable),
      ledger_(new LedgerBars),
      budgets_(new BudgetPanel) {
  auto* inspector = window.add_panel(ActionId::kInspector, QStringLiteral("inspector"), inspector_,
                                     Qt::RightDockWidgetArea);
  drawer_ = window.add_panel(ActionId::kDrawer, QStringLiteral("events"), events_,
                             Qt::BottomDockWidgetArea);
  auto* faults = window.add_panel(ActionId::kFaultTable, QStringLiteral("faults"), faults_,
                                  Qt::BottomDockWidgetArea);
  trials_dock_ = window.add_panel(ActionId::kTrialTable, QStringLiteral("trials"), trials_,
                                  Qt::BottomDockWidgetArea);
  auto* ledger = window.add_panel(ActionId::kLedger, QStringLiteral("ledger"), ledger_,
                                  Qt::RightDockWidgetArea);
  auto* budgets = window.add_panel(ActionId::kBudgets, QStringLiteral("budgets"), budgets_,
                                   Qt::BottomDockWidgetArea);
  // The panel that answers "why" is seen first; the rest is a key away.
  drawer_->hide();
  faults->hide();
  trials_dock_->hide();
  ledger->hide();
  budgets->hide();
  window.tabifyDockWidget(drawer_, faults);
  window.tabifyDockWidget(faults, trials_dock_);
  window.tabifyDockWidget(trials_dock_, budgets);
  window.resizeDocks({inspector}, {window.letters_px(kInspectorLetters)}, Qt::Horizontal);
  window.actions().set_search_field(&events_->field());

  follow_workspace();
  follow_panels();
  add_search_box(window, workspace, *events_, *drawer_);
}

void SidePanels::follow_workspace() {
  connect(&workspace_, &Workspace::session_opened, this, [this](RunSession* session) {
    set_run(nullptr);
    disconnect(reckoned_);
    disconnect(grown_);
    if (session != nullptr) {
      grown_ = connect(session, &RunSession::grown, this, &SidePanels::show_grown);
      reckoned_ = connect(session, &RunSession::reckoned, this, &SidePanels::show_reckoned);
      show_reckoned();
    }
  });
  connect(&workspace_, &Workspace::session_finished, this,
          [this] { set_run(workspace_.session()); });
  const auto recolour = [this](Theme theme) {
    ledger_->set_theme(theme);
    budgets_->set_theme(theme);
  };
  recolour(window_.theme());
  connect(&window_, &MainWindow::theme_changed, this, recolour);

  connect(&workspace_, &Workspace::selection_changed, this, &SidePanels::show_selection);
  connect(&workspace_, &Workspace::state_changed, this, &SidePanels::look_at_state);
  // While the cursor plays, what it comes to is told.
  replay_.setSingleShot(true);
  replay_.setInterval(kRangePatience_ms);
  connect(&replay_, &QTimer::timeout, this, &SidePanels::follow_replay);
  connect(&workspace_, &Workspace::cursor_moved, this, [this] {
    if (workspace_.player().clock().playing && !replay_.isActive()) {
      replay_.start();
    }
  });
  range_.setSingleShot(true);
  range_.setInterval(kRangePatience_ms);
  connect(&range_, &QTimer::timeout, this, &SidePanels::show_what_is_at_hand);
}

void SidePanels::follow_panels() {
  connect(inspector_, &Inspector::lane_asked, this, &SidePanels::go_to_lane);
  // A click took the keyboard to the page, where letters do nothing.
  connect(inspector_, &Inspector::link_followed, this,
          [this] { workspace_.timeline().setFocus(); });
  connect(events_, &EventTable::place_chosen, this, [this] { shows_lane_ = false; });
  connect(events_, &EventTable::place_chosen, inspector_, &Inspector::show_place);
  connect(events_, &EventTable::go_to, this, &SidePanels::go_to);
  connect(trials_, &TrialTable::lane_chosen, this, &SidePanels::go_to_lane);
  connect(faults_, &FaultTable::place_chosen, this, [this] { shows_lane_ = false; });
  connect(faults_, &FaultTable::place_chosen, inspector_, &Inspector::show_place);
  connect(faults_, &FaultTable::go_to, this, &SidePanels::go_to);
  connect(budgets_, &BudgetPanel::go_to, this, &SidePanels::go_to);
  connect(inspector_, &Inspector::go_to, this, &SidePanels::go_to);
  connect(inspector_, &Inspector::rule_asked, this, [this](const QString& rule) {
    drawer_->show();
    drawer_->raise();
    events_->set_filter(rule);
  });
  window_.actions().handle(ActionId::kSearch, [this] {
    drawer_->show();
    drawer_->raise();
    events_->field().setFocus();
    events_->field().selectAll();
  });
  for (const auto& [id, step] :
       {std::pair(ActionId::kSearchNext, 1), std::pair(ActionId::kSearchPrevious, -1)}) {
    window_.actions().handle(id, [this, by = step] { events_->step(by); });
  }
  connect(window_.actions().action(ActionId::kClearSelection), &QAction::triggered, this, [this] {
    if (events_->field().hasFocus()) {
      workspace_.timeline().setFocus();
    }
  });
  window_.actions().handle(ActionId::kToEffect, [this] {
    follow(&to_effect, tr("nothing further came of this fault"));
  });
  window_.actions().handle(ActionId::kToCause,
                           [this] { follow(&to_cause, tr("no fault is known behind this")); });
}

void SidePanels::set_run(RunSession* session) {
  const Trace* trace = session == nullptr ? nullptr : &session->trace();
  const std::string path = session == nullptr ? std::string() : session->path().toStdString();
  inspector_->set_run(trace, path);
  shows_lane_ = false;
  shows_range_ = false;
  lane_ = workspace_.timeline().state().lane;
  events_->set_run(trace, path);
  faults_->set_run(trace);
  trials_->set_run(trace);
  // Lanes of so many are thin, and do not tell which of them failed. A user who closed the table
  // has seen it.
  if (trials_->shown().rowCount() >= kManyTrials && told_trials_.insert(path).second) {
    trials_dock_->show();
    trials_dock_->raise();
  }
  ledger_->set_run(trace);
  budgets_->set_moves(trace, session == nullptr ? std::vector<Charge>() : session->moves());
  if (trace == nullptr) {
    return;
  }
  if (has_range()) {
    show_range();
  } else {
    show_first_job();
  }
}

void SidePanels::show_first_job() {
  const Trace& trace = workspace_.session()->trace();
  // A failed job is the first, as the user has come for it.
  const std::vector<Verdict> verdicts = verdicts_of(trace, accounts_of(trace));
  if (!verdicts.empty()) {
    Place whole;
    whole.entity = verdicts.front().entity;
    inspector_->show_place(whole);
  }
}

void SidePanels::show_reckoned() {
  RunSession& session = *workspace_.session();
  budgets_->set_moves(&session.trace(), session.moves());
  if (session.is_reading()) {
    ledger_->set_run(&session.trace());
    faults_->set_run(&session.trace());
    if (events_->trace() != &session.trace()) {
      // Another file took its place.
      events_->set_run(&session.trace(), session.path().toStdString());
    }
  }
  // Of a run that grows, what there is can be asked about; what it all came to is told at its end.
  if (session.is_reading() && inspector_->trace() != &session.trace()) {
    inspector_->set_run(&session.trace(), session.path().toStdString());
  }
}

void SidePanels::show_grown() {
  const RunSession& session = *workspace_.session();
  if (!session.is_reading() || !session.grows()) {
    return;
  }
  if (events_->trace() == &session.trace()) {
    events_->grow();
  } else {
    events_->set_run(&session.trace(), session.path().toStdString());
  }
}

void SidePanels::go_to(const Place& place) {
  if (workspace_.session() == nullptr || place == Place()) {
    return;
  }
  going_ = true;
  workspace_.go_to(place);
  going_ = false;
  lane_ = workspace_.timeline().state().lane;
  shows_lane_ = false;
  shows_range_ = false;
  inspector_->show_place(place);
}

void SidePanels::go_to_lane(const QString& name) {
  const Scene* scene = workspace_.session() == nullptr ? nullptr : workspace_.session()->scene();
  const auto lane =
      scene == nullptr ? std::nullopt : key_of(scene->directory(), name.toStdString());
  if (lane) {
    workspace_.timeline().go_to(workspace_.timeline().state().cursor_us, lane);
    lane_ = lane;
    show_lane();
  }
}

void SidePanels::look_at_state() {
  const ViewState& state = workspace_.timeline().state();
  if (going_ || workspace_.session() == nullptr) {
    return;
  }
  const bool other_lane = state.lane != lane_;
  lane_ = state.lane;
  if (!other_lane || !lane_) {
    // The times of the lane are those in view.
    if (shows_lane_ && state.shown != shown_) {
      shown_ = state.shown;
      // Not anew each time: of a run that grows the view never rests.
      if (!range_.isActive()) {
        range_.start();
      }
    }
    return;
  }
  const bool is_selected = workspace_.selected() != Place() && state.selection->lane == lane_;
  if (is_selected) {
    show_selection();
  } else {
    show_what_is_at_hand();
  }
}

void SidePanels::follow_replay() {
  if (workspace_.session() == nullptr || inspector_->trace() == nullptr) {
    return;
  }
  const Trace& trace = workspace_.session()->trace();
  const Moment behind{workspace_.timeline().state().cursor_us + 1, 0};
  const auto fault = find_fault(trace, behind, Direction::kPrevious);
  const auto decision = find_decision(trace, behind, Direction::kPrevious);
  Place place;
  if (fault && (!decision || trace.faults[*fault].t_us >= trace.decisions[*decision].t_us)) {
    place = place_of_fault(trace, static_cast<std::uint32_t>(*fault));
  } else if (decision) {
    place = place_of_decision(trace, static_cast<std::uint32_t>(*decision));
  }
  if (place != Place() && place != replayed_) {
    replayed_ = place;
    shows_lane_ = false;
    inspector_->show_place(place);
  }
}

void SidePanels::show_lane() {
  const Scene* scene = workspace_.session() == nullptr ? nullptr : workspace_.session()->scene();
  if (scene == nullptr || !lane_) {
    return;
  }
  shows_lane_ = true;
  shown_ = workspace_.timeline().state().shown;
  const TimeRange run = workspace_.timeline().run();
  inspector_->show_lane(
      *scene, *lane_,
      {std::max(shown_.begin_us, run.begin_us), std::min(shown_.end_us, run.end_us)});
}

bool SidePanels::has_range() const {
  return selected_range(workspace_.timeline().state()).has_value();
}

void SidePanels::show_range() {
  const Scene* scene = workspace_.session() == nullptr ? nullptr : workspace_.session()->scene();
  if (scene == nullptr) {
    return;
  }
  const ViewState& state = workspace_.timeline().state();
  const bool of_a_job = state.lane && (state.lane->section == Section::kJobs ||
                                       state.lane->section == Section::kExperiments);
  // A lane of the cluster, or none, asks about all that was at work in it.
  const auto entity =
      of_a_job
          ? scene->trace().entities.find(text_of(
                scene->directory(), {.section = state.lane->section, .group = state.lane->group}))
          : std::nullopt;
  shows_lane_ = false;
  shows_range_ = true;
  inspector_->show_range(entity.value_or(kNone), *selected_range(state),
                         static_cast<std::int64_t>(workspace_.timeline().us_a_pixel()));
}

void SidePanels::show_what_is_at_hand() {
  if (workspace_.session() == nullptr) {
    return;
  }
  if (has_range()) {
    show_range();
  } else if (lane_) {
    show_lane();
  } else {
    show_first_job();
  }
}

void SidePanels::show_selection() {
  const Place place = workspace_.selected();
  const auto range = selected_range(workspace_.timeline().state());
  ledger_->set_range(range ? std::optional(std::pair(range->begin_us, range->end_us))
                           : std::nullopt);
  if (going_) {
    return;
  }
  if (place == Place()) {
    // A range that is there no more leaves its lane. Not anew for each pixel of a drag.
    if (has_range() != shows_range_) {
      shows_range_ = has_range();
      show_what_is_at_hand();
    } else if (shows_range_ && !range_.isActive()) {
      range_.start();
    }
    return;
  }
  shows_lane_ = false;
  shows_range_ = false;
  range_.stop();
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
