#include "sim/chaos/known_finding.h"

#include <algorithm>
#include <array>

#include "policies/registry.h"
#include "sim/world/without_limit.h"

namespace aftershock::sim::chaos {

namespace {

/// The run that shows a kind of finding.
struct Showing {
  policies::FindingKind kind;
  std::string_view failure;  ///< Failure::id; empty: any
  std::string_view words;    ///< that the run's contain
};
constexpr std::array kShowings{
    Showing{policies::FindingKind::kReservesForGood, "", "left reserved by job"},
    Showing{policies::FindingKind::kHangUnseen, "stuck", "stands still since hang"},
    Showing{policies::FindingKind::kHangUnanswered, "stuck", "an answer to the rank that hangs"},
    Showing{policies::FindingKind::kNeverGivesUp, "", "got no further in its last"},
    Showing{policies::FindingKind::kAbortLost, "stuck", "the end that a user asked for took"},
};

bool shows(const policies::Finding& finding, std::string_view failure, std::string_view words) {
  const auto* const showing = std::ranges::find(kShowings, finding.kind, &Showing::kind);
  if ((!showing->failure.empty() && showing->failure != failure) ||
      words.find(showing->words) == std::string_view::npos) {
    return false;
  }
  return finding.budget.empty() || world::names_without_limit(words, finding.budget);
}

}  // namespace

const policies::Finding* known_finding(std::string_view policy, std::string_view failure,
                                       std::string_view words) {
  const policies::PolicyEntry* entry = policies::shipped_policy(policy.substr(0, policy.find('@')));
  if (entry == nullptr) {
    return nullptr;
  }
  const auto found = std::ranges::find_if(
      entry->findings, [&](const policies::Finding& each) { return shows(each, failure, words); });
  return found == entry->findings.end() ? nullptr : &*found;
}

}  // namespace aftershock::sim::chaos
