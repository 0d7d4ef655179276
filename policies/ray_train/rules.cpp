#include "policies/ray_train/rules.h"

#include "base/assert.h"
#include "policies/ray_train/parameters.h"

namespace aftershock::policies::ray_train {
namespace {

struct StateEntry {
  State state = State::kCount;
  Versions versions;
  std::string_view name;
};

constexpr std::array<StateEntry, kStateCount> kStates{{
    {State::kInitializing, kEveryVersion, "INITIALIZING"},
    {State::kScheduling, kEveryVersion, "SCHEDULING"},
    {State::kRescheduling, kEveryVersion, "RESCHEDULING"},
    {State::kRunning, kEveryVersion, "RUNNING"},
    {State::kRestarting, kEveryVersion, "RESTARTING"},
    {State::kResizing, kEveryVersion, "RESIZING"},
    {State::kPreempting, kFrom202609, "PREEMPTING"},
    {State::kShuttingDown, kFrom255, "SHUTTING_DOWN"},
    {State::kErrored, kEveryVersion, "ERRORED"},
    {State::kFinished, kEveryVersion, "FINISHED"},
    {State::kAborted, kFrom249, "ABORTED"},
}};

void list_states(const Profile& profile, Vocabulary& words) {
  for (std::size_t index = 0; index < kStateCount; ++index) {
    AFTERSHOCK_ASSERT(static_cast<std::size_t>(kStates[index].state) == index);
    words.states[index] = kNoIndex;
    if (kStates[index].versions.contains(profile.version)) {
      words.states[index] = static_cast<std::uint16_t>(words.info.states.size());
      words.info.states.push_back(kStates[index].name);
    }
  }
}

void list_rules(const Profile& profile, Vocabulary& words) {
  for (const RuleEntry& entry : rule_table()) {
    std::uint16_t& index = words.rules[static_cast<std::size_t>(entry.id)];
    index = kNoIndex;
    if (entry.versions.contains(profile.version)) {
      index = static_cast<std::uint16_t>(words.info.rules.size());
      words.sources.push_back("Ray Train V2, " + std::string(entry.file) + " (" +
                              std::string(profile.name) + ")");
      if (entry.id == RuleId::kPreemptingRelax) {
        words.info.relaxing.push_back(index);
      }
      words.info.rules.push_back({entry.name, entry.sentence, words.sources.back()});
    }
  }
}

void describe_profile(const Profile& profile, Vocabulary& words) {
  PolicyInfo& info = words.info;
  info.name = "ray_train";
  info.profile = profile.name;
  info.summary = profile.summary;
  info.budgets = {"max_failures"};
  if (profile.limits_start_failures) {
    info.budgets.emplace_back("controller_failure_limit");
  }
  if (profile.handles_preemption) {
    info.budgets.emplace_back("max_preemption_failures");
  }
  info.parameters = parameters(profile);
  info.persists = {"list of kept checkpoints", "latest checkpoint"};
  if (profile.snapshot_form != SnapshotForm::kVersionZero) {
    info.persists.emplace_back("report index");
  }
  list_states(profile, words);
  list_rules(profile, words);
}

std::deque<Vocabulary> make_vocabularies() {
  std::deque<Vocabulary> all;
  for (const Profile& profile : profiles()) {
    describe_profile(profile, all.emplace_back());
  }
  return all;
}

}  // namespace

const Vocabulary& vocabulary(const Profile& profile) {
  static const std::deque<Vocabulary> kAll = make_vocabularies();
  for (const Vocabulary& words : kAll) {
    if (words.info.profile == profile.name) {
      return words;
    }
  }
  AFTERSHOCK_ASSERT(false);
  return kAll.front();
}

const PolicyInfo& policy_info(const Profile& profile) { return vocabulary(profile).info; }

}  // namespace aftershock::policies::ray_train
