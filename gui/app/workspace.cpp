#include "gui/app/workspace.h"

#include <QApplication>
#include <QClipboard>
#include <QInputDialog>
#include <QSplitter>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/assert.h"
#include "gui/app/main_window.h"
#include "gui/app/typed_time.h"
#include "gui/view/ruler.h"
#include "gui/view/wall_time.h"

namespace aftershock::gui {

namespace {

QString time_text(std::int64_t t_us, std::int64_t step_us) {
  return QString::fromStdString(format_simulated(t_us, step_us));
}

/// The largest power of ten that is not above it: what a pixel cannot show is not told.
std::int64_t step_of(double us) {
  return us < 1 ? 1 : static_cast<std::int64_t>(std::pow(10, std::floor(std::log10(us))));
}

}  // namespace

Workspace::Workspace(MainWindow& window)
    : window_(window), splitter_(new QSplitter(Qt::Vertical)), panes_{new Pane, new Pane} {
  splitter_->setChildrenCollapsible(false);
  for (std::size_t i = 0; i < panes_.size(); ++i) {
    splitter_->addWidget(panes_[i]);
    connect_pane(*panes_[i]);
    handlers_[i] = panes_[i]->timeline().handlers();
    window.actions().add_timeline(&panes_[i]->timeline());
  }
  panes_[1]->hide();
  splitter_->setFocusProxy(panes_[0]);
  window.set_document(splitter_);
  player_ = new Player(timeline(), this);
  window.actions().handle_all(handlers_[0], [this]() -> const ActionHandlers& {
    return handlers_.at(static_cast<std::size_t>(at_hand_));
  });
  window.actions().handle_check(ActionId::kWallClock, [this](bool on) {
    for (Pane* pane : panes_) {
      pane->timeline().set_wall_clock(on);
    }
  });
  player_->handle_actions(window.actions());
  connect(&window, &MainWindow::run_opened, this,
          [this](int run, const QString& path, bool growing, bool) { open(run, path, growing); });
  connect(&window, &MainWindow::run_finished, this, [this](int run) {
    if (RunSession* session = pane(run).session()) {
      session->stop_growing();
    }
  });
  connect(&window, &MainWindow::run_closed, this, &Workspace::close);
  connect(&window, &MainWindow::theme_changed, this, [this](Theme theme) {
    for (Pane* pane : panes_) {
      pane->set_theme(theme);
    }
  });
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
    for (int run = 0; run < 2; ++run) {
      if (now != nullptr && pane(run).isAncestorOf(now)) {
        choose(run);
      }
    }
  });
  connect(player_, &Player::changed, this, &Workspace::show_status);
  window.actions().handle(ActionId::kCopyTime, [this] { copy_time(); });
  window.actions().handle(ActionId::kGoToTime, [this] {
    bool ok = false;
    const QString typed =
        QInputDialog::getText(&window_, tr("Go to time"), tr("Time of the run, such as 2d4h:"),
                              QLineEdit::Normal, QString(), &ok);
    if (!ok) {
      return;
    }
    if (const auto t_us = typed_time_us(typed.toStdString())) {
      timeline().go_to(*t_us, std::nullopt);
    } else {
      window_.say(tr("%1: not a time; write it as 2d4h, 30min, 90s or 1d 06:47:52").arg(typed));
    }
  });
}

void Workspace::copy_time() {
  if (session() == nullptr) {
    return;
  }
  const ViewState& state = timeline().state();
  const auto range = selected_range(state);
  const std::string text = range ? typed_text(range->begin_us) + " - " + typed_text(range->end_us)
                                 : typed_text(state.cursor_us);
  QGuiApplication::clipboard()->setText(QString::fromStdString(text));
  window_.set_status(QStringLiteral("word"), tr("copied %1").arg(QString::fromStdString(text)));
}

Workspace::~Workspace() {
  // Signals while the window goes must not find a workspace that is half gone.
  for (Pane* pane : panes_) {
    pane->disconnect(this);
    pane->timeline().disconnect(this);
    pane->close();
  }
}

void Workspace::connect_pane(Pane& pane) {
  pane.set_theme(window_.theme());
  const auto is_at_hand = [this, &pane] { return &pane == &this->pane(at_hand_); };
  connect(&pane, &Pane::failed, &window_, &MainWindow::say);
  connect(&pane, &Pane::finished, this, [this, is_at_hand] {
    show_status();
    if (is_at_hand()) {
      Q_EMIT session_finished();
    }
    Q_EMIT runs_changed();
  });
  connect(&pane.timeline(), &Timeline::state_changed, this, [this, is_at_hand] {
    if (is_at_hand()) {
      show_status();
      Q_EMIT state_changed();
    }
  });
  connect(&pane.timeline(), &Timeline::cursor_moved, this, [this, is_at_hand](qint64 t_us) {
    if (is_at_hand()) {
      show_status();
      Q_EMIT cursor_moved(t_us);
    }
  });
  connect(&pane.timeline(), &Timeline::selection_changed, this, [this, is_at_hand] {
    if (is_at_hand()) {
      Q_EMIT selection_changed();
    }
  });
}

