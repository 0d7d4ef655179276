package gang

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"aftershock.dev/hosts/kubernetes/messages"
)

// Delays of a kubelet before it starts a container again: none at first, then these, doubled each
// time, until the container has run for twice the longest.
const (
	firstDelayUs   = 10_000_000
	longestDelayUs = 300_000_000
)

// container is one that has ended and is started again in its pod.
type container struct {
	Pod     types.UID `json:"pod"`
	Down    bool      `json:"down"` // its process of this attempt has ended
	ReadyUs int64     `json:"ready_us"`
	DelayUs int64     `json:"delay_us"` // of the next time
}

// restarts says whether the kubelet starts containers of the pod again that fail.
func restarts(pod *corev1.Pod) bool {
	policy := pod.Spec.RestartPolicy
	return policy == corev1.RestartPolicyOnFailure || policy == corev1.RestartPolicyAlways
}

func (gang *Gang) containerOf(pod types.UID) *container {
	at := slices.IndexFunc(gang.containers, func(one container) bool { return one.Pod == pod })
	if at < 0 {
		return nil
	}
	return &gang.containers[at]
}

// isDown says whether the pod's process of this attempt has ended although the pod has not.
func (gang *Gang) isDown(pod types.UID) bool {
	one := gang.containerOf(pod)
	return one != nil && one.Down
}

// restart has the kubelet start the pod's container again, where its script waits for the others.
func (gang *Gang) restart(pod *corev1.Pod, code int32) {
	gang.kubelet.Restart(pod.Name, code)
	one := gang.containerOf(pod.UID)
	if one == nil {
		gang.containers = append(gang.containers, container{Pod: pod.UID})
		one = &gang.containers[len(gang.containers)-1]
	}
	if gang.nowUs-one.ReadyUs > 2*longestDelayUs {
		one.DelayUs = 0
	}
	one.Down, one.ReadyUs = true, gang.nowUs+one.DelayUs
	one.DelayUs = min(max(firstDelayUs, 2*one.DelayUs), longestDelayUs)
}

// Stalled says whether containers that were started again wait for pods that are to be made.
func (gang *Gang) Stalled() bool {
	return gang.state == live && slices.ContainsFunc(gang.containers,
		func(one container) bool { return one.Down })
}

// ready says whether the scripts in these pods have been started again.
func (gang *Gang) ready(waiting []found) bool {
	return !slices.ContainsFunc(waiting, func(one found) bool {
		return gang.containerOf(one.pod.UID).ReadyUs > gang.nowUs
	})
}

// again begins another attempt in containers that were started again, and in new pods for those
// that are gone, once all of them wait for each other.
func (gang *Gang) again(pods, waiting, deleted []found) bool {
	fresh := freshBySlot(pods)
	if len(waiting)+len(fresh) < gang.slots || len(deleted) > 0 || !gang.ready(waiting) {
		return false
	}
	gang.stop(graceUs(waiting), gang.ranksOfAll(fresh))
	return true
}

func (gang *Gang) ranksOfAll(slots map[int]found) messages.Ranks {
	ranks := messages.Ranks{}
	for slot := range gang.slots {
		if _, is := slots[slot]; is {
			ranks = append(ranks, gang.ranksOf(slot)...)
		}
	}
	return ranks
}
