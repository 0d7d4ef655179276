package world

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Pods is the resource of pods.
var Pods = corev1.SchemeGroupVersion.WithResource("pods")

// Reasons of the condition DisruptionTarget, by who deletes the pod.
const (
	ByTaint   = "DeletionByTaintManager"
	ByPodGC   = "DeletionByPodGC"
	ByKubelet = corev1.PodReasonTerminationByKubelet
)

// IsTerminal says whether the pod has ended, in whatever way.
func IsTerminal(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

// PodsOf are all pods of a namespace, in the order of their names.
func (store *Store) PodsOf(namespace string) []*corev1.Pod {
	pods := []*corev1.Pod{}
	for _, object := range store.All(Pods, namespace) {
		pods = append(pods, object.(*corev1.Pod))
	}
	return pods
}

// Kubelet changes a pod as its kubelet and the controllers of nodes do. A pod that is gone stays
// gone.
type Kubelet struct {
	Store     *Store
	Namespace string
	// Seen has controllers see the end of a pod before it is removed: its kubelet takes it away no
	// sooner than the API has told it of that phase, and the collector of pods fails it first. Nil
	// where they act on pods later in any case.
	Seen func()
}

func (kubelet Kubelet) change(name string, change func(*corev1.Pod)) {
	// The pod may be gone by now, which is what most changes lead to.
	_, _ = kubelet.Store.Change(Pods, kubelet.Namespace, name, func(object Object) {
		change(object.(*corev1.Pod))
	})
}

func (kubelet Kubelet) see() {
	if kubelet.Seen != nil {
		kubelet.Seen()
	}
}

// Bind gives the pod its node.
func (kubelet Kubelet) Bind(name, node string) {
	kubelet.change(name, func(pod *corev1.Pod) { pod.Spec.NodeName = node })
}

// Run says that the pod runs and is ready.
func (kubelet Kubelet) Run(name string) {
	kubelet.change(name, func(pod *corev1.Pod) {
		now := Now()
		pod.Status.Phase = corev1.PodRunning
		pod.Status.StartTime = &now
		setCondition(pod, corev1.PodReady, "")
		pod.Status.ContainerStatuses = containers(pod, corev1.ContainerState{
			Running: &corev1.ContainerStateRunning{StartedAt: now}}, true)
	})
}

// End says that the pod's containers ended with this code.
func (kubelet Kubelet) End(name string, code int32) {
	kubelet.change(name, func(pod *corev1.Pod) { end(pod, &code) })
}

// Restart says that the pod's containers ended with this code and were started again.
func (kubelet Kubelet) Restart(name string, code int32) {
	kubelet.change(name, func(pod *corev1.Pod) {
		now := Now()
		statuses := containers(pod, corev1.ContainerState{
			Running: &corev1.ContainerStateRunning{StartedAt: now}}, true)
		for at := range statuses {
			if at < len(pod.Status.ContainerStatuses) {
				statuses[at].RestartCount = pod.Status.ContainerStatuses[at].RestartCount
			}
			statuses[at].RestartCount++
			statuses[at].LastTerminationState = corev1.ContainerState{
				Terminated: &corev1.ContainerStateTerminated{ExitCode: code, FinishedAt: now}}
		}
		pod.Status.Phase, pod.Status.ContainerStatuses = corev1.PodRunning, statuses
	})
}

// Disrupt says that the pod was deleted for this reason, and that it has failed where `failed`,
// with no code that anybody saw.
func (kubelet Kubelet) Disrupt(name, reason string, failed bool) {
	kubelet.change(name, func(pod *corev1.Pod) {
		setCondition(pod, corev1.DisruptionTarget, reason)
		if failed && !IsTerminal(pod) {
			end(pod, nil)
		}
	})
}

// Evict deletes the pod of a node that is not reached: it is left alone for no longer.
func (kubelet Kubelet) Evict(name string) {
	options := metav1.DeleteOptions{}
	if pod := kubelet.Store.Find(Pods, kubelet.Namespace, name); pod != nil {
		id := pod.GetUID()
		options.Preconditions = &metav1.Preconditions{UID: &id}
	}
	kubelet.Disrupt(name, ByTaint, false)
	kubelet.see()
	// The pod may be gone by now, and another one have its name.
	_ = kubelet.Store.Delete(Pods, kubelet.Namespace, name, options)
}

// Remove takes a pod that was deleted away, once nothing of it is left.
func (kubelet Kubelet) Remove(name string) {
	kubelet.see()
	none := int64(0)
	_ = kubelet.Store.Delete(Pods, kubelet.Namespace, name,
		metav1.DeleteOptions{GracePeriodSeconds: &none})
}

func end(pod *corev1.Pod, code *int32) {
	pod.Status.Phase = corev1.PodFailed
	if code != nil && *code == 0 {
		pod.Status.Phase = corev1.PodSucceeded
	}
	notReady(pod)
	if code == nil {
		return
	}
	now := Now()
	pod.Status.ContainerStatuses = containers(pod, corev1.ContainerState{
		Terminated: &corev1.ContainerStateTerminated{ExitCode: *code, FinishedAt: now}}, false)
}

// notReady says that the pod is ready no more, by which a controller knows when it ended whose
// containers nobody saw end.
func notReady(pod *corev1.Pod) {
	for at := range pod.Status.Conditions {
		condition := &pod.Status.Conditions[at]
		if condition.Type == corev1.PodReady && condition.Status != corev1.ConditionFalse {
			condition.Status, condition.LastTransitionTime = corev1.ConditionFalse, Now()
		}
	}
}

func containers(pod *corev1.Pod, state corev1.ContainerState, ready bool) []corev1.ContainerStatus {
	statuses := []corev1.ContainerStatus{}
	for _, container := range pod.Spec.Containers {
		statuses = append(statuses,
			corev1.ContainerStatus{Name: container.Name, State: state, Ready: ready})
	}
	return statuses
}

func setCondition(pod *corev1.Pod, kind corev1.PodConditionType, reason string) {
	pod.Status.Conditions = append(without(pod.Status.Conditions, kind), corev1.PodCondition{
		Type: kind, Status: corev1.ConditionTrue, Reason: reason, LastTransitionTime: Now()})
}

func without(conditions []corev1.PodCondition, kind corev1.PodConditionType) []corev1.PodCondition {
	kept := []corev1.PodCondition{}
	for _, condition := range conditions {
		if condition.Type != kind {
			kept = append(kept, condition)
		}
	}
	return kept
}

// Deadline is when a pod that is being deleted is killed; the zero time where it is not.
func Deadline(pod *corev1.Pod) time.Time {
	if pod.DeletionTimestamp == nil {
		return time.Time{}
	}
	return pod.DeletionTimestamp.Time
}
