#include "gui/app/pane.h"

#include <QLabel>
#include <QVBoxLayout>
#include <optional>
#include <utility>

#include "gui/theme/look.h"

namespace aftershock::gui {

Pane::Pane(QWidget* parent) : QWidget(parent), title_(new QLabel), timeline_(new Timeline) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(title_);
  layout->addWidget(timeline_, 1);
  title_->setTextFormat(Qt::RichText);
  title_->setContentsMargins(6, 2, 6, 2);
  // A long name must not keep the window wide.
  title_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  title_->hide();
  setFocusProxy(timeline_);
}

Pane::~Pane() { timeline_->set_session(nullptr); }

void Pane::open(const QString& path, bool growing) {
  std::optional<ViewState> kept;
  bool showed_all = false;
  if (session_ != nullptr && session_->path() == path) {
    kept = timeline_->state();
    showed_all = kept->shown == limits_of(timeline_->run());
  }
  auto next = std::make_unique<RunSession>(path, growing);
  connect(next.get(), &RunSession::failed, this, &Pane::failed);
  timeline_->set_session(next.get());
  session_ = std::move(next);
  // Once: at the end of one that grows, which may come much later, the user is elsewhere.
  const auto is_back = std::make_shared<bool>(!kept);
  const auto put_back = [this, kept, showed_all, is_back] {
    if (session_->scene() != nullptr && !std::exchange(*is_back, true)) {
      ViewState state = *kept;
      state.shown = showed_all ? limits_of(timeline_->run()) : state.shown;
      timeline_->change(std::move(state));
    }
  };
  connect(session_.get(), &RunSession::caught_up, this, put_back);
  connect(session_.get(), &RunSession::finished, this, put_back);
  connect(session_.get(), &RunSession::finished, this, &Pane::finished);
  Q_EMIT opened();
}

void Pane::close() {
  timeline_->set_session(nullptr);
  session_.reset();
  Q_EMIT opened();
}

void Pane::set_title(const QString& letter, const QString& name) {
  letter_ = letter;
  name_ = name;
  show_title();
}

void Pane::set_at_hand(bool on) {
  at_hand_ = on;
  show_title();
}

void Pane::set_theme(Theme theme) {
  theme_ = theme;
  timeline_->set_theme(theme);
  show_title();
}

void Pane::set_header(QWidget* header) {
  static_cast<QVBoxLayout*>(layout())->insertWidget(0, header);
}

int Pane::left_px() const { return timeline_->layout_now().label_px; }

int Pane::right_px() const { return timeline_->width() - timeline_->viewport()->width(); }

void Pane::show_title() {
  title_->setVisible(!letter_.isEmpty());
  const Inks& ink = inks(theme_);
  const QRgb tint = letter_ == QStringLiteral("A") ? ink.run_a : ink.run_b;
  const QString name =
      at_hand_ ? QStringLiteral("<b>%1</b>").arg(name_.toHtmlEscaped()) : name_.toHtmlEscaped();
  title_->setText(
      QStringLiteral("<span style='background:%1;color:%2'>&nbsp;<b>%3</b>&nbsp;</span>&nbsp; %4")
          .arg(QColor(tint).name(), QColor(text_on(tint)).name(), letter_.toHtmlEscaped(), name));
  title_->setToolTip(QStringLiteral("<p>%1</p>").arg(name_.toHtmlEscaped()));
  timeline_->setAccessibleName(letter_.isEmpty() ? tr("Timeline")
                                                 : tr("Timeline of run %1").arg(letter_));
}

}  // namespace aftershock::gui
