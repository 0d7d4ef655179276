#include "gui/app/run_again_dialog.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStringList>
#include <QTimer>
#include <QVBoxLayout>
#include <utility>

namespace aftershock::gui {

namespace {

/// Enough of a configuration is seen at once.
constexpr int kConfigLines = 8;
constexpr int kWidth_px = 560;

QString dialog_text(const char* text) { return RunAgainDialog::tr(text); }

QString policy_problem(const QString& title, const std::vector<PolicyChoice>& policies) {
  if (title.isEmpty()) {
    return dialog_text("Choose a policy.");
  }
  if (policies.empty()) {
    return {};
  }
  const PolicyChoice* policy = policy_named(policies, title);
  if (policy == nullptr) {
    QStringList names;
    for (const PolicyChoice& each : policies) {
      names << each.name;
    }
    return dialog_text("There is no policy of this name; there are %1.")
        .arg(names.join(QStringLiteral(", ")));
  }
  if (title.contains(u'@') && !policy->profiles.contains(title.section(u'@', 1))) {
    return dialog_text("%1 has no such profile; it has %2.")
        .arg(policy->name, policy->profiles.join(QStringLiteral(", ")));
  }
  return {};
}

QString config_problem(const QString& config) {
  if (config.isEmpty()) {
    return {};
  }
  QJsonParseError error{};
  const QJsonDocument document = QJsonDocument::fromJson(config.toUtf8(), &error);
  if (error.error != QJsonParseError::NoError) {
    const qsizetype line = config.toUtf8().left(error.offset).count('\n') + 1;
    return dialog_text("Not JSON: %1 in line %2.").arg(error.errorString()).arg(line);
  }
  return document.isObject() ? QString()
                             : dialog_text("No JSON object, as {\"max_failures\": 3} is one.");
}

bool is_seed(const QString& text) {
  bool is_number = false;
  text.toULongLong(&is_number);
  return is_number && !text.startsWith(u'+');
}

/// Below the field that it is about, and told with it.
QLabel* problem_label(QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  label->setForegroundRole(QPalette::BrightText);
  label->hide();
  return label;
}

QWidget* with_problem(QWidget* field, QLabel* about, QLabel* problem) {
  auto* both = new QWidget;
  auto* layout = new QVBoxLayout(both);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  layout->addWidget(field);
  if (about != nullptr) {
    layout->addWidget(about);
  }
  layout->addWidget(problem);
  return both;
}

}  // namespace

RunProblem problem_of(const RunAgain& wish, const RunAgain& now,
                      const std::vector<PolicyChoice>& policies) {
  if (QString text = policy_problem(wish.policy, policies); !text.isEmpty()) {
    // A run without a policy of its own can still be run with another seed.
    if (!wish.policy.isEmpty() || !now.policy.isEmpty() || !wish.config.isEmpty()) {
      return {RunField::kPolicy, std::move(text)};
    }
  }
  if (QString text = config_problem(wish.config); !text.isEmpty()) {
    return {RunField::kConfig, std::move(text)};
  }
  if (!is_seed(wish.seed)) {
    return {RunField::kSeed, dialog_text("A whole number from 0 to 18446744073709551615.")};
  }
  return wish == now
             ? RunProblem{RunField::kWhole,
                          dialog_text("This is what the run was made with: change something.")}
             : RunProblem{};
}

RunAgain made_with(const QString& policy, const QString& scenario, quint64 seed) {
  RunAgain now{.policy = policy, .seed = QString::number(seed)};
  const QJsonObject all = QJsonDocument::fromJson(scenario.toUtf8()).object();
  for (const char* list : {"jobs", "experiments"}) {
    const QJsonValue own = all[QLatin1StringView(list)][0][QStringLiteral("policy")];
    if (own.isObject()) {
      const QJsonObject config = own[QStringLiteral("config")].toObject();
      now.config = config.isEmpty() ? QString()
                                    : QString::fromUtf8(QJsonDocument(config).toJson()).trimmed();
      break;
    }
  }
  return now;
}

RunAgainDialog::RunAgainDialog(std::vector<PolicyChoice> policies, const RunAgain& now,
                               QWidget* parent)
    : QDialog(parent),
      policies_(std::move(policies)),
      now_(now),
      policy_(new QComboBox(this)),
      about_(new QLabel(this)),
      config_(new QPlainTextEdit(this)),
      seed_(new QLineEdit(this)),
      policy_problem_(problem_label(this)),
      config_problem_(problem_label(this)),
      seed_problem_(problem_label(this)),
      hint_(new QLabel(this)) {
  setWindowTitle(tr("Run again with"));
  policy_->setEditable(true);
  policy_->setInsertPolicy(QComboBox::NoInsert);
  for (const PolicyChoice& policy : policies_) {
    for (const QString& profile : policy.profiles) {
      policy_->addItem(policy.name + u'@' + profile);
    }
  }
  policy_->setEditText(now.policy);
  policy_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  policy_->setAccessibleName(tr("Policy"));
  policy_->lineEdit()->setAccessibleName(tr("Policy"));
  policy_->view()->setAccessibleName(tr("Policies"));
  about_->setTextFormat(Qt::PlainText);
  about_->setWordWrap(true);
  config_->setPlainText(now.config);
  config_->setPlaceholderText(tr("The profile's own values; others as {\"max_failures\": 8}"));
  config_->setAccessibleName(tr("Configuration of the policy"));
  config_->setTabChangesFocus(true);
  config_->setFixedHeight(kConfigLines * config_->fontMetrics().lineSpacing());
  seed_->setText(now.seed);
  seed_->setAccessibleName(tr("Seed"));
  hint_->setTextFormat(Qt::PlainText);
  hint_->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  run_ = buttons->addButton(tr("&Run"), QDialogButtonBox::AcceptRole);
  auto* form = new QFormLayout(this);
  form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
  const auto add = [&](const QString& name, QWidget* field, QLabel* about, QLabel* problem) {
    auto* label = new QLabel(name, this);
    label->setBuddy(field);
    form->addRow(label, with_problem(field, about, problem));
  };
  add(tr("&Policy of every job"), policy_, about_, policy_problem_);
  add(tr("Its &configuration"), config_, nullptr, config_problem_);
  add(tr("&Seed"), seed_, nullptr, seed_problem_);
  form->addRow(hint_);
  form->addRow(buttons);
  resize(sizeHint().expandedTo({kWidth_px, 0}));
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(policy_, &QComboBox::editTextChanged, this, &RunAgainDialog::choose_policy);
  connect(config_, &QPlainTextEdit::textChanged, this, &RunAgainDialog::check);
  connect(seed_, &QLineEdit::textChanged, this, &RunAgainDialog::check);
  choose_policy();
}

RunAgain RunAgainDialog::typed() const {
  return {.policy = policy_->currentText().trimmed(),
          .config = config_->toPlainText().trimmed(),
          .seed = seed_->text().trimmed()};
}

RunAgain RunAgainDialog::wish() const {
  RunAgain wish = typed();
  if (wish.policy == now_.policy && wish.config == now_.config) {
    wish.policy.clear();
    wish.config.clear();
  }
  if (wish.seed == now_.seed) {
    wish.seed.clear();
  }
  return wish;
}

void RunAgainDialog::choose_policy() {
  const auto name = [](const QString& title) { return title.section(u'@', 0, 0); };
  const RunAgain now = typed();
  const PolicyChoice* policy = policy_named(policies_, now.policy);
  about_->setText(policy == nullptr ? QString() : policy->summary);
  about_->setVisible(policy != nullptr);
  // The parameters of one policy mean nothing to another; what was typed is the user's.
  const bool is_same = name(now.policy) == name(now_.policy);
  if (policy != nullptr && !is_same && now.config == now_.config) {
    config_->clear();
  } else if (is_same && now.config.isEmpty() && !config_->document()->isModified()) {
    config_->setPlainText(now_.config);
  }
  check();
}

void RunAgainDialog::check() {
  const RunProblem problem = problem_of(typed(), now_, policies_);
  const std::pair<RunField, QLabel*> labels[] = {{RunField::kPolicy, policy_problem_},
                                                 {RunField::kConfig, config_problem_},
                                                 {RunField::kSeed, seed_problem_},
                                                 {RunField::kWhole, hint_}};
  for (const auto& [field, label] : labels) {
    const bool is_here = problem.field == field && !problem.text.isEmpty();
    label->setText(is_here ? problem.text : QString());
    label->setVisible(is_here || label == hint_);
  }
  run_->setEnabled(problem.text.isEmpty());
  const bool is_policy = problem.field == RunField::kPolicy;
  policy_->lineEdit()->setAccessibleDescription(is_policy ? problem.text : QString());
  config_->setAccessibleDescription(config_problem_->text());
  seed_->setAccessibleDescription(seed_problem_->text());
  make_room();
  // The room that a longer text needs is known when all of it is laid out.
  QTimer::singleShot(0, this, &RunAgainDialog::make_room);
}

void RunAgainDialog::resizeEvent(QResizeEvent* event) {
  QDialog::resizeEvent(event);
  make_room();
}

void RunAgainDialog::make_room() {
  // Texts that are broken into lines make a layout higher without its asking for it.
  layout()->activate();
  if (const int wanted = layout()->totalHeightForWidth(width()); height() < wanted) {
    resize(width(), wanted);
  }
}

}  // namespace aftershock::gui
