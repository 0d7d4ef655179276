#include "gui/app/run_keep.h"

#include <QFile>
#include <utility>

#include "base/assert.h"
#include "gui/app/saved_view.h"
#include "gui/sidecar/sidecar_file.h"
#include "gui/timeline/timeline.h"

namespace aftershock::gui {

namespace {

/// A view that is still being moved is not written.
constexpr int kSettled_ms = 3000;

}  // namespace

RunKeep::RunKeep(Timeline& timeline, Keeping keeping, QObject* parent)
    : QObject(parent), timeline_(timeline), keeping_(keeping) {
  timer_.setSingleShot(true);
  timer_.setInterval(kSettled_ms);
  connect(&timer_, &QTimer::timeout, this, &RunKeep::save);
  connect(&notes_, &NotesModel::changed, this, &RunKeep::save);
  connect(&timeline, &Timeline::leaving, this, &RunKeep::save);
  connect(&timeline, &Timeline::state_changed, &timer_, qOverload<>(&QTimer::start));
}

RunSession* RunKeep::session() const { return timeline_.session(); }

void RunKeep::open(const QString& recording) {
  recording_ = recording;
  key_.clear();
  is_restored_ = false;
  problem_.clear();
  kept_ = {};
  base_ = {};
  notes_.set_all({}, {});
  if (session() != nullptr) {
    connect(session(), &RunSession::grown, this, &RunKeep::load);
    load();
  }
}

void RunKeep::load() {
  if (keeping_ == Keeping::kNothing || session() == nullptr || !session()->trace().has_header) {
    return;
  }
  // A recording that is made again under its name while it is open is another run.
  const QString key = run_key(session()->trace().header);
  if (key == key_) {
    return;
  }
  key_ = key;
  const LoadedSidecar loaded = load_sidecar(recording_, key_);
  has_complained_ = false;
  kept_ = base_ = loaded.sidecar;
  notes_.set_all(std::move(kept_.notes), std::move(kept_.bookmarks));
  problem_ = loaded.problem;
}

void RunKeep::restore(bool with_place) {
  load();
  if (key_.isEmpty()) {
    return;
  }
  if (is_untouched(timeline_)) {
    take_view(kept_, timeline_, with_place);
  }
  is_restored_ = true;
  // The state as it is now does not count as a change; nor do kept states in another order.
  base_ = now();
  if (const QString problem = std::exchange(problem_, QString()); !problem.isEmpty()) {
    Q_EMIT failed(problem);
  }
}

Sidecar RunKeep::now() const {
  Sidecar sidecar = kept_;
  sidecar.notes = notes_.notes();
  sidecar.bookmarks = notes_.bookmarks();
  if (is_restored_) {
    put_view(timeline_, sidecar);
  }
  return sidecar;
}

void RunKeep::save() {
  timer_.stop();
  if (key_.isEmpty()) {
    return;
  }
  Sidecar mine = now();
  if (mine == base_) {
    return;
  }
  const LoadedSidecar theirs = load_sidecar(recording_, key_);
  // Nobody has kept anything yet, or what there is cannot be read: there is nothing to be merged.
  if (theirs.problem.isEmpty() && theirs.sidecar != Sidecar()) {
    mine = merged(base_, std::move(mine), theirs.sidecar);
  }
  const bool is_there = theirs.problem.isEmpty() && QFile::exists(sidecar_path(recording_));
  const bool beside = has_handiwork(mine) || is_there;
  const QString problem = save_sidecar(beside ? recording_ : QString(), key_, mine);
  if (!problem.isEmpty() && !std::exchange(has_complained_, true)) {
    Q_EMIT failed(problem);
  }
  if (mine.notes != notes_.notes() || mine.bookmarks != notes_.bookmarks()) {
    notes_.set_all(mine.notes, mine.bookmarks);
  }
  kept_.slots_by_digit = mine.slots_by_digit;
  kept_.others = mine.others;
  base_ = now();
}

void RunKeep::store_place(int digit, const SavedView& view) {
  AFTERSHOCK_ASSERT(digit >= 1 && digit <= kSlots);
  kept_.slots_by_digit[digit] = view;
  save();
}

std::optional<SavedView> RunKeep::place(int digit) const {
  const auto found = kept_.slots_by_digit.find(digit);
  return found == kept_.slots_by_digit.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace aftershock::gui
