#include "gui/app/run_again_dialog.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHeaderView>
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
#include <algorithm>
#include <utility>

#include "gui/app/first_failure.h"
#include "gui/app/settings_table.h"

namespace aftershock::gui {

namespace {

/// Enough of the settings, and of a configuration, is seen at once.
constexpr int kSettingRows = 7;
constexpr int kConfigLines = 4;
constexpr int kWidth_px = 620;
constexpr int kRest_ms = 400;

/// The preset without a setting, which every family has.
constexpr QLatin1StringView kDefaults("defaults");

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

QString name_in(const QString& title) { return title.section(u'@', 0, 0); }

QString text_of_config(const QJsonObject& config) {
  return config.isEmpty() ? QString() : QString::fromUtf8(QJsonDocument(config).toJson()).trimmed();
}

QJsonObject config_in(const QString& text) {
  return QJsonDocument::fromJson(text.toUtf8()).object();
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
      now.config = text_of_config(own[QStringLiteral("config")].toObject());
      break;
    }
  }
  return now;
}

RunAgainDialog::RunAgainDialog(QString simulator, std::vector<PolicyChoice> policies,
                               const RunAgain& now, QString scenario, QWidget* parent)
    : QDialog(parent),
      simulator_(std::move(simulator)),
      policies_(std::move(policies)),
      now_(now),
      scenario_(std::move(scenario)),
      filled_(now.config),
      policy_(new QComboBox(this)),
      about_(new QLabel(this)),
      preset_(new QComboBox(this)),
      table_(new SettingsTable(this)),
      config_(new QPlainTextEdit(this)),
      seed_(new QLineEdit(this)),
      notes_(new QLabel(this)),
      policy_problem_(problem_label(this)),
      config_problem_(problem_label(this)),
      seed_problem_(problem_label(this)),
      hint_(new QLabel(this)),
      rest_(new QTimer(this)) {
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
  preset_->setAccessibleName(tr("Preset"));
  preset_->view()->setAccessibleName(tr("Presets"));
  table_->setFixedHeight(kSettingRows * table_->verticalHeader()->defaultSectionSize());
  config_->setPlainText(now.config);
  config_->setPlaceholderText(tr("The profile's own values; others as {\"max_failures\": 8}"));
  config_->setAccessibleName(tr("Configuration of the policy"));
  config_->setTabChangesFocus(true);
  config_->setFixedHeight(kConfigLines * config_->fontMetrics().lineSpacing());
  seed_->setText(now.seed);
  seed_->setAccessibleName(tr("Seed"));
  for (QLabel* label : {about_, notes_, hint_}) {
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
  }
  lay_out();
  rest_->setSingleShot(true);
  rest_->setInterval(kRest_ms);
  connect(rest_, &QTimer::timeout, this, &RunAgainDialog::try_failures);
  connect(policy_, &QComboBox::editTextChanged, this, &RunAgainDialog::choose_policy);
  connect(preset_, &QComboBox::activated, this, &RunAgainDialog::choose_preset);
  connect(table_, &SettingsTable::edited, this, &RunAgainDialog::edit);
  connect(config_, &QPlainTextEdit::textChanged, this, &RunAgainDialog::check);
  connect(seed_, &QLineEdit::textChanged, this, &RunAgainDialog::check);
  choose_policy();
  // The policy is the first thing that is asked for: what is typed takes the place of the present.
  policy_->setFocus();
  policy_->lineEdit()->selectAll();
}

