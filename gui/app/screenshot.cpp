#include "gui/app/screenshot.h"

#include <QApplication>
#include <QImage>
#include <QPixmap>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "gui/app/main_window.h"
#include "gui/app/message_bar.h"
#include "gui/app/typed_time.h"
#include "gui/app/workspace.h"

namespace aftershock::gui {

namespace {

constexpr int kLook_ms = 20;

int complain(const std::string& text) {
  std::fputs((text + "\n").c_str(), stderr);
  return kUnusable;
}

/// A word about a time that the run does not have; empty where all is well.
std::string beyond_the_run(const Timeline& timeline, const Arguments& arguments) {
  const std::int64_t end_us = timeline.run().end_us;
  const std::pair<const char*, std::optional<std::int64_t>> times[] = {
      {"--at", arguments.at_us}, {"--from", arguments.from_us}};
  for (const auto& [name, t_us] : times) {
    if (t_us && *t_us > end_us) {
      return std::string(name) + " " + typed_text(*t_us) + ": the run ends at " +
             typed_text(end_us);
    }
  }
  return {};
}

/// The error in it, else nothing.
std::string select_range(Timeline& timeline, const std::optional<TimeRange>& range) {
  if (!range) {
    return {};
  }
  const TimeRange run = timeline.run();
  const TimeRange within{std::max(range->begin_us, run.begin_us),
                         std::min(range->end_us, run.end_us)};
  if (within.begin_us >= within.end_us) {
    return "--range " + typed_text(range->begin_us) + ".." + typed_text(range->end_us) +
           ": the run ends at " + typed_text(run.end_us);
  }
  ViewState next = timeline.state();
  next.selection = Selection{.lane = std::nullopt, .time = within};
  timeline.change(std::move(next), Joining::kJoined);
  return {};
}

}  // namespace

std::string go_to_place(Workspace& workspace, const Arguments& arguments) {
  Timeline& timeline = workspace.timeline();
  std::optional<LaneKey> lane;
  if (workspace.session()->scene() == nullptr) {
    return {};
  }
  if (const std::string problem = beyond_the_run(timeline, arguments); !problem.empty()) {
    return problem;
  }
  if (!arguments.lane.empty()) {
    lane = key_of(workspace.session()->scene()->directory(), arguments.lane);
    if (!lane) {
      return "--select " + arguments.lane + ": the recording has no such lane";
    }
  }
  const auto show = [&] {
    if (arguments.from_us || arguments.to_us) {
      ViewState next = timeline.state();
      next.shown = {arguments.from_us.value_or(timeline.run().begin_us),
                    arguments.to_us.value_or(timeline.run().end_us)};
      next.shown.end_us = std::max(next.shown.end_us, next.shown.begin_us + 1);
      timeline.change(std::move(next), Joining::kJoined);
    }
  };
  // The words of the lane tell of the view; going to a time may move that.
  show();
  if (arguments.at_us || lane) {
    timeline.go_to(arguments.at_us.value_or(timeline.state().cursor_us), lane);
    show();
    if (arguments.at_us && lane) {
      timeline.select_near(*lane, *arguments.at_us);
    }
  }
  return select_range(timeline, arguments.range);
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
    // The lanes that are open follow from the room that the verdicts have left.
    QApplication::processEvents();
    if (const std::string problem = go_to_place(workspace, arguments); !problem.empty()) {
      return complain(problem);
    }
    if (const std::string word = message(); !word.empty()) {
      complain(word);
    }
    QApplication::processEvents();
    const QString path = QString::fromStdString(arguments.screenshot);
    QImage picture = window.grab().toImage();
    // Another Qt draws other pixels: who compares pictures wants to know.
    picture.setText("Software", QStringLiteral("aftershock-viewer, Qt %1").arg(qVersion()));
    constexpr int kSmallest = 0;  // of a format without loss, the quality is how little is packed
    return picture.save(path, "PNG", kSmallest)
               ? 0
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
