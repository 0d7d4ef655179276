#include "gui/panels/verdict_bar.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTextDocument>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/panels/card_parts.h"
#include "gui/panels/event_words.h"
#include "gui/theme/look.h"
#include "gui/theme/shown_text.h"
#include "reports/render/format.h"

namespace aftershock::gui {

namespace {

/// More chips than these nobody reads; the failed ones are first.
constexpr std::size_t kChipsMost = 60;

/// "GPU": the kind of accelerator of the run.
std::string accelerator_of(const Trace& trace) {
  for (const reports::HeaderEntities& each : trace.header.entities) {
    if (!each.accelerator_kind.empty()) {
      std::string kind = each.accelerator_kind;
      std::ranges::transform(kind, kind.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      });
      return kind;
    }
  }
  return "accelerator";
}

QString money_words(double cost) { return QStringLiteral("%L1").arg(cost, 0, 'f', 2); }

}  // namespace

VerdictBar::VerdictBar(QWidget* parent)
    : QWidget(parent), area_(new QScrollArea(this)), line_(new QLabel(this)) {
  setAccessibleName(tr("Verdict"));
  area_->setFrameShape(QFrame::NoFrame);
  area_->setWidgetResizable(true);
  area_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  area_->setFocusPolicy(Qt::NoFocus);
  area_->setAccessibleName(tr("Jobs and experiments"));
  area_->horizontalScrollBar()->setAccessibleName(tr("Scroll: jobs and experiments"));
  line_->setTextFormat(Qt::RichText);
  line_->setWordWrap(true);
  line_->setContentsMargins(8, 2, 8, 3);
  line_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard |
                                 Qt::TextSelectableByMouse);
  // A click on its words leaves the keys with the timeline.
  line_->setFocusPolicy(Qt::TabFocus);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(area_);
  layout->addWidget(line_);
  connect(line_, &QLabel::linkActivated, this, &VerdictBar::follow);
  hide();
}

void VerdictBar::set_runs(std::vector<RunVerdicts> runs) {
  // Of the same runs the chosen one stays chosen.
  std::pair<int, std::uint32_t> kept{-1, kNone};
  if (chosen_ >= 0) {
    const auto& [run, verdict] = chips_[static_cast<std::size_t>(chosen_)];
    kept = {runs_[run].run, runs_[run].verdicts[verdict].entity};
  }
  const bool same = std::ranges::equal(
      runs, runs_, [](const RunVerdicts& a, const RunVerdicts& b) { return a.trace == b.trace; });
  runs_ = std::move(runs);
  chips_.clear();
  chosen_ = -1;
  // Failed ones of both runs come first.
  for (const bool failed : {true, false}) {
    for (std::size_t run = 0; run < runs_.size(); ++run) {
      for (std::size_t i = 0; i < runs_[run].verdicts.size(); ++i) {
        if (runs_[run].verdicts[i].failed() == failed && chips_.size() < kChipsMost) {
          if (same && runs_[run].run == kept.first &&
              runs_[run].verdicts[i].entity == kept.second) {
            chosen_ = static_cast<int>(chips_.size());
          }
          chips_.emplace_back(run, i);
        }
      }
    }
  }
  chosen_ = chosen_ < 0 && !chips_.empty() ? 0 : chosen_;
  fill();
  show_line();
  setVisible(!chips_.empty());
}

void VerdictBar::set_theme(Theme theme) {
  theme_ = theme;
  fill();
  show_line();
}

void VerdictBar::fill() {
  row_ = new QWidget(area_);
  auto* row = new QHBoxLayout(row_);
  row->setContentsMargins(6, 2, 6, 0);
  row->setSpacing(4);
  auto* group = new QButtonGroup(row_);
  for (std::size_t i = 0; i < chips_.size(); ++i) {
    const RunVerdicts& run = runs_[chips_[i].first];
    const Verdict& verdict = run.verdicts[chips_[i].second];
    auto* chip = new QToolButton(row_);
    chip->setText(words_of(run, verdict));
    chip->setAccessibleName(chip->text());
    chip->setCheckable(true);
    chip->setChecked(static_cast<int>(i) == chosen_);
    chip->setAutoRaise(!verdict.failed());
    QFont font = chip->font();
    font.setBold(verdict.failed());
    chip->setFont(font);
    group->addButton(chip, static_cast<int>(i));
    row->addWidget(chip);
  }
  row->addStretch(1);
  connect(group, &QButtonGroup::idClicked, this, &VerdictBar::choose);
  area_->setWidget(row_);
  fit_row();
  // The line says all of a job that is alone.
  area_->setVisible(chips_.size() > 1);
}