void RunAgainDialog::lay_out() {
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  run_ = buttons->addButton(tr("&Run"), QDialogButtonBox::AcceptRole);
  auto* form = new QFormLayout(this);
  form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
  const auto add = [&](const QString& name, QWidget* field, QLabel* about, QLabel* problem) {
    auto* label = new QLabel(name, this);
    label->setBuddy(field);
    form->addRow(label, problem == nullptr ? field : with_problem(field, about, problem));
  };
  add(tr("&Policy of every job"), policy_, about_, policy_problem_);
  add(tr("P&reset"), preset_, nullptr, nullptr);
  add(tr("Se&ttings"), table_, nullptr, nullptr);
  add(tr("Its &configuration"), config_, notes_, config_problem_);
  add(tr("&Seed"), seed_, nullptr, seed_problem_);
  form->addRow(hint_);
  form->addRow(buttons);
  resize(sizeHint().expandedTo({kWidth_px, 0}));
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
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
  // A policy by its name alone runs with its starting preset; without a setting it has the defaults
  // that the table tells.
  const bool has_defaults = std::ranges::any_of(
      settings_.presets, [](const PolicyPreset& preset) { return preset.name == kDefaults; });
  if (!wish.policy.isEmpty() && has_defaults && config_in(wish.config).isEmpty()) {
    wish.policy += QStringLiteral(":") + kDefaults;
    wish.config.clear();
  }
  return wish;
}

void RunAgainDialog::choose_policy() {
  const RunAgain now = typed();
  const PolicyChoice* policy = policy_named(policies_, now.policy);
  about_->setText(policy == nullptr ? QString() : policy->summary);
  about_->setVisible(policy != nullptr);
  if (policy != nullptr && policy_problem(now.policy, policies_).isEmpty() &&
      now.policy != title_) {
    take_settings(now.policy);
  }
  check();
}

void RunAgainDialog::take_settings(const QString& title) {
  const QString before = name_in(title_);
  title_ = title;
  settings_ = settings_of_policy(simulator_, title);
  table_->set_settings(settings_);
  preset_->clear();
  for (const PolicyPreset& each : settings_.presets) {
    preset_->addItem(QStringLiteral("%1: %2").arg(each.name, each.words));
  }
  preset_->setCurrentIndex(-1);
  preset_->setEnabled(preset_->count() > 0);
  if (name_in(title) == before) {
    return;
  }
  left_.clear();
  const QString config = typed().config;
  if (name_in(title) == name_in(now_.policy) && config == filled_) {
    fill(now_.config);
  } else if (config_problem(config).isEmpty()) {
    fill(text_of_config(carried_over(config_in(config), settings_, left_)));
  }
}

void RunAgainDialog::fill(const QString& config) {
  config_->setPlainText(config);
  filled_ = typed().config;
}

void RunAgainDialog::choose_preset(int preset) {
  left_.clear();
  fill(text_of_config(settings_.presets.at(static_cast<std::size_t>(preset)).config));
}

void RunAgainDialog::edit(const QString& setting, const QJsonValue& value) {
  QJsonObject config = config_in(typed().config);
  if (value.isUndefined()) {
    config.remove(setting);
  } else {
    config[setting] = value;
  }
  config_->setPlainText(text_of_config(config));
}

void RunAgainDialog::tell_notes() {
  QStringList lines;
  if (!left_.isEmpty()) {
    lines << tr("Not carried over, as %1 has no such settings: %2.")
                 .arg(name_in(title_), left_.join(QStringLiteral(", ")));
  }
  lines << warnings_;
  notes_->setText(lines.join(u'\n'));
  notes_->setVisible(!lines.isEmpty());
}

// Runs take as long as a keystroke or two: what is typed is tried once it rests.
void RunAgainDialog::try_failures() {
  const RunAgain now = wish();
  if (scenario_.isEmpty() || !problem_of(typed(), {}, policies_).text.isEmpty() || now == tried_) {
    return;
  }
  tried_ = now;
  warnings_ = unrecovered(simulator_, scenario_, now);
  tell_notes();
  make_room();
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
  // Text that is not yet a configuration leaves the values as they were, and none can be typed that
  // would take its place.
  const bool is_config = config_problem(typed().config).isEmpty();
  table_->setEnabled(is_config);
  if (is_config) {
    table_->set_config(config_in(typed().config));
    tell_notes();
    rest_->start();
  }
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
