#pragma once

#include <string_view>

// Rules that Jobs and JobSets share for the pods that they have in common.
namespace aftershock::policies::job {

inline constexpr std::string_view kRestoredSays =
    "The controller came back: counts are the object's status, and pods that run are left alone";
inline constexpr std::string_view kRunningSays = "Every pod runs, and the gang has met";
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
inline constexpr std::string_view kGangSource =
    "reading: what a gang makes of pods that are replaced one by one";

}  // namespace aftershock::policies::job
