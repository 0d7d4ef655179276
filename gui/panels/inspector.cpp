#include "gui/panels/inspector.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QPushButton>
#include <QScrollBar>
#include <QStringList>
#include <QTextBrowser>
#include <QTextOption>
#include <QUrl>
#include <QVBoxLayout>
#include <utility>

#include "gui/panels/card_html.h"
#include "gui/panels/card_parts.h"
#include "gui/panels/job_html.h"
#include "gui/panels/lane_html.h"
#include "gui/panels/range_html.h"
#include "gui/trace/display_text.h"
#include "gui/trace/line_texts.h"
#include "gui/why/range_answer.h"

namespace aftershock::gui {

namespace {

/// So much of a record is shown; all of it can be copied.
constexpr std::size_t kRecordGlyphs = 20'000;

}  // namespace

Inspector::Inspector(QWidget* parent)
    : QWidget(parent), page_(new QTextBrowser(this)), copy_(new QPushButton(this)) {
  page_->setAccessibleName(tr("Selection, and why it happened"));
  // Links lead through the run, never out of it.
  page_->setOpenLinks(false);
  // However narrow the panel is: a number in two lines would be another number.
  page_->setWordWrapMode(QTextOption::WordWrap);
  page_->setFrameShape(QFrame::NoFrame);
  // A click on its words leaves the keys with the timeline.
  page_->setFocusPolicy(Qt::TabFocus);
  copy_->setText(tr("Copy as JSON"));
  copy_->setAccessibleName(tr("Copy as JSON"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(page_);
  layout->addWidget(copy_);
  connect(page_, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
    follow(link);
    Q_EMIT link_followed();
  });
  connect(copy_, &QPushButton::clicked, this,
          [this] { QGuiApplication::clipboard()->setText(json()); });
  set_run(nullptr, {});
}

void Inspector::set_run(const Trace* trace, const std::string& path) {
  trace_ = trace;
  path_ = path;
  accounts_.reset();
  range_accounts_.reset();
  titles_.reset();
  job_card_.reset();
  show_place({});
}

void Inspector::show_place(const Place& place) {
  if (trace_ == nullptr) {
    show_html(tr("Nothing is open."), {});
  } else if (place.decision < trace_->decisions.size()) {
    DecisionCard card = decision_card(*trace_, path_, place.decision);
    const std::vector<EntityFaultCost> fault_costs =
        card.fault == kNone ? std::vector<EntityFaultCost>()
                            : fault_card(*trace_, accounts(), card.fault).fault_costs;
    const QString html = decision_html(*trace_, card, fault_costs);
    show_html(html, std::move(card.record));
  } else if (place.fault < trace_->faults.size()) {
    show_html(fault_html(*trace_, fault_card(*trace_, accounts(), place.fault), titles()),
              record_at(trace_->faults[place.fault].line));
  } else if (place_of_span(*trace_, place.lane, place.span).lane != kNone) {
    std::string record = record_at(trace_->lanes[place.lane].columns.lines()[place.span]);
    const QString html = span_html(*trace_, place.lane, place.span, record);
    show_html(html, std::move(record));
  } else if (const QString job = job_part(place.entity); !job.isEmpty()) {
    show_html(job, {});
  } else {
    show_html(tr("Select a lane, a fault, a decision or a span."), {});
  }
}

void Inspector::show_lane(const Scene& scene, const LaneKey& lane, const TimeRange& shown) {
  if (trace_ == nullptr || &scene.trace() != trace_) {
    return;
  }
  const LaneCard card = lane_card(scene, lane, shown);
  const auto entity = trace_->entities.find(card.name);
  const QString job = entity ? job_part(*entity) : QString();
  show_html(job.isEmpty() ? lane_html(card) : job + lane_part_html(card), {});
}

void Inspector::show_range(std::uint32_t entity, const TimeRange& range, std::int64_t step_us) {
  if (trace_ == nullptr) {
    return;
  }
  if (!range_accounts_ || trace_->reading) {
    range_accounts_ = accounts_so_far(*trace_);
  }
  const RangeAnswer answer =
      range_answer(*trace_, *range_accounts_, entity, range.begin_us, range.end_us);
  show_html(range_html(*trace_, answer, titles(), step_us), {});
}

QString Inspector::job_part(std::uint32_t entity) {
  const Account* account = account_of(accounts(), entity);
  if (account == nullptr) {
    return {};
  }
  if (!job_card_ || job_card_->first != entity) {
    const auto moves = budget_moves(*trace_, path_, entity);
    job_card_.emplace(entity, job_html(*trace_, *account, chain_of_charges(moves, *account)));
  }
  return job_card_->second;
}

void Inspector::show_html(const QString& html, std::string record) {
  html_ = html;
  record_ = std::move(record);
  copy_->setEnabled(!record_.empty());
  show_page();
}

void Inspector::show_page() {
  const int at = page_->verticalScrollBar()->value();
  QString page = html_;
  if (!record_.empty()) {
    page += QStringLiteral("<p>") +
            link_html(QStringLiteral("record:"),
                      shows_record_ ? tr("Hide the record") : tr("Show the record")) +
            QStringLiteral("</p>");
    if (shows_record_) {
      // Words of a recording may be longer than any line: they break anywhere.
      page += QStringLiteral("<pre style=\"white-space:pre-wrap\">") +
              QString::fromStdString(display_text(record_, kRecordGlyphs)).toHtmlEscaped() +
              QStringLiteral("</pre>");
    }
  }
  page_->setHtml(page);
  page_->verticalScrollBar()->setValue(at);
}

QString Inspector::json() const { return QString::fromStdString(record_); }

QString Inspector::text() const { return page_->toPlainText(); }

void Inspector::follow(const QUrl& link) {
  if (trace_ == nullptr) {
    return;
  }
  const QString target = link.path(QUrl::FullyDecoded);
  const QStringList parts = target.split(u':');
  const auto number = [&parts](qsizetype i) {
    bool good = false;
    const std::uint32_t value = parts.value(i).toUInt(&good);
    return good ? value : kNone;
  };
  Place place;
  if (link.scheme() == QStringLiteral("record")) {
    shows_record_ = !shows_record_;
    show_page();
    return;
  }
  if (link.scheme() == QStringLiteral("lane")) {
    Q_EMIT lane_asked(target);
    return;
  }
  if (link.scheme() == QStringLiteral("rule")) {
    Q_EMIT rule_asked(target);
    return;
  }
  if (link.scheme() == QStringLiteral("fault")) {
    place = place_of_fault(*trace_, number(0));
  } else if (link.scheme() == QStringLiteral("decision")) {
    place = place_of_decision(*trace_, number(0));
  } else {
    place = place_of_span(*trace_, number(0), number(1));
  }
  if (place != Place()) {
    show_place(place);
    Q_EMIT go_to(place);
  }
}

std::string Inspector::record_at(std::uint32_t line) const {
  return line_text(*trace_, path_, line).value_or(std::string());
}

const std::vector<Account>& Inspector::accounts() {
  if (!accounts_) {
    accounts_ = accounts_of(*trace_);
  }
  return *accounts_;
}

const DecisionTitles& Inspector::titles() {
  if (!titles_) {
    titles_ = decision_titles(*trace_, path_);
  } else if (trace_->reading) {
    add_titles(*titles_, *trace_, path_);
  }
  return *titles_;
}

}  // namespace aftershock::gui
