#include "gui/panels/compare_banner.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QLabel>
#include <QStringList>
#include <set>

#include "gui/compare/fault_difference.h"
#include "gui/compare/scenario_difference.h"
#include "gui/panels/compare_headline.h"
#include "gui/panels/event_words.h"
#include "gui/theme/look.h"

namespace aftershock::gui {

namespace {

constexpr std::size_t kPointersTold = 3;

QString banner_text(const char* text) { return QCoreApplication::translate("CompareBanner", text); }

QString fault_text(const Trace& trace, std::uint32_t fault) {
  const Fault& of = trace.faults[fault];
  return banner_text("%1 (%2) at %3")
      .arg(shown_text(trace.texts[of.id]), shown_text(trace.texts[of.kind]), time_words(of.t_us));
}

QString first_words(const Trace& a, const Trace& b, const FaultPair& first) {
  if (first.b == kNone) {
    return banner_text("The first is %1, only in A.").arg(fault_text(a, first.a));
  }
  if (first.a == kNone) {
    return banner_text("The first is %1, only in B.").arg(fault_text(b, first.b));
  }
  return banner_text("The first is %1 in A, %2 in B.")
      .arg(fault_text(a, first.a), fault_text(b, first.b));
}

/// The policies of a run's jobs, each once.
QString policy_words(const Trace& trace) {
  std::set<std::string> names{trace.header.policy};
  for (const auto& job : trace.header.jobs) {
    names.insert(job.policy);
  }
  for (const auto& experiment : trace.header.experiments) {
    names.insert(experiment.policy);
  }
  QStringList shown;
  for (const std::string& name : names) {
    if (!name.empty()) {
      shown << shown_text(name);
    }
  }
  constexpr qsizetype kMost = 3;
  const qsizetype count = shown.size();
  const QString told = shown.mid(0, kMost).join(QStringLiteral(", "));
  return count > kMost ? banner_text("%1 and %2 more").arg(told).arg(count - kMost) : told;
}

}  // namespace

QString fault_words(const Trace& a, const Trace& b) {
  const FaultDifference found = compare_faults(a, b);
  const auto count = [](std::size_t number) { return QString::number(number); };
  const bool shorter = a.last_us != b.last_us;
  if (found.is_same()) {
    if (a.header.live || b.header.live) {
      return found.same == 0
                 ? banner_text("No faults struck.")
                 : banner_text(
                       "✓ Same %1 faults, at the times of real processes where a run is live.")
                       .arg(count(found.same));
    }
    const QString until = shorter ? banner_text(" until the shorter run ends, at %1")
                                        .arg(time_words(std::min(a.last_us, b.last_us)))
                                  : QString();
    return found.same == 0 ? banner_text("No faults struck%1.").arg(until)
                           : banner_text("✓ Same %1 faults%2.").arg(count(found.same), until);
  }
  QStringList parts;
  if (!found.only_a.empty()) {
    parts << banner_text("%1 only in A").arg(count(found.only_a.size()));
  }
  if (!found.only_b.empty()) {
    parts << banner_text("%1 only in B").arg(count(found.only_b.size()));
  }
  if (!found.changed.empty()) {
    parts << banner_text("%1 of another kind, place or time").arg(count(found.changed.size()));
  }
  const QString first = first_words(a, b, first_difference(a, b, found).value());
  return banner_text("✗ NOT the same faults: %1 the same, %2. The results are not paired. %3")
      .arg(count(found.same), parts.join(QStringLiteral(", ")), first);
}

QString scenario_words(const Trace& a, const Trace& b) {
  const QString seeds =
      a.header.seed == b.header.seed
          ? banner_text("Seed %1.").arg(a.header.seed)
          : banner_text("Seeds %1 and %2: other luck.").arg(a.header.seed).arg(b.header.seed);
  const ScenarioDifference found = compare_scenarios(a.header, b.header, kPointersTold);
  if (!found.is_known) {
    return seeds + banner_text(" The recordings do not have the scenarios.");
  }
  if (found.pointers.empty()) {
    return seeds + (a.header.digest.empty()
                        ? banner_text(" Same scenario.")
                        : banner_text(" Same scenario, %1.").arg(shown_text(a.header.digest)));
  }
  QStringList names;
  for (const std::string& each : found.pointers) {
    names << shown_text(each);
  }
  QString differ = names.join(QStringLiteral(", "));
  if (found.more > 0) {
    differ = banner_text("%1 and %2 more").arg(differ).arg(found.more);
  }
  return seeds + banner_text(" The scenarios differ in %1.").arg(differ);
}

CompareBanner::CompareBanner(QWidget* parent)
    : QWidget(parent),
      headline_(new QLabel(this)),
      faults_(new QLabel(this)),
      scenario_(new QLabel(this)) {
  auto* grid = new QGridLayout(this);
  constexpr int kSpace = 6;
  grid->setContentsMargins(kSpace, kSpace, kSpace, 0);
  grid->setHorizontalSpacing(kSpace);
  grid->setVerticalSpacing(kSpace / 2);
  grid->setColumnStretch(1, 1);
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    letters_.at(i) = new QLabel(i == 0 ? QStringLiteral("A") : QStringLiteral("B"), this);
    letters_.at(i)->setAlignment(Qt::AlignCenter);
    letters_.at(i)->setAutoFillBackground(true);
    letters_.at(i)->setContentsMargins(kSpace, 0, kSpace, 0);
    names_.at(i) = new QLabel(this);
    names_.at(i)->setAccessibleName(i == 0 ? tr("Run A") : tr("Run B"));
    grid->addWidget(letters_.at(i), static_cast<int>(i) + 1, 0, Qt::AlignTop);
    grid->addWidget(names_.at(i), static_cast<int>(i) + 1, 1);
  }
  headline_->setAccessibleName(tr("The ends of the runs"));
  QFont bold = headline_->font();
  bold.setBold(true);
  headline_->setFont(bold);
  faults_->setAccessibleName(tr("Whether the runs met the same faults"));
  scenario_->setAccessibleName(tr("Seeds and scenarios"));
  for (QLabel* each : {headline_, names_[0], names_[1], faults_, scenario_}) {
    each->setTextFormat(Qt::PlainText);
    each->setWordWrap(true);
    each->setTextInteractionFlags(Qt::TextSelectableByMouse);
    // Long words, too, give way to a narrow window.
    each->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  }
  grid->addWidget(headline_, 0, 0, 1, 2);
  grid->addWidget(faults_, 3, 0, 1, 2);
  grid->addWidget(scenario_, 4, 0, 1, 2);
  set_theme(theme_);
}

