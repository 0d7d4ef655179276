#pragma once

#include <string_view>

// Rules that Jobs and JobSets share for the pods that they have in common.
namespace aftershock::policies::job {

inline constexpr std::string_view kRestoredSays =
    "The controller came back: counts are the object's status, and pods that run are left alone";
inline constexpr std::string_view kRunningSays = "Every pod runs, and the gang has met";
inline constexpr std::string_view kPodEndedSays =
    "Pods have failed: the controller hears of it, and looks at their Job 1 s after the first "
    "event "
    "that it has not seen";
inline constexpr std::string_view kFailureTargetSays =
    "The Job is to be Failed (FailureTarget): its active pods are deleted and count, those that "
    "wait "
    "for a gang, too, and it is Failed when the last one is gone";
inline constexpr std::string_view kRecreateSays =
    "A delay is over, 10 s, 20 s, 40 s, ... up to 10 min from the whole second in which the last "
    "pod "
    "failed: pods that are missing are made anew, and wait for the others";
inline constexpr std::string_view kAllEndedSays =
    "No pod of the attempt is left that has not ended or been deleted: its processes are stopped";
inline constexpr std::string_view kJoinedSays =
    "Each place has a pod again, where the others have not ended: containers stay, and run their "
    "script again with the new ones";
inline constexpr std::string_view kStartedSays =
    "There is a new pod for each place that lacked one: all start together";
inline constexpr std::string_view kStoppedSays =
    "The old processes are gone, and new pods are not all there yet";
inline constexpr std::string_view kIndexMissingSays =
    "The others are made anew and wait for a peer that does not come again";
inline constexpr std::string_view kNodeUnreachableSays =
    "Pods on a node that is not reached are left alone for tolerationSeconds";
inline constexpr std::string_view kEvictedSays =
    "tolerationSeconds are over: the pods are evicted, which is a failure with the condition "
    "DisruptionTarget";
inline constexpr std::string_view kReachedAgainSays =
    "The node is reached again before tolerationSeconds are over: its pods are not evicted";
inline constexpr std::string_view kTerminatingSays =
    "tolerationSeconds are over: the pods are deleted, and stay as objects, Terminating, until "
    "their kubelet is back or the objects are removed";
inline constexpr std::string_view kObjectsGoneSays =
    "Pods of a lost node are gone: its kubelet is back and ended them, or their objects were "
    "removed";
inline constexpr std::string_view kNotCurrentSays =
    "The event is about pods that are gone, or says nothing new";
inline constexpr std::string_view kCommandFailedSays =
    "A command could not be carried out as asked";

inline constexpr std::string_view kEvictionSource =
    "Kubernetes documentation, Taints and Tolerations: taint based evictions";
inline constexpr std::string_view kObjectSource =
    "pkg/controller/job/job_controller.go: onlyReplaceFailedPods; "
    "pkg/controller/podgc/gc_controller.go";
inline constexpr std::string_view kSyncSource =
    "Kubernetes 1.36.3, pkg/controller/job/job_controller.go:73, SyncJobBatchPeriod";
inline constexpr std::string_view kFailureTargetSource =
    "Kubernetes 1.36.3, pkg/controller/job/job_controller.go:1122, :1379 and :1642";
inline constexpr std::string_view kDelaySource =
    "Kubernetes 1.36.3, pkg/controller/job/backoff_utils.go:257; job_controller.go:77, :79, :1850";
inline constexpr std::string_view kGangSource =
    "reading: what a gang makes of pods that are replaced one by one";

}  // namespace aftershock::policies::job
