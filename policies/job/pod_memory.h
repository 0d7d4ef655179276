#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "policies/api/decision.h"
#include "policies/job/spec.h"
#include "policies/job/status.h"

// Jobs and their pods as the API server has them: all that survives a controller.
namespace aftershock::policies::job {

/// A Job, and which of the gang's pods are its.
struct Child {
  Spec spec{};
  std::string name{};      ///< of the replicated job it is one of; empty for a Job by itself
  std::string object{};    ///< its own name, with its namespace
  std::uint32_t pods = 0;  ///< 0: its share of all
};

/// Pods that have ended and that their Job has not looked at.
struct UnseenPods {
  RankSet pods{};
  TimeUs at_us = 0;
  std::optional<std::int32_t> exit_code{};
  bool disrupted = false;
  std::uint32_t cause = 0;  ///< a ChargeCause
  static constexpr auto fields(auto list) {
    return list(field("pods", &UnseenPods::pods), field("at_us", &UnseenPods::at_us),
                field("exit_code", &UnseenPods::exit_code),
                field("disrupted", &UnseenPods::disrupted), field("cause", &UnseenPods::cause));
  }
};

/// The condition FailureTarget: the Job is to be Failed when the last of its pods is gone.
struct FailureTarget {
  std::string reason{};
  std::string message{};
  std::uint32_t cause = 0;  ///< a ChargeCause
  static constexpr auto fields(auto list) {
    return list(field("reason", &FailureTarget::reason), field("message", &FailureTarget::message),
                field("cause", &FailureTarget::cause));
  }
};

/// A Job as an object.
struct JobObject {
  Status status{};
  std::optional<TimeUs> started_us{};  ///< status.startTime; none: there is none
  std::vector<UnseenPods> unseen{};
  /// Pods that are in its status when their index has another one: that has to know how often the
  /// index failed (canRemoveFinalizer, job_controller.go:1481).
  std::vector<UnseenPods> delayed{};
  std::optional<FailureTarget> target{};
  bool failed = false;
  bool complete = false;
  bool deleting = false;  ///< by its set, which makes it anew
  static constexpr auto fields(auto list) {
    return list(field("status", &JobObject::status), field("started_us", &JobObject::started_us),
                field("unseen", &JobObject::unseen), field("delayed", &JobObject::delayed),
                field("target", &JobObject::target), field("failed", &JobObject::failed),
                field("complete", &JobObject::complete), field("deleting", &JobObject::deleting));
  }
};

/// Pods to which something happens then.
struct DuePods {
  RankSet pods{};
  TimeUs due_us = 0;
  static constexpr auto fields(auto list) {
    return list(field("pods", &DuePods::pods), field("due_us", &DuePods::due_us));
  }
};

/// Each place of the gang has a pod of the attempt, or a fresh one that waits for the next, or
/// both.
struct PodMemory {
  Epoch epoch = 0;
  std::uint32_t workers = 0;
  std::vector<JobObject> jobs{};
  std::int64_t restarts = 0;      ///< of a JobSet, those that count
  std::int64_t in_place = 0;      ///< attempts of a set that restarts in place
  RankSet succeeded{};            ///< pods that ended well, of all Jobs
  RankSet fresh{};                ///< made anew, and in no attempt yet
  RankSet ended{};                ///< pods of the attempt that failed, or are gone
  RankSet deleted{};              ///< those that are being deleted, and still there
  RankSet unfailed{};             ///< those of them that fail when they are gone
  RankSet staying{};              ///< on lost nodes, and their objects outlive an eviction
  RankSet old{};                  ///< objects of pods of earlier attempts that are still there
  std::vector<DuePods> lost{};    ///< on nodes that are not reached, until they are evicted
  std::vector<DuePods> killed{};  ///< deleted, until their grace is over
  bool live = false;              ///< there is an attempt
  bool unmet = false;             ///< a start failed, and pods that are well wait for the others
  static constexpr auto fields(auto list) {
    return list(field("epoch", &PodMemory::epoch), field("workers", &PodMemory::workers),
                field("jobs", &PodMemory::jobs), field("restarts", &PodMemory::restarts),
                field("in_place", &PodMemory::in_place),
                sparse_field("succeeded", &PodMemory::succeeded),
                sparse_field("fresh", &PodMemory::fresh), sparse_field("ended", &PodMemory::ended),
                sparse_field("deleted", &PodMemory::deleted),
                sparse_field("unfailed", &PodMemory::unfailed),
                sparse_field("staying", &PodMemory::staying), sparse_field("old", &PodMemory::old),
                field("lost", &PodMemory::lost), field("killed", &PodMemory::killed),
                field("live", &PodMemory::live), field("unmet", &PodMemory::unmet));
  }
};

/// The knowledge of a controller about a Job beyond its objects. Another one after it does not have
/// it.
struct JobQueue {
  std::optional<TimeUs> sync_us{};       ///< when it looks at the Job next
  bool changed = false;                  ///< pods have, so that its status is to be written
  bool begun = false;                    ///< its first pods have been made
  std::uint32_t failures = 0;            ///< pods that failed since one succeeded (backoffRecord)
  TimeUs failed_us = 0;                  ///< the last of them
  std::optional<TimeUs> succeeded_us{};  ///< pods did, and it has not looked at them
  std::optional<TimeUs> delayed_us{};    ///< until then pods are not made anew
};

/// Why a Job is Failed.
struct ChildFailure {
  std::uint16_t at = 0;  ///< the event
  std::uint32_t child = 0;
  std::string reason{};  ///< as its condition has it
  std::string message{};
  ChargeCause cause = ChargeCause::kApplication;
};

/// Pods that one look has found failed, by their causes.
struct Tally {
  std::array<std::int64_t, 8> counted{};
  std::array<std::int64_t, 8> ignored{};
  std::uint64_t indexes_before = 0;
  std::uint32_t last_cause = 0;
};

}  // namespace aftershock::policies::job