// More chips than fit can be scrolled, and the bar for that lies below them.
void VerdictBar::fit_row() {
  if (row_ == nullptr) {
    return;
  }
  const bool scrolls = row_->sizeHint().width() > width();
  area_->setFixedHeight(row_->sizeHint().height() + 2 +
                        (scrolls ? area_->horizontalScrollBar()->sizeHint().height() : 0));
}

void VerdictBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit_row();
}

QString VerdictBar::words_of(const RunVerdicts& run, const Verdict& verdict) const {
  const QString sign = verdict.failed()                 ? QStringLiteral("✗ ")
                       : verdict.outcome == "completed" ? QStringLiteral("✓ ")
                                                        : QStringLiteral("… ");
  const QString name = run.letter.isEmpty()
                           ? shown_text(verdict.name)
                           : QStringLiteral("%1: %2").arg(run.letter, shown_text(verdict.name));
  const QString outcome = verdict.outcome.empty() ? tr("end unknown") : shown_text(verdict.outcome);
  return sign + name + QStringLiteral("  ") + outcome;
}

QString VerdictBar::line_of(const RunVerdicts& run, const Verdict& verdict) const {
  QString head = QStringLiteral("<b>%1</b>").arg(words_of(run, verdict).toHtmlEscaped());
  if (!verdict.reason.empty()) {
    head += QStringLiteral(": ") + shown_html(verdict.reason);
  }
  if (verdict.end_us) {
    head += tr(" at %1").arg(link_html(QStringLiteral("time:%1").arg(*verdict.end_us),
                                       time_words(*verdict.end_us).toHtmlEscaped()));
  }
  QStringList parts{head};
  if (verdict.useful_share) {
    parts << tr("useful work %1").arg(share_words(*verdict.useful_share));
  }
  if (verdict.ettr) {
    parts << tr("ETTR %1").arg(share_words(*verdict.ettr));
  }
  if (verdict.steps_done) {
    parts << (verdict.steps
                  ? tr("steps %1 of %2")
                        .arg(count_words(*verdict.steps_done), count_words(*verdict.steps))
                  : tr("steps %1").arg(count_words(*verdict.steps_done)));
  }
  if (verdict.lost_accelerator_us) {
    parts << tr("lost %1").arg(
        QString::fromStdString(reports::format_accelerator_time(*verdict.lost_accelerator_us,
                                                                accelerator_of(*run.trace)))
            .toHtmlEscaped());
  }
  for (const BudgetUse& budget : verdict.budgets) {
    if (budget.limit) {
      parts << tr("%1: %2 of %3 used")
                   .arg(shown_html(budget.name), count_words(budget.used),
                        count_words(*budget.limit));
    }
  }
  if (run.cost) {
    parts << tr("cost of the run %1").arg(money_words(*run.cost));
  }
  if (verdict.worst < run.trace->faults.size()) {
    parts << tr("worst: %1, %2")
                 .arg(fault_link(*run.trace, verdict.worst),
                      time_words(verdict.worst_us).toHtmlEscaped());
  }
  return parts.join(QStringLiteral(" &nbsp;·&nbsp; "));
}

void VerdictBar::show_line() {
  if (chosen_ < 0) {
    line_->clear();
    return;
  }
  const auto& [run, verdict] = chips_[static_cast<std::size_t>(chosen_)];
  line_->setText(line_of(runs_[run], runs_[run].verdicts[verdict]));
  line_->setAccessibleName(text());
}

void VerdictBar::choose(int chip) {
  if (chip < 0 || static_cast<std::size_t>(chip) >= chips_.size()) {
    return;
  }
  chosen_ = chip;
  show_line();
  const auto& [run, verdict] = chips_[static_cast<std::size_t>(chip)];
  Q_EMIT chosen(runs_[run].run, runs_[run].verdicts[verdict].entity);
}

void VerdictBar::follow(const QString& link) {
  if (chosen_ < 0) {
    return;
  }
  const RunVerdicts& run = runs_[chips_[static_cast<std::size_t>(chosen_)].first];
  const QString number = link.section(u':', 1);
  if (link.startsWith(QStringLiteral("fault:"))) {
    Q_EMIT go_to(run.run, place_of_fault(*run.trace, number.toUInt()));
  } else if (link.startsWith(QStringLiteral("time:"))) {
    Place place;
    place.t_us = number.toLongLong();
    Q_EMIT go_to(run.run, place);
  }
}

QString VerdictBar::html() const { return line_->text(); }

QString VerdictBar::text() const {
  QTextDocument plain;
  plain.setHtml(line_->text());
  return plain.toPlainText().replace(QChar::Nbsp, u' ');
}

QStringList VerdictBar::chips() const {
  QStringList words;
  for (const auto& [run, verdict] : chips_) {
    words << words_of(runs_[run], runs_[run].verdicts[verdict]);
  }
  return words;
}

}  // namespace aftershock::gui
