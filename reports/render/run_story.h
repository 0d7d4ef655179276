#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "reports/ledger/summary.h"
#include "reports/recording/header.h"
#include "reports/recording/record.h"

namespace aftershock::reports {

/// The story of a recording's jobs and experiments, gathered record by record.
class RunStory {
 public:
  /// A step of the policy: the rule, and the states before and after; with the vendor's word for
  /// what was decided where it has one.
  struct Decision {
    std::int64_t t_us = 0;
    std::string rule;
    std::string from;
    std::string to;
    std::string word;
  };
  /// The facts of one job.
  struct Job {
    JobSummary summary;  ///< budgets from the decisions; the rest once the run's summary is there
    bool ended = false;  ///< the summary was there
    std::optional<Decision> last_decision;
  };

  /// The facts of one experiment; the decision of a charge is the rule that made it, since each is
  /// of one trial.
  struct Experiment {
    ExperimentSummary summary;  ///< as of a job
    bool ended = false;         ///< the summary was there
    std::optional<Decision> last_decision;
  };

  /// Takes the next record in; the header comes first.
  void add(const Record& record);

  [[nodiscard]] const std::vector<Job>& jobs() const { return jobs_; }
  [[nodiscard]] const std::vector<Experiment>& experiments() const { return experiments_; }
  [[nodiscard]] const std::string& scenario() const { return scenario_; }
  /// The verdict of the run in the summary's word, once the summary was there.
  [[nodiscard]] const std::optional<std::string>& verdict() const { return verdict_; }
  [[nodiscard]] const std::string& verdict_reason() const { return verdict_reason_; }

 private:
  void add_header(std::string_view text);
  void add_fault(std::string_view text);
  void add_decision(const Record& record);
  void add_moves(const nlohmann::ordered_json& step, const Decision& decision,
                 const nlohmann::ordered_json& record,
                 std::vector<std::pair<std::string, BudgetSummary>>& budgets);
  void add_summary(std::string_view text);
  Job& job_named(std::string_view name);
  Experiment& experiment_named(std::string_view name);

  std::string scenario_;
  std::optional<std::string> verdict_;
  std::string verdict_reason_;
  std::vector<Job> jobs_;
  std::vector<Experiment> experiments_;
  std::map<std::string, std::size_t> job_places_;
  std::map<std::string, std::string> faults_;  ///< id to words
};

}  // namespace aftershock::reports
