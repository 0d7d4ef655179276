#pragma once

#include <QDialog>
#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

#include "gui/app/policy_list.h"
#include "gui/app/policy_settings.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QTimer;
class QWidget;

namespace aftershock::gui {

class SettingsTable;

/// The changes with which a scenario is to be run again. An empty member stays as it was.
struct RunAgain {
  QString policy = {};  ///< NAME[@PROFILE]
  QString config = {};  ///< a JSON object, with a policy only
  QString seed = {};

  friend bool operator==(const RunAgain&, const RunAgain&) = default;
};

/// A field of the dialog.
enum class RunField : std::uint8_t { kWhole, kPolicy, kConfig, kSeed };

/// The error in a wish, as a sentence, and where; empty where it can be tried.
struct RunProblem {
  RunField field = RunField::kWhole;
  QString text = {};
};

/// Whether it can be tried beside a run that was made with `now`. `policies` are those that there
/// are; where they are not known any may be.
RunProblem problem_of(const RunAgain& wish, const RunAgain& now,
                      const std::vector<PolicyChoice>& policies);

/// The parameters of a run: the first job's or experiment's policy with its profile and its
/// configuration as its scenario has it, and the seed.
RunAgain made_with(const QString& policy, const QString& scenario, quint64 seed);

/// Asks for another policy, its settings, or another seed. Settings that another policy has under
/// the same name are carried over to it.
class RunAgainDialog : public QDialog {
  Q_OBJECT

 public:
  /// `policies` are offered, whose settings `simulator` tells. The fields begin with `now`, what
  /// the run was made with. `scenario` is the run's own, on which a wish is tried that would
  /// recover nothing; without one no wish is.
  RunAgainDialog(QString simulator, std::vector<PolicyChoice> policies, const RunAgain& now,
                 QString scenario, QWidget* parent);

  /// The wish: its members are empty where they were left as they are.
  [[nodiscard]] RunAgain wish() const;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void lay_out();
  void make_room();
  [[nodiscard]] RunAgain typed() const;
  void choose_policy();
  void take_settings(const QString& title);
  void fill(const QString& config);
  void choose_preset(int preset);
  void edit(const QString& setting, const QJsonValue& value);
  void tell_notes();
  void try_failures();
  void check();

  QString simulator_;
  std::vector<PolicyChoice> policies_;
  RunAgain now_;
  QString scenario_;
  std::optional<RunAgain> tried_;  ///< of which the warnings are
  QStringList warnings_;
  QString title_;  ///< of the policy whose settings are shown
  PolicySettings settings_;
  QStringList left_;  ///< settings that were not carried over
  QString filled_;    ///< the configuration as nobody has touched it
  QComboBox* policy_;
  QLabel* about_;
  QComboBox* preset_;
  SettingsTable* table_;
  QPlainTextEdit* config_;
  QLineEdit* seed_;
  QLabel* notes_;
  QLabel* policy_problem_;
  QLabel* config_problem_;
  QLabel* seed_problem_;
  QLabel* hint_;
  QTimer* rest_;  ///< until what is typed is tried
  QPushButton* run_;
};

}  // namespace aftershock::gui
