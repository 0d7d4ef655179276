#include "gui/session/run_session.h"

#include <QElapsedTimer>
#include <optional>
#include <string>
#include <utility>

#include "gui/session/curve_maker.h"
#include "gui/trace/display_text.h"
#include "gui/trace/loader.h"
#include "reports/render/format.h"

namespace aftershock::gui {

namespace {

/// The window answers at least so often while a file is read.
constexpr int kSlice_ms = 8;
/// How often a file that grows is looked at.
constexpr int kLook_ms = 100;
/// Curves that are there so soon come with the rest, so that nothing moves afterwards.
constexpr int kSoon_ms = 25;
/// A message has a path in it, which is longer than a name.
constexpr std::size_t kMessageGlyphs = 1000;

/// The words for a wrong end, with times as the window has them.
std::string end_word(const reports::ReadResult& end) {
  std::string word = end.message;
  const std::string number = std::to_string(end.t_us) + " us into the run";
  // Behind the path, which may have anything in it.
  if (const auto at = word.rfind(number); at != std::string::npos) {
    word.replace(at, number.size(), reports::format_duration(end.t_us) + " into the run");
  }
  return word;
}

TreeOptions first_options(const Trace& trace) {
  TreeOptions options;
  options.all = is_small(make_directory(trace.header));
  return options;
}

}  // namespace

/// The parts that go when another file takes the place of this one. The scene and the loader refer
/// to the trace.
struct RunSession::Reading {
  Reading(const std::string& path, bool grows) : loader(trace, path, grows) {}

  Trace trace;
  Loader loader;
  std::optional<Scene> scene;
  std::optional<CurveMaker> curves;
};

RunSession::RunSession(QString path, bool growing, QObject* parent)
    : QObject(parent), path_(std::move(path)), growing_(growing) {
  connect(&timer_, &QTimer::timeout, this, &RunSession::read_on);
  begin();
}

RunSession::~RunSession() = default;

Scene* RunSession::scene() { return reading_->scene ? &*reading_->scene : nullptr; }

const Trace& RunSession::trace() const { return reading_->trace; }

bool RunSession::may_grow() const {
  const reports::ReadState state = trace().end.state;
  return state == reports::ReadState::kPartial || state == reports::ReadState::kNoHeader;
}

void RunSession::begin() {
  shown_spans_ = 0;
  curved_spans_ = -1;
  making_curves_ = false;
  moves_.clear();
  verdicts_.clear();
  bills_ = {};
  span_ends_.clear();
  reading_ = std::make_unique<Reading>(path_.toStdString(), growing_);
  timer_.start(0);
}

void RunSession::read_on() {
  // A computation needs the trace as it is: new records wait in the file.
  if (!take_curves(0)) {
    return;
  }
  if (ended_) {
    timer_.stop();
    return;
  }
  if (timer_.interval() == kLook_ms) {
    look_for_more();
    return;
  }
  QElapsedTimer since;
  since.start();
  Trace& trace = reading_->trace;
  while (reading_->loader.wait()) {
    reading_->loader.take();
    if (since.elapsed() >= kSlice_ms) {
      // Each look takes time for all lanes: looks at twice as much each cost little in all.
      if (trace.has_header && trace.spans >= 2 * shown_spans_) {
        reading_->loader.seal();
        show();
      }
      return;
    }
  }
  show();
  if (growing_ && trace.end.state != reports::ReadState::kComplete &&
      trace.end.state != reports::ReadState::kCorrupt) {
    timer_.start(kLook_ms);
    // Each time costs a pass over all: with this much more in between, that is a few passes in all.
    if (reading_->scene && trace.spans > curved_spans_ + curved_spans_ / 4) {
      make_curves(0);
    }
    Q_EMIT caught_up();
    return;
  }
  end();
}

void RunSession::look_for_more() {
  switch (reading_->loader.go_on()) {
    case Loader::Growth::kNothing:
      break;
    case Loader::Growth::kMore:
      timer_.start(0);
      break;
    case Loader::Growth::kReplaced:
      begin();
      Q_EMIT reckoned();
      break;
  }
}

void RunSession::show() {
  if (!reading_->trace.has_header) {
    return;
  }
  bool other_lanes = true;
  if (reading_->scene) {
    other_lanes = reading_->scene->refresh();
  } else {
    reading_->scene.emplace(reading_->trace, first_options(reading_->trace));
  }
  shown_spans_ = reading_->trace.spans;
  Q_EMIT grown(other_lanes);
}

void RunSession::stop_growing() {
  if (ended_ || !growing_) {
    return;
  }
  growing_ = false;
  if (timer_.interval() != kLook_ms) {
    return;
  }
  reading_->curves.reset();
  look_for_more();
  if (timer_.interval() == kLook_ms) {
    end();
  }
}

void RunSession::end() {
  timer_.stop();
  ended_ = true;
  if (reading_->scene) {
    reading_->scene->settle();
    make_curves(kSoon_ms);
    if (making_curves_) {
      timer_.start(kLook_ms);
      Q_EMIT grown(false);
    }
  }
  if (const std::string word = end_word(reading_->trace.end); !word.empty()) {
    Q_EMIT failed(QString::fromStdString(display_text(word, kMessageGlyphs)));
  }
  Q_EMIT finished();
}

void RunSession::make_curves(int wait_ms) {
  curved_spans_ = reading_->trace.spans;
  reading_->curves.emplace(reading_->trace, path_.toStdString());
  making_curves_ = true;
  take_curves(wait_ms);
}

bool RunSession::take_curves(int wait_ms) {
  if (!reading_->curves) {
    return true;
  }
  if (!reading_->curves->wait_ms(wait_ms)) {
    return false;
  }
  making_curves_ = false;
  Reckoned reckoned_now = reading_->curves->take();
  reading_->curves.reset();
  moves_ = std::move(reckoned_now.moves);
  verdicts_ = std::move(reckoned_now.verdicts);
  bills_ = std::move(reckoned_now.bills);
  span_ends_ = std::move(reckoned_now.span_ends);
  const bool other_lanes = reading_->scene->set_curves(std::move(reckoned_now.curves));
  Q_EMIT grown(other_lanes);
  Q_EMIT reckoned();
  return true;
}

}  // namespace aftershock::gui
