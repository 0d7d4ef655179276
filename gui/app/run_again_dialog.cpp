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
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>

namespace aftershock::gui {

namespace {

constexpr int kListPatienceMs = 5000;

}  // namespace

QString problem_of(const RunAgain& wish) {
  const QString config = wish.config.trimmed();
  if (!config.isEmpty()) {
    QJsonParseError error{};
    const QJsonDocument document = QJsonDocument::fromJson(config.toUtf8(), &error);
    if (error.error != QJsonParseError::NoError) {
      return RunAgainDialog::tr("The configuration is not JSON: %1 at character %2.")
          .arg(error.errorString())
          .arg(error.offset);
    }
    if (!document.isObject()) {
      return RunAgainDialog::tr(
          "The configuration is no JSON object, as in {\"max_failures\": 3}.");
    }
    if (wish.policy.trimmed().isEmpty()) {
      return RunAgainDialog::tr("A configuration goes with a policy.");
    }
  }
  bool is_number = true;
  if (!wish.seed.trimmed().isEmpty()) {
    wish.seed.trimmed().toULongLong(&is_number);
  }
  if (!is_number) {
    return RunAgainDialog::tr("A seed is a whole number from 0 to 18446744073709551615.");
  }
  if (wish.policy.trimmed().isEmpty() && wish.seed.trimmed().isEmpty()) {
    return RunAgainDialog::tr("Choose another policy or seed.");
  }
  return {};
}

QStringList list_policies(const QString& simulator) {
  QProcess process;
  process.start(simulator, {QStringLiteral("policies"), QStringLiteral("list")});
  if (simulator.isEmpty() || !process.waitForFinished(kListPatienceMs)) {
    return {};
  }
  // "NAME  SENTENCE  (profiles: A, B)"
  static const QRegularExpression kLine(QStringLiteral(R"(^(\S+) .*\(profiles: ([^)]*)\)$)"),
                                        QRegularExpression::MultilineOption);
  QStringList all;
  auto lines = kLine.globalMatch(QString::fromUtf8(process.readAllStandardOutput()));
  while (lines.hasNext()) {
    const auto line = lines.next();
    for (const QString& profile : line.captured(2).split(QStringLiteral(", "))) {
      all << line.captured(1) + u'@' + profile;
    }
  }
  return all;
}

RunAgainDialog::RunAgainDialog(const QStringList& policies, const QString& policy, QWidget* parent)
    : QDialog(parent),
      policy_(new QComboBox(this)),
      config_(new QPlainTextEdit(this)),
      seed_(new QLineEdit(this)),
      problem_(new QLabel(this)) {
  setWindowTitle(tr("Run again with"));
  resize(520, 360);
  policy_->setEditable(true);
  policy_->addItems(policies);
  policy_->setEditText(policy);
  policy_->setAccessibleName(tr("Policy"));
  policy_->lineEdit()->setAccessibleName(tr("Policy"));
  policy_->view()->setAccessibleName(tr("Policies"));
  config_->setPlaceholderText(QStringLiteral("{\"max_failures\": 8}"));
  config_->setAccessibleName(tr("Configuration of the policy"));
  config_->setTabChangesFocus(true);
  seed_->setPlaceholderText(tr("the seed of this run"));
  seed_->setAccessibleName(tr("Seed"));
  problem_->setTextFormat(Qt::PlainText);
  problem_->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  run_ = buttons->addButton(tr("Run"), QDialogButtonBox::AcceptRole);
  auto* form = new QFormLayout(this);
  form->addRow(tr("&Policy"), policy_);
  form->addRow(tr("&Configuration"), config_);
  form->addRow(tr("&Seed"), seed_);
  form->addRow(problem_);
  form->addRow(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(policy_, &QComboBox::editTextChanged, this, &RunAgainDialog::check);
  connect(config_, &QPlainTextEdit::textChanged, this, &RunAgainDialog::check);
  connect(seed_, &QLineEdit::textChanged, this, &RunAgainDialog::check);
  check();
}

RunAgain RunAgainDialog::wish() const {
  return {.policy = policy_->currentText().trimmed(),
          .config = config_->toPlainText().trimmed(),
          .seed = seed_->text().trimmed()};
}

void RunAgainDialog::check() {
  const QString problem = problem_of(wish());
  problem_->setText(problem);
  run_->setEnabled(problem.isEmpty());
}

}  // namespace aftershock::gui