bool Workspace::is_busy() {
  return is_reading() || std::ranges::any_of(panes_, [](Pane* pane) {
           return pane->session() != nullptr && pane->session()->is_making_curves();
         });
}

bool Workspace::is_reading() {
  return std::ranges::any_of(panes_, [](Pane* pane) {
    return pane->session() != nullptr && pane->session()->is_reading();
  });
}

void Workspace::open(int run, const QString& path, bool growing) {
  pane(run).open(path, growing);
  shows_two_ = shows_two_ || run == 1;
  show_titles();
  if (run == 0) {
    take_to_hand(0);
  }
  if (run == at_hand_) {
    tell_of_session();
  }
  Q_EMIT runs_changed();
}

void Workspace::read_as_it_grows() {
  if (session() != nullptr) {
    // That it ended too soon is not so any more.
    window_.say({});
    open(at_hand_, QString(session()->path()), true);
  }
}

void Workspace::close(int run) {
  if (run == 1 && at_hand_ == 1) {
    choose(0);
  }
  pane(run).close();
  show_titles();
  if (run == at_hand_) {
    tell_of_session();
  }
  Q_EMIT runs_changed();
}

void Workspace::show_two(bool on) {
  shows_two_ = on;
  if (!on) {
    take_to_hand(0);
  }
  show_titles();
  Q_EMIT runs_changed();
}

void Workspace::swap() {
  window_.swap_runs();
  std::swap(panes_[0], panes_[1]);
  std::swap(handlers_[0], handlers_[1]);
  splitter_->insertWidget(0, panes_[0]);
  splitter_->setFocusProxy(panes_[0]);
  // The run at hand stays at hand, in its new place, unless that is not shown.
  at_hand_ = 1 - at_hand_;
  show_titles();
  if (!shows_two_) {
    take_to_hand(0);
  }
  Q_EMIT runs_changed();
}

void Workspace::take_to_hand(int run) {
  AFTERSHOCK_ASSERT(run == 0 || run == 1);
  choose(run);
  pane(at_hand_).timeline().setFocus();
}

void Workspace::go_to(const Place& place) {
  if (session() == nullptr || session()->scene() == nullptr || place == Place()) {
    return;
  }
  if (place.lane != kNone) {
    timeline().go_to(place.t_us, session()->scene()->key_of_lane(place.lane),
                     id_of({place.lane, false}), place.span);
  } else {
    timeline().go_to(place.t_us, std::nullopt);
  }
}

Place Workspace::selected() {
  const auto& selection = timeline().state().selection;
  if (session() == nullptr || !selection || selection->content == kNowhere ||
      selection->span == kNowhere) {
    return {};
  }
  const Content content = content_from(selection->content);
  return content.is_counter ? Place()
                            : place_of_span(session()->trace(), content.index, selection->span);
}

void Workspace::choose(int run) {
  if (run == at_hand_ || pane(run).session() == nullptr) {
    return;
  }
  at_hand_ = run;
  player_->follow(timeline());
  show_titles();
  tell_of_session();
}

void Workspace::tell_of_session() {
  show_status();
  Q_EMIT session_opened(session());
  if (pane(at_hand_).is_ready()) {
    Q_EMIT session_finished();
  }
}

QString Workspace::name_of_run(int run) const {
  const auto& own = window_.run(run).title;
  const auto& other = window_.run(1 - run).title;
  return !own ? window_.run(run).path : !other ? one_line(*own) : one_line_beside(*own, *other);
}

void Workspace::show_titles() {
  const bool two = has_two();
  pane(0).show();
  pane(1).setVisible(two && shows_two_);
  for (int run = 0; run < 2; ++run) {
    const QString letter = run == 0 ? QStringLiteral("A") : QStringLiteral("B");
    pane(run).set_title(two ? letter : QString(), name_of_run(run));
    pane(run).set_at_hand(run == at_hand_);
    // Of two that are as wide the same time is at the same place.
    pane(run).timeline().setVerticalScrollBarPolicy(two ? Qt::ScrollBarAlwaysOn
                                                        : Qt::ScrollBarAsNeeded);
  }
  window_.show_run_in_panels(!two            ? QString()
                             : at_hand_ == 0 ? QStringLiteral("A")
                                             : QStringLiteral("B"));
}

void Workspace::show_status() {
  if (session() == nullptr) {
    for (const char* part : {"cursor", "scale", "replay"}) {
      window_.set_status(QLatin1StringView(part), QString());
    }
    return;
  }
  const double a_pixel_us = timeline().us_a_pixel();
  const std::int64_t cursor_us = timeline().state().cursor_us;
  window_.set_status(
      QStringLiteral("cursor"),
      QString::fromStdString(
          format_both(cursor_us, run_start(session()->trace().header.start), step_of(a_pixel_us))));
  const auto whole_us = static_cast<std::int64_t>(std::max(1.0, std::round(a_pixel_us)));
  window_.set_status(QStringLiteral("scale"),
                     tr("%1/px").arg(time_text(whole_us, step_of(a_pixel_us / 10))));
  window_.set_status(QStringLiteral("replay"), player_->text());
}

}  // namespace aftershock::gui
