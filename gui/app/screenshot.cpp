#include "gui/app/screenshot.h"

#include <QApplication>
#include <QPixmap>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "gui/app/main_window.h"
#include "gui/app/message_bar.h"
#include "gui/app/workspace.h"

namespace aftershock::gui {

namespace {

constexpr int kUnusable = 2;
constexpr int kLook_ms = 20;

int complain(const std::string& text) {
  std::fputs((text + "\n").c_str(), stderr);
  return kUnusable;
}

}  // namespace

std::string go_to_place(Workspace& workspace, const Arguments& arguments) {
  Timeline& timeline = workspace.timeline();
  std::optional<LaneKey> lane;
  if (workspace.session()->scene() == nullptr) {
    return {};
  }
  if (!arguments.lane.empty()) {
    lane = key_of(workspace.session()->scene()->directory(), arguments.lane);
    if (!lane) {
      return "--select " + arguments.lane + ": the recording has no such lane";
    }
  }
  if (arguments.at_us || lane) {
    timeline.go_to(arguments.at_us.value_or(timeline.state().cursor_us), lane);
  }
  if (arguments.from_us || arguments.to_us) {
    ViewState next = timeline.state();
    next.shown = {arguments.from_us.value_or(timeline.run().begin_us),
                  arguments.to_us.value_or(timeline.run().end_us)};
    next.shown.end_us = std::max(next.shown.end_us, next.shown.begin_us + 1);
    timeline.change(std::move(next), Joining::kJoined);
  }
  return {};
}

int take_screenshot(MainWindow& window, Workspace& workspace, const Arguments& arguments) {
  const auto message = [&window] {
    const auto* bar = window.findChild<MessageBar*>();
    return bar == nullptr ? std::string() : bar->text().toStdString();
  };
  const auto finish = [&] {
    RunSession* session = workspace.session();
    if (session->scene() == nullptr) {
      return complain(message());
    }
    if (const std::string problem = go_to_place(workspace, arguments); !problem.empty()) {
      return complain(problem);
    }
    if (const std::string word = message(); !word.empty()) {
      complain(word);
    }
    QApplication::processEvents();
    const QString path = QString::fromStdString(arguments.screenshot);
    return window.grab().save(path, "PNG") ? 0
                                           : complain(arguments.screenshot + ": cannot be written");
  };
  QTimer look;
  QObject::connect(&look, &QTimer::timeout, &window, [&] {
    // A recording is complete before the program that writes it has ended and said how.
    for (int run = 0; run < 2; ++run) {
      const auto& runner = window.run(run).runner;
      if (runner != nullptr && runner->is_running()) {
        return;
      }
    }
    if (workspace.is_busy()) {
      return;
    }
    look.stop();
    const auto opened = static_cast<std::size_t>(workspace.pane(0).session() != nullptr) +
                        static_cast<std::size_t>(workspace.pane(1).session() != nullptr);
    QApplication::exit(opened < arguments.files.size() ? complain(message()) : finish());
  });
  look.start(kLook_ms);
  return QApplication::exec();
}

}  // namespace aftershock::gui
