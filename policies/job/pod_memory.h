#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "policies/api/decision.h"
#include "policies/job/spec.h"
#include "policies/job/status.h"
#include "policies/pods/pod_objects.h"

// Jobs as the API server has them, and pods beside them: all that survives a controller.
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

/// All that a controller stores beside its pods.
struct PodMemory {
  Epoch epoch = 0;
  std::uint32_t workers = 0;
  std::vector<JobObject> jobs{};
  std::int64_t restarts = 0;  ///< of a JobSet, those that count
  std::int64_t in_place = 0;  ///< attempts of a set that restarts in place
};

/// The memory as it is stored, with the pods.
struct Stored : PodMemory, pods::PodObjects {
  static constexpr auto fields(auto list) {
    return list(field("epoch", &Stored::epoch), field("workers", &Stored::workers),
                field("jobs", &Stored::jobs), field("restarts", &Stored::restarts),
                field("in_place", &Stored::in_place), sparse_field("succeeded", &Stored::succeeded),
                sparse_field("fresh", &Stored::fresh), sparse_field("ended", &Stored::ended),
                sparse_field("deleted", &Stored::deleted),
                sparse_field("unfailed", &Stored::unfailed),
                sparse_field("staying", &Stored::staying), sparse_field("old", &Stored::old),
                field("lost", &Stored::lost), field("killed", &Stored::killed),
                field("live", &Stored::live), field("unmet", &Stored::unmet));
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
