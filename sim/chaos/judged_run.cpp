#include "sim/chaos/judged_run.h"

#include <utility>

#include <fmt/format.h>

#include "sim/chaos/known_finding.h"
#include "sim/world/stuck.h"

namespace aftershock::sim::chaos {
namespace {

/// "invariant S07 violated" is S07's; what else failed has the verdict's name.
std::string failure_id(const reports::RunRow& row) {
  constexpr std::string_view kInvariant = "invariant ";
  const std::string_view reason = reports::why_of(row);
  if (row.verdict == reports::Verdict::kFailed && reason.starts_with(kInvariant)) {
    const std::string_view rest = reason.substr(kInvariant.size());
    return std::string(rest.substr(0, rest.find(' ')));
  }
  return std::string(name_of(row.verdict));
}

}  // namespace

JudgedRun judge(const reports::RunRow& row, std::string_view policy) {
  using enum reports::CellState;
  using reports::Verdict;
  JudgedRun judged;
  judged.why = reports::why_of(row);
  if (row.verdict == Verdict::kInvalid) {
    judged.state = kUnbitten;
    return judged;
  }
  const bool unfinished = row.verdict == Verdict::kPassed && row.outcome == "running";
  if (unfinished) {
    judged.why = "the job had not come to an end when the simulation did" +
                 (row.reason.empty() ? "" : ": " + row.reason);
  } else if (row.verdict == Verdict::kPassed) {
    const bool recovered = row.outcome == "completed";
    judged.state = recovered ? kRecovered : kEnded;
    judged.why = recovered ? std::string() : row.reason;
    return judged;
  }
  FoundFailure found;
  found.seed = row.seed;
  found.failure = {unfinished ? "running" : failure_id(row), judged.why};
  const policies::Finding* known = known_finding(policy, found.failure.id, judged.why);
  // A job in a circle says so: more time would not end it.
  if (unfinished && known == nullptr && row.reason.empty()) {
    judged.state = kUnfinished;
    return judged;
  }
  // A documented finding takes precedence: in its case other nodes would not have helped either.
  for (const std::string_view mark : {world::kPastRecovery, world::kShortForNow}) {
    const std::size_t at = judged.why.find(mark);
    if (known == nullptr && at != std::string::npos) {
      judged.state = kLost;
      judged.why.erase(0, at + mark.size());
      return judged;
    }
  }
  const bool wrong =
      unfinished || row.verdict == Verdict::kFailed || row.verdict == Verdict::kStuck;
  found.known = known != nullptr;
  judged.state = found.known ? kExpected : wrong ? kFinding : kBroken;
  if (known != nullptr) {
    judged.why = fmt::format("{} ({})", known->sentence, known->source);
  }
  judged.failure = std::move(found);
  return judged;
}

}  // namespace aftershock::sim::chaos
