#include "gui/app/comparison.h"

#include <QDockWidget>
#include <QScrollBar>
#include <QStatusBar>
#include <algorithm>
#include <utility>

#include "gui/app/main_window.h"
#include "gui/panels/compare_panel.h"
#include "gui/panels/delta_strip.h"

namespace aftershock::gui {

namespace {

/// Wide enough for two values and their difference.
constexpr int kPanelLetters = 77;

/// Where a run's own answer stands among its decisions; nowhere where it had none.
Place place_of(const Trace& trace, const std::optional<reports::DecisionStep>& step) {
  return step ? place_of_decision(trace, step->decision) : Place();
}

}  // namespace

Comparison::Comparison(MainWindow& window, Workspace& workspace)
    : window_(window), workspace_(workspace), panel_(new ComparePanel), strip_(new DeltaStrip) {
  dock_ = window.add_panel(ActionId::kComparison, QStringLiteral("comparison"), panel_,
                           Qt::RightDockWidgetArea);
  dock_->hide();
  if (auto* inspector = window.findChild<QDockWidget*>(QStringLiteral("inspector"))) {
    window.tabifyDockWidget(inspector, dock_);
  }
  workspace.pane(1).set_header(strip_);
  handle_actions();
  connect_parts();
  update();
}

Comparison::~Comparison() {
  // Signals while the window goes must not find half of this.
  panel_->disconnect(this);
  strip_->disconnect(this);
}

void Comparison::handle_actions() {
  using enum ActionId;
  ActionSet& actions = window_.actions();
  actions.handle_check(kCompare, [this](bool on) { workspace_.show_two(on); });
  actions.handle(kOtherRun, [this] { workspace_.take_to_hand(1 - workspace_.run_at_hand()); });
  actions.handle(kSwap, [this] { workspace_.swap(); });
  actions.handle_check(kLinkCursors, [this](bool on) {
    linked_ = on;
    relink();
  });
  for (const auto& [id, by] :
       {std::pair(kAlignTime, Alignment::kTime), std::pair(kAlignFault, Alignment::kFault),
        std::pair(kAlignProgress, Alignment::kProgress)}) {
    actions.handle_check(id, [this, alignment = by](bool) {
      alignment_ = alignment;
      relink();
    });
  }
  actions.handle(kNextDivergence, [this] { go_to_divergence(true); });
  actions.handle(kPreviousDivergence, [this] { go_to_divergence(false); });
  actions.show_checked(kLinkCursors, linked_);
  actions.show_checked(kAlignTime, true);
}

void Comparison::connect_parts() {
  const auto recolour = [this](Theme theme) {
    panel_->set_theme(theme);
    strip_->set_theme(theme);
  };
  recolour(window_.theme());
  connect(&window_, &MainWindow::theme_changed, this, recolour);
  connect(&workspace_, &Workspace::runs_changed, this, &Comparison::update);
  connect(panel_, &ComparePanel::go_to, this, &Comparison::go_to);
  connect(panel_, &ComparePanel::go_to_place, this, [this](int run, const Place& place) {
    workspace_.take_to_hand(run);
    workspace_.go_to(place);
  });
  connect(panel_, &ComparePanel::divergences_found, this,
          [this] { strip_->set_divergences(panel_->divergences()); });
  connect(strip_, &DeltaStrip::time_chosen, this, [this](qint64 a_us) {
    workspace_.take_to_hand(0);
    workspace_.timeline().go_to(a_us, std::nullopt);
  });
  for (int run = 0; run < 2; ++run) {
    Timeline& timeline = workspace_.pane(run).timeline();
    connect(&timeline, &Timeline::state_changed, this, &Comparison::show_range);
    connect(&timeline, &Timeline::cursor_moved, this, &Comparison::show_range);
  }
}

bool Comparison::is_ready() {
  return workspace_.pane(0).is_ready() && workspace_.pane(1).is_ready() &&
         workspace_.pane(0).session()->scene() != nullptr &&
         workspace_.pane(1).session()->scene() != nullptr;
}

void Comparison::update() {
  using enum ActionId;
  const bool two = workspace_.has_two();
  const bool ready = is_ready();
  for (const ActionId id :
       {kCompare, kSwap, kAlignTime, kAlignFault, kAlignProgress, kLinkCursors, kComparison}) {
    window_.actions().action(id)->setEnabled(two);
  }
  for (const ActionId id : {kNextDivergence, kPreviousDivergence}) {
    window_.actions().action(id)->setEnabled(ready);
  }
  window_.actions().action(kOtherRun)->setEnabled(two && workspace_.shows_two());
  window_.actions().show_checked(kCompare, two && workspace_.shows_two());
  if (two && !had_two_) {
    dock_->show();
    dock_->raise();
    window_.resizeDocks({dock_}, {window_.letters_px(kPanelLetters)}, Qt::Horizontal);
  } else if (!two) {
    if (had_two_) {
      // Words about a jump in the other, or in both, are over.
      window_.set_status(QStringLiteral("word"), {});
      window_.statusBar()->clearMessage();
    }
    // Also where it was left open: of one run there is nothing in it.
    dock_->hide();
  }
  had_two_ = two;
  workspace_.pane(1).set_header(strip_);
  const auto path = [this](int run) {
    return workspace_.pane(run).session()->path().toStdString();
  };
  if (ready) {
    const Trace& a = workspace_.pane(0).session()->trace();
    const Trace& b = workspace_.pane(1).session()->trace();
    strip_->set_runs(&a, &b);
    panel_->set_runs(&a, path(0), workspace_.name_of_run(0), &b, path(1),
                     workspace_.name_of_run(1));
  } else {
    strip_->set_runs(nullptr, nullptr);
    panel_->set_runs(nullptr, {}, {}, nullptr, {}, {});
  }
  relink();
}

void Comparison::relink() {
  link_.reset();
  if (!is_ready()) {
    return;
  }
  map_ = time_map(workspace_.pane(0).session()->trace(), workspace_.pane(1).session()->trace(),
                  alignment_);
  strip_->set_alignment(map_);
  if (linked_) {
    link_ = std::make_unique<TimelineLink>(workspace_.pane(0).timeline(),
                                           workspace_.pane(1).timeline(), map_);
  }
  show_range();
}

void Comparison::show_range() {
  Pane& pane = workspace_.pane(0);
  strip_->set_range(pane.timeline().state().shown, pane.left_px(), pane.right_px());
  strip_->set_cursor(pane.timeline().state().cursor_us);
}

std::int64_t Comparison::cursor_in_a_us() {
  const std::int64_t cursor_us = workspace_.timeline().state().cursor_us;
  return workspace_.run_at_hand() == 0 ? cursor_us : map_.to_a(cursor_us);
}

void Comparison::go_to_divergence(bool next) {
  const auto& all = panel_->divergences();
  const std::int64_t now_us = cursor_in_a_us();
  // Several may be of one time: from one that was gone to the one beside it is next.
  const auto at = static_cast<std::size_t>(panel_->current());
  const bool here = panel_->current() >= 0 && at < all.size() && all[at].a_us == now_us;
  std::optional<std::size_t> found;
  if (here) {
    if (next ? at + 1 < all.size() : at > 0) {
      found = next ? at + 1 : at - 1;
    }
  } else if (next) {
    const auto later = std::ranges::upper_bound(all, now_us, {}, &reports::Divergence::a_us);
    found = later == all.end() ? std::nullopt
                               : std::optional(static_cast<std::size_t>(later - all.begin()));
  } else {
    const auto earlier = std::ranges::lower_bound(all, now_us, {}, &reports::Divergence::a_us);
    found = earlier == all.begin()
                ? std::nullopt
                : std::optional(static_cast<std::size_t>(earlier - all.begin()) - 1);
  }
  if (!found) {
    window_.set_status(QStringLiteral("word"),
                       !panel_->is_ready() ? tr("the runs are still being compared")
                       : all.empty()       ? tr("the policies do the same about every fault")
                       : next              ? tr("no divergence after this")
                                           : tr("no divergence before this"));
    return;
  }
  panel_->show_divergence(static_cast<int>(*found));
  go_to(all[*found]);
}

void Comparison::go_to(const reports::Divergence& divergence) {
  if (!is_ready()) {
    return;
  }
  const int at_hand = workspace_.run_at_hand();
  // The first run goes last: it is the one whose time is told.
  for (const int run : {1, 0}) {
    workspace_.take_to_hand(run);
    const Trace& trace = workspace_.session()->trace();
    const Place place = place_of(trace, run == 0 ? divergence.a : divergence.b);
    if (place != Place()) {
      workspace_.go_to(place);
    } else {
      workspace_.timeline().go_to(run == 0 ? divergence.a_us : divergence.b_us, std::nullopt);
    }
  }
  if (workspace_.shows_two()) {
    workspace_.take_to_hand(at_hand);
  }
  panel_->show_divergences();
  const auto& all = panel_->divergences();
  // The word on another jump is over.
  window_.statusBar()->clearMessage();
  window_.set_status(QStringLiteral("word"),
                     tr("divergence %1 of %2").arg(panel_->current() + 1).arg(all.size()));
}

}  // namespace aftershock::gui
