#pragma once

#include <QApplication>
#include <QMainWindow>
#include <QTest>
#include <QWheelEvent>
#include <cmath>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "gui/actions/action_set.h"
#include "gui/timeline/timeline.h"
#include "tests/gui/timeline/sample_run.h"

namespace aftershock::gui::testing {

/// A timeline in a window, which has read its file.
struct ShownTimeline {
  SampleFile file;
  RunSession session{file.path, false};
  QMainWindow window;
  ActionSet* actions = new ActionSet(&window);
  Timeline* timeline = new Timeline;

  explicit ShownTimeline(const std::string& lines = sample_lines()) : file(lines) {
    window.setCentralWidget(timeline);
    actions->add_timeline(timeline);
    actions->handle_all(timeline->handlers());
    window.resize(900, 500);
    window.show();
    window.activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&window));
    timeline->setFocus();
    timeline->set_session(&session);
    read_all(session);
  }
  ~ShownTimeline() { timeline->set_session(nullptr); }
  [[nodiscard]] QWidget* port() const { return timeline->viewport(); }
  [[nodiscard]] int x_of(std::int64_t t_us) const {
    return static_cast<int>(std::lround(timeline->x_at(t_us)));
  }
  /// The middle of a lane's row; none: it is not on the screen.
  [[nodiscard]] std::optional<int> row_of(const std::string& lane) const {
    const auto key = key_of(session_scene().directory(), lane);
    for (int y = timeline->layout_now().rows_top(); y < port()->height(); ++y) {
      const auto node = timeline->node_at(y);
      if (node && key && session_scene().tree().nodes[*node].key == *key) {
        return y + timeline->layout_now().row_px / 2;
      }
    }
    return std::nullopt;
  }
  [[nodiscard]] int y_of(const std::string& lane) const {
    const auto y = row_of(lane);
    EXPECT_TRUE(y) << lane << " is not shown";
    return y.value_or(0);
  }
  [[nodiscard]] const Scene& session_scene() const { return *timeline->session()->scene(); }
  [[nodiscard]] std::string lane() const {
    return timeline->state().lane ? text_of(session_scene().directory(), *timeline->state().lane)
                                  : "";
  }
  void wheel(int x, int notches, Qt::KeyboardModifiers keys) const {
    QWheelEvent event(QPointF(x, 200), port()->mapToGlobal(QPointF(x, 200)), {}, {0, notches * 120},
                      Qt::NoButton, keys, Qt::NoScrollPhase, false);
    QApplication::sendEvent(port(), &event);
  }
};

}  // namespace aftershock::gui::testing
