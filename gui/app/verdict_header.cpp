#include "gui/app/verdict_header.h"

#include <optional>
#include <utility>
#include <vector>

#include "gui/app/main_window.h"
#include "gui/app/workspace.h"
#include "gui/panels/verdict_bar.h"

namespace aftershock::gui {

VerdictHeader::VerdictHeader(MainWindow& window, Workspace& workspace)
    : QObject(&window), window_(window), workspace_(workspace), bar_(new VerdictBar) {
  window.add_bar(bar_);
  bar_->set_theme(window.theme());
  connect(&window, &MainWindow::theme_changed, bar_, &VerdictBar::set_theme);
  connect(&workspace, &Workspace::runs_changed, this, &VerdictHeader::update);
  connect(&workspace, &Workspace::session_finished, this, &VerdictHeader::update);
  connect(bar_, &VerdictBar::chosen, this, [this](int run, std::uint32_t entity) {
    workspace_.take_to_hand(run);
    const Scene* scene = workspace_.session()->scene();
    const Trace& trace = workspace_.session()->trace();
    if (const auto lane = scene == nullptr || entity == kNone
                              ? std::nullopt
                              : key_of(scene->directory(), trace.entities[entity])) {
      workspace_.timeline().go_to(workspace_.timeline().state().cursor_us, lane);
    }
  });
  connect(bar_, &VerdictBar::go_to, this, [this](int run, const Place& place) {
    workspace_.take_to_hand(run);
    workspace_.go_to(place);
  });
}

void VerdictHeader::update() {
  std::vector<RunVerdicts> runs;
  for (int run = 0; run < 2; ++run) {
    Pane& pane = workspace_.pane(run);
    if (!pane.is_ready()) {
      continue;
    }
    const Trace& trace = pane.session()->trace();
    const QString letter = !workspace_.has_two() ? QString()
                           : run == 0            ? QStringLiteral("A")
                                                 : QStringLiteral("B");
    runs.push_back(
        {run, letter, &trace, verdicts_of(trace, accounts_of(trace)), cost_of_run(trace)});
  }
  bar_->set_runs(std::move(runs));
}

}  // namespace aftershock::gui
