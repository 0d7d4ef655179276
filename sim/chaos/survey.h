#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "reports/ledger/summary.h"
#include "sim/chaos/setting.h"
#include "sim/scenario/read/read.h"

// The survey of a job while one thing breaks: it finds the moments into which a second fault can be
// put.
namespace aftershock::sim::chaos {

/// The first fault of a run: what makes a job recover.
struct FirstFault {
  std::string_view kind;  ///< of its fault; empty: nothing breaks
  bool takes_process;     ///< the victim's process is gone with it
  bool takes_node;        ///< the victim's node is
  bool takes_spare;       ///< and the spare, so that nodes have to be waited for
  bool denied;            ///< and nobody has machines for a while
};

/// All of them; the first breaks nothing.
std::span<const FirstFault> first_faults();

/// An instance of a phase as it goes when nothing else breaks.
struct PhaseInstance {
  std::uint32_t nth = 1;
  std::int64_t began_us = 0;
  std::int64_t length_us = 0;
  bool processes = false;      ///< the job had some when it began
  bool committed = false;      ///< and a checkpoint that counts
  bool later_attempt = false;  ///< and an attempt behind it, and a controller that could hear of it
  bool hangs_looked_for = false;  ///< it works, and somebody looks whether it hangs
};

/// The runs with each first fault: by first fault, then by the rows of recovery_phases(), the
/// instance that is struck: the first that the first fault led to, of phases of healthy jobs the
/// third one, or the last. None where the job does not go through that phase.
using Survey = std::vector<std::vector<std::optional<PhaseInstance>>>;

/// The scenario without faults and expectations of its own, to which the matrix adds its own.
nlohmann::ordered_json bare_scenario(const scenario::Scenario& scenario);

/// Throws PolicyFailed, as `run` words it, where a run in which nothing breaks says that its policy
/// failed: there is no recovery to break. `name`: how the scenario is called.
void demand_policy(reports::Verdict verdict, const std::string& reason, const std::string& name);

/// Lets it go on for four times as long as the job takes when nothing breaks, if its own `until`
/// leaves it less: recoveries and stragglers take time, and who runs out of it shows nothing.
void give_time(nlohmann::ordered_json& bare, const scenario::Scenario& scenario,
               std::int64_t healthy_us);

/// The first fault's faults, at that moment.
nlohmann::ordered_json first_fault_list(const FirstFault& first_fault, const Setting& setting,
                                        std::int64_t at_us);

/// A survey, and when its first faults strike: in the middle of the training after the second
/// checkpoint, or of the longest where there are fewer.
struct SurveyResult {
  Survey phases;
  std::int64_t opened_us = 0;
  std::int64_t healthy_us = 0;  ///< when the last phase that was seen without faults was over
};
/// Or what keeps the job from being surveyed, in words. Throws PolicyFailed where an external
/// policy fails although nothing breaks.
std::variant<SurveyResult, std::string> survey(const nlohmann::ordered_json& bare,
                                               const Setting& setting, const std::string& name);

/// By the rows of recovery_phases(), the first instance of each phase of a recovery that begins at
/// `t_us` or later when these faults strike.
std::vector<std::optional<PhaseInstance>> survey_after(const nlohmann::ordered_json& bare,
                                                       const nlohmann::ordered_json& faults,
                                                       const Setting& setting,
                                                       const std::string& name, std::int64_t t_us);

}  // namespace aftershock::sim::chaos
