#include "gui/app/comparison.h"

#include "gui/app/main_window.h"

namespace aftershock::gui {

Comparison::Comparison(MainWindow& window, Workspace& workspace)
    : window_(window), workspace_(workspace) {
  handle_actions();
  connect(&workspace, &Workspace::runs_changed, this, &Comparison::update);
  update();
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
  for (const auto& [id, alignment] :
       {std::pair(kAlignTime, Alignment::kTime), std::pair(kAlignFault, Alignment::kFault),
        std::pair(kAlignProgress, Alignment::kProgress)}) {
    actions.handle_check(id, [this, alignment = alignment](bool) {
      alignment_ = alignment;
      relink();
    });
  }
  actions.show_checked(kLinkCursors, linked_);
  actions.show_checked(kAlignTime, true);
}

void Comparison::update() {
  using enum ActionId;
  const bool two = workspace_.has_two();
  for (const ActionId id : {kCompare, kSwap, kAlignTime, kAlignFault, kAlignProgress, kLinkCursors,
                            kNextDivergence, kPreviousDivergence}) {
    window_.actions().action(id)->setEnabled(two);
  }
  window_.actions().action(kOtherRun)->setEnabled(two && workspace_.shows_two());
  window_.actions().show_checked(kCompare, two && workspace_.shows_two());
  relink();
}

void Comparison::relink() {
  link_.reset();
  if (!linked_ || !workspace_.has_two() || workspace_.is_reading()) {
    return;
  }
  const Trace& a = workspace_.pane(0).session()->trace();
  const Trace& b = workspace_.pane(1).session()->trace();
  link_ = std::make_unique<TimelineLink>(workspace_.pane(0).timeline(),
                                         workspace_.pane(1).timeline(), time_map(a, b, alignment_));
}

}  // namespace aftershock::gui
