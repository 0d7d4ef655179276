#include "gui/app/keeper.h"

#include <QAction>
#include <QDockWidget>
#include <QStatusBar>
#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "gui/app/main_window.h"
#include "gui/app/saved_view.h"
#include "gui/app/workspace.h"
#include "gui/panels/note_editor.h"
#include "gui/panels/notes_list.h"
#include "gui/timeline/describe.h"
#include "gui/trace/display_text.h"
#include "gui/view/ruler.h"

namespace aftershock::gui {

namespace {

constexpr int kWord_ms = 8000;
/// Of a text in a word about it.
constexpr std::size_t kWordGlyphs = 60;

QString shortened(const QString& text) {
  return QString::fromStdString(display_text(text.toStdString(), kWordGlyphs));
}

/// A time as exact as the screen shows it.
QString seen_time(const Timeline& timeline, std::int64_t t_us) {
  std::int64_t step_us = 1;
  while (static_cast<double>(step_us) * 10 <= timeline.us_a_pixel()) {
    step_us *= 10;
  }
  return QString::fromStdString(format_simulated(t_us, step_us));
}

std::vector<NoteMark> marks_of(const std::vector<Note>& notes, const Scene* scene) {
  std::vector<NoteMark> marks;
  for (const Note& note : notes) {
    std::optional<LaneKey> lane;
    if (scene != nullptr && !note.lane.isEmpty()) {
      lane = key_of(scene->directory(), note.lane.toStdString());
    }
    marks.push_back(
        {.begin_us = note.begin_us, .end_us = note.end_us, .lane = lane, .text = note.text});
  }
  return marks;
}

}  // namespace

Keeper::Keeper(MainWindow& window, Workspace& workspace, Keeping keeping)
    : QObject(&window),
      window_(window),
      workspace_(workspace),
      list_(new NotesList),
      editor_(new NoteEditor(&window)) {
  add_list();
  for (int i = 0; i < 2; ++i) {
    Pane& pane = workspace.pane(i);
    runs_.push_back(std::make_unique<RunKeep>(pane.timeline(), keeping));
    follow(*runs_.back(), pane);
  }
  connect(&workspace, &Workspace::session_opened, this, &Keeper::take_to_hand);
  connect(&window, &MainWindow::closing, this, [this] {
    editor_->finish(true);
    for (const auto& run : runs_) {
      run->save();
    }
  });
  connect(list_, &NotesList::row_changed, this, &Keeper::show_notes);
  connect(list_, &NotesList::go_to, this, &Keeper::go_to_row);
  connect(list_, &NotesList::delete_asked, this, &Keeper::delete_row);
  connect(list_, &NotesList::put_back_asked, this, &Keeper::put_back);
  connect(window.actions().action(ActionId::kClearSelection), &QAction::triggered, this,
          [this] { list_->select(-1); });
  handle_note_actions(window.actions());
  handle_place_actions(window.actions());
  window.set_view_words([this] { return view_words(run().timeline()); });
  take_to_hand();
}

RunKeep& Keeper::run() {
  return &runs_[0]->timeline() == &workspace_.timeline() ? *runs_[0] : *runs_[1];
}

void Keeper::take_to_hand() {
  deleted_.clear();
  list_->set_can_put_back(false);
  list_->set_model(&run().notes());
  show_notes();
}

void Keeper::follow(RunKeep& keep, Pane& pane) {
  connect(&keep, &RunKeep::failed, &window_, &MainWindow::say);
  connect(&pane, &Pane::opened, this, [this, &keep, &pane] {
    const int run = &workspace_.pane(0) == &pane ? 0 : 1;
    const bool stays = pane.session() != nullptr && !window_.run(run).temporary;
    keep.open(stays ? pane.session()->path() : QString());
    show_notes();
  });
  connect(&pane, &Pane::finished, this, [this, &keep] {
    keep.restore(std::exchange(with_place_, true));
    // Lanes have names now.
    show_notes();
  });
  Timeline& timeline = pane.timeline();
  connect(&timeline, &Timeline::leaving, this, [this] { editor_->finish(true); });
  connect(&keep.notes(), &NotesModel::modelReset, this, &Keeper::show_notes);
  connect(&keep.notes(), &NotesModel::dataChanged, this, &Keeper::show_notes);
  connect(&timeline, &Timeline::note_clicked, this, [this, &keep](int note) {
    // A click takes its run to hand first.
    const NotesModel& notes = keep.notes();
    list_->select(notes.row_of_note(static_cast<std::size_t>(note)));
    tell(tr("Note: %1").arg(shortened(notes.notes().at(static_cast<std::size_t>(note)).text)));
  });
  // A user who selects something else does not mean the note any more.
  connect(&timeline, &Timeline::selection_changed, this, [this] {
    if (!going_) {
      list_->select(-1);
    }
  });
}

void Keeper::add_list() {
  // Texts are long: there is room for them at the bottom.
  QDockWidget* dock = window_.add_panel(ActionId::kBookmarkList, QStringLiteral("bookmarks"), list_,
                                        Qt::BottomDockWidgetArea);
  if (auto* events = window_.findChild<QDockWidget*>(QStringLiteral("events"))) {
    window_.tabifyDockWidget(events, dock);
  }
  dock->hide();
  ActionSet& actions = window_.actions();
  actions.show_checked(ActionId::kBookmarkList, false);
  connect(actions.action(ActionId::kBookmarkList), &QAction::triggered, dock,
          [dock](bool on) { on ? dock->raise() : dock->hide(); });
}

void Keeper::handle_note_actions(ActionSet& actions) {
  using enum ActionId;
  const auto when_open = [this](std::function<void()> act) {
    return [this, act = std::move(act)] {
      if (run().session() != nullptr && run().session()->scene() != nullptr) {
        act();
      }
    };
  };
  actions.handle(kNote, when_open([this] {
                   const std::int64_t t_us = run().timeline().state().cursor_us;
                   write_note(t_us, t_us);
                 }));
  actions.handle(kNoteRange, when_open([this] {
                   const ViewState& state = run().timeline().state();
                   TimeRange range = state.selection ? state.selection->time : TimeRange{0, 0};
                   if (range.end_us <= range.begin_us) {
                     const TimeRange whole = run().timeline().run();
                     range = {std::max(state.shown.begin_us, whole.begin_us),
                              std::min(state.shown.end_us, whole.end_us)};
                   }
                   write_note(range.begin_us, range.end_us);
                 }));
  actions.handle(kDeleteNote, [this] { delete_row(list_->row()); });
  actions.handle(kBookmark, when_open([this] { bookmark(); }));
}

void Keeper::handle_place_actions(ActionSet& actions) {
  for (int digit = 1; digit <= kSlots; ++digit) {
    actions.handle(go_slot(digit), [this, digit] {
      if (run().session() == nullptr) {
        return;
      }
      if (const auto view = run().place(digit)) {
        go_to_view(run().timeline(), *view);
        tell(tr("Place %1").arg(digit));
      } else {
        tell(tr("There is no place %1 yet; Ctrl+%1 stores this view as it").arg(digit));
      }
    });
    actions.handle(store_slot(digit), [this, digit] {
      if (run().session() != nullptr && run().session()->scene() != nullptr) {
        run().store_place(digit, view_now(run().timeline()));
        tell(tr("Stored as place %1").arg(digit));
      }
    });
  }
}

void Keeper::write_note(std::int64_t begin_us, std::int64_t end_us) {
  Timeline& timeline = run().timeline();
  const ViewState& state = timeline.state();
  const SavedView now = view_now(timeline);
  const bool on_range = end_us > begin_us;
  const bool on_all = on_range && (!state.selection || !state.selection->lane);
  const Note note{.begin_us = begin_us, .end_us = end_us, .lane = on_all ? QString() : now.lane};
  const QString what = on_range
                           ? tr("Note from %1 to %2:")
                                 .arg(seen_time(timeline, begin_us), seen_time(timeline, end_us))
                           : tr("Note at %1:").arg(seen_time(timeline, begin_us));
  const Layout layout = timeline.layout_now();
  const int x = static_cast<int>(std::clamp(timeline.x_at(begin_us), double{0}, 1e4));
  const QPoint at = timeline.viewport()->mapTo(&window_, QPoint(x, layout.rows_top()));
  editor_->ask(what, at, [this, note](const QString& text) {
    Note written = note;
    written.text = text;
    const int row = run().notes().add(std::move(written));
    list_->select(row);
    tell(tr("Note stored: %1").arg(shortened(text)));
  });
}

void Keeper::bookmark() {
  const SavedView view = view_now(run().timeline());
  const QString time = seen_time(run().timeline(), view.cursor_us);
  const QString name = view.lane.isEmpty() ? time : tr("%1 at %2").arg(view.lane, time);
  list_->select(run().notes().add(Bookmark{.name = name, .view = view}));
  tell(tr("Bookmarked: %1").arg(shortened(name)));
}

void Keeper::go_to_row(int row) {
  if (row < 0 || row >= run().notes().rowCount()) {
    return;
  }
  going_ = true;
  Timeline& timeline = run().timeline();
  const SavedView view = run().notes().view_at(row);
  if (!run().notes().note_of_row(row) || view.end_us <= view.begin_us) {
    go_to_view(timeline, view);
  } else {
    // A note on a range is seen with something around it, and its range is the selected one.
    timeline.go_to(view.begin_us, std::nullopt);
    ViewState next = timeline.state();
    next.selection = Selection{.lane = std::nullopt, .time = {view.begin_us, view.end_us}};
    next.shown = fitted(next.shown, next.selection->time, timeline.run());
    timeline.change(std::move(next), Joining::kJoined);
  }
  going_ = false;
}

void Keeper::delete_row(int row) {
  NotesModel& notes = run().notes();
  if (const auto note = notes.note_of_row(row)) {
    const Note gone = notes.notes().at(*note);
    deleted_.emplace_back(gone);
    notes.remove(row);
    tell(tr("Deleted the note at %1: %2").arg(time_text(gone.begin_us), shortened(gone.text)));
  } else if (const auto bookmark = notes.bookmark_of_row(row)) {
    const Bookmark gone = notes.bookmarks().at(*bookmark);
    deleted_.emplace_back(gone);
    notes.remove(row);
    tell(tr("Deleted the bookmark: %1").arg(shortened(gone.name)));
  } else {
    tell(tr("No note or bookmark is selected; click its flag, or choose it in the list"));
  }
  list_->set_can_put_back(!deleted_.empty());
}

void Keeper::put_back() {
  if (deleted_.empty()) {
    return;
  }
  const auto back = std::move(deleted_.back());
  deleted_.pop_back();
  const auto add = [this](const auto& one) { return run().notes().add(one); };
  list_->select(std::visit(add, back));
  list_->set_can_put_back(!deleted_.empty());
  tell(tr("Put back"));
}

void Keeper::show_notes() {
  for (const auto& each : runs_) {
    const Scene* scene = each->session() == nullptr ? nullptr : each->session()->scene();
    const bool at_hand = each.get() == &run();
    each->timeline().set_notes(marks_of(each->notes().notes(), scene),
                               at_hand ? each->notes().note_of_row(list_->row()) : std::nullopt);
  }
}

void Keeper::tell(const QString& text) { window_.statusBar()->showMessage(text, kWord_ms); }

}  // namespace aftershock::gui