void CompareBanner::set_runs(const Trace* a, const QString& name_a, const Trace* b,
                             const QString& name_b) {
  const auto name = [](const Trace* trace, const QString& known) {
    const QString policy = trace == nullptr ? QString() : policy_words(*trace);
    return known.contains(policy) ? known : known + QStringLiteral(", ") + policy;
  };
  names_[0]->setText(a == nullptr ? tr("no run") : name(a, name_a));
  names_[1]->setText(b == nullptr ? tr("no run") : name(b, name_b));
  const bool both = a != nullptr && b != nullptr;
  headline_->setText(both ? compare_headline(*a, *b) : QString());
  headline_->setVisible(!headline_->text().isEmpty());
  paired_ = !both || same_faults(*a, *b);
  faults_->setText(both ? fault_words(*a, *b) : tr("Open two runs to compare them."));
  scenario_->setText(both ? scenario_words(*a, *b) : QString());
  scenario_->setVisible(both);
  scenario_->setToolTip(both ? tr("Scenario of A: %1, of B: %2")
                                   .arg(shown_html(a->header.digest), shown_html(b->header.digest))
                             : QString());
  set_theme(theme_);
}

void CompareBanner::set_theme(Theme theme) {
  theme_ = theme;
  const Inks& ink = inks(theme);
  const auto colour = [](QLabel& label, QPalette::ColorRole role, QRgb rgb) {
    QPalette colours = label.palette();
    colours.setColor(role, QColor(rgb));
    label.setPalette(colours);
  };
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    const QRgb tint = i == 0 ? ink.run_a : ink.run_b;
    colour(*letters_.at(i), QPalette::Window, tint);
    colour(*letters_.at(i), QPalette::WindowText, text_on(tint));
    colour(*names_.at(i), QPalette::WindowText, ink.text);
  }
  colour(*headline_, QPalette::WindowText, ink.text);
  colour(*faults_, QPalette::WindowText, paired_ ? ink.text : ink.warning);
  colour(*scenario_, QPalette::WindowText, ink.text_dim);
}

QString CompareBanner::text() const {
  QStringList lines;
  lines << headline_->text() << names_[0]->text() << names_[1]->text() << faults_->text()
        << scenario_->text();
  return lines.join(u'\n');
}

}  // namespace aftershock::gui
