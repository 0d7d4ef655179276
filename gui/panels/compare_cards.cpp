#include "gui/panels/compare_cards.h"

#include <QAbstractTextDocumentLayout>
#include <QLabel>
#include <QScrollBar>
#include <QSplitter>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextCursor>
#include <QTextDocument>
#include <QTimer>
#include <QUrl>
#include <QVBoxLayout>

#include "gui/panels/card_html.h"
#include "gui/panels/event_words.h"
#include "gui/theme/look.h"
#include "gui/why/decision_card.h"

namespace aftershock::gui {

namespace {

/// A card is read in lines of so many letters.
constexpr int kCardLetters = 36;
constexpr int kAbove_px = 4;

}  // namespace

CompareCards::CompareCards(QWidget* parent)
    : QWidget(parent), parts_(new QSplitter(Qt::Horizontal, this)) {
  parts_->setChildrenCollapsible(false);
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    Side& side = sides_.at(i);
    auto* part = new QWidget(parts_);
    side.title = new QLabel(i == 0 ? tr("A did") : tr("B did"), part);
    side.title->setAutoFillBackground(true);
    side.title->setMargin(2);
    side.page = new QTextBrowser(part);
    side.page->setAccessibleName(i == 0 ? tr("Decision of A") : tr("Decision of B"));
    side.page->setFrameShape(QFrame::NoFrame);
    // Links lead through the runs, never out of them.
    side.page->setOpenLinks(false);
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(side.title);
    layout->addWidget(side.page);
    connect(side.page, &QTextBrowser::anchorClicked, this,
            [this, i](const QUrl& link) { follow(i, link); });
  }
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(parts_);
  set_theme(Theme::kDark);
}

void CompareCards::set_runs(const Trace* a, const std::string& path_a, const Trace* b,
                            const std::string& path_b) {
  sides_[0].trace = a;
  sides_[0].path = path_a;
  sides_[1].trace = b;
  sides_[1].path = path_b;
  show_divergence(nullptr);
}

void CompareCards::show_divergence(const reports::Divergence* divergence) {
  for (Side& side : sides_) {
    if (divergence == nullptr || side.trace == nullptr) {
      side.rule.clear();
      side.page->setHtml({});
    } else {
      show_step(side, &side == &sides_[0] ? divergence->a : divergence->b);
    }
  }
  // The observations are the same more often than not; the reactions are what a user looks for.
  // Pages have their heights only when all is laid out.
  QTimer::singleShot(0, this, &CompareCards::scroll_to_rules);
}

void CompareCards::show_step(Side& side, const std::optional<reports::DecisionStep>& step) {
  side.rule = step ? step->rule : std::string();
  side.page->setHtml(
      step ? decision_html(*side.trace, decision_card(*side.trace, side.path, step->decision), {})
           : tr("<p>Nothing further about this fault: its answer had ended before.</p>"));
}

void CompareCards::scroll_to_rules() {
  for (Side& side : sides_) {
    const QTextDocument& text = *side.page->document();
    const QTextCursor rule = side.rule.empty() ? QTextCursor() : text.find(shown_text(side.rule));
    if (!rule.isNull()) {
      const QRectF at = text.documentLayout()->blockBoundingRect(rule.block());
      // A title that is in view as it is need not be scrolled to.
      const bool is_low = at.top() > side.page->viewport()->height() / 2.0;
      side.page->verticalScrollBar()->setValue(is_low ? qRound(at.top()) - kAbove_px : 0);
    }
  }
}

void CompareCards::set_theme(Theme theme) {
  const Inks& ink = inks(theme);
  for (Side& side : sides_) {
    const QRgb tint = &side == &sides_[0] ? ink.run_a : ink.run_b;
    QPalette colours = side.title->palette();
    colours.setColor(QPalette::Window, QColor(tint));
    colours.setColor(QPalette::WindowText, QColor(text_on(tint)));
    side.title->setPalette(colours);
  }
}

QString CompareCards::text(std::size_t run) const { return sides_.at(run).page->toPlainText(); }

void CompareCards::resizeEvent(QResizeEvent* event) {
  const int wanted = 2 * kCardLetters * fontMetrics().averageCharWidth();
  parts_->setOrientation(width() < wanted ? Qt::Vertical : Qt::Horizontal);
  QWidget::resizeEvent(event);
}

void CompareCards::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  QTimer::singleShot(0, this, &CompareCards::scroll_to_rules);
}

void CompareCards::follow(std::size_t run, const QUrl& link) {
  const Side& side = sides_.at(run);
  bool good = false;
  const std::uint32_t number = link.path().toUInt(&good);
  if (side.trace == nullptr || !good) {
    return;
  }
  Place place;
  if (link.scheme() == QStringLiteral("fault")) {
    place = place_of_fault(*side.trace, number);
  } else if (link.scheme() == QStringLiteral("decision")) {
    place = place_of_decision(*side.trace, number);
  }
  if (place != Place()) {
    Q_EMIT go_to_place(static_cast<int>(run), place);
  }
}

}  // namespace aftershock::gui
