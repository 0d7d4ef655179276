#pragma once

#include <QDialog>
#include <QString>
#include <QStringList>
#include <optional>

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace aftershock::gui {

/// What a scenario is to be run again with. What is empty stays as it was.
struct RunAgain {
  QString policy;  ///< NAME[@PROFILE]
  QString config;  ///< a JSON object, with a policy only
  QString seed;
};

/// What is wrong with it, as a sentence; empty where it can be tried.
QString problem_of(const RunAgain& wish);

/// Every policy with each of its profiles, as the simulator lists them; none without a simulator.
QStringList list_policies(const QString& simulator);

/// Asks for another policy, configuration or seed.
class RunAgainDialog : public QDialog {
  Q_OBJECT

 public:
  /// `policies` are offered; others can be typed. `policy` is that of the run.
  RunAgainDialog(const QStringList& policies, const QString& policy, QWidget* parent);

  /// What stands in its fields.
  [[nodiscard]] RunAgain wish() const;

 private:
  void check();

  QComboBox* policy_;
  QPlainTextEdit* config_;
  QLineEdit* seed_;
  QLabel* problem_;
  QPushButton* run_;
};

}  // namespace aftershock::gui
