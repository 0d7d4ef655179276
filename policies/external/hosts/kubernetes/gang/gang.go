// Package gang joins pods, which a controller makes and deletes one by one, with the simulator's
// attempts, which begin and end whole. It decides nothing about failures: pods that are there take
// part, and those that come while others still run wait for them as a rendezvous has them wait.
package gang

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"aftershock.dev/hosts/kubernetes/messages"
	"aftershock.dev/hosts/kubernetes/world"
)

// state is what the simulator has of the gang.
type state int

const (
	idle     state = iota // nothing
	live                  // an attempt that starts or runs
	stopping              // processes that are being ended
	kept                  // containers without processes
)

// node is the name of the node that a pod is bound to: controllers do not ask which it is.
const node = "node"

// member is a pod that takes part in the attempt.
type member struct {
	Name string    `json:"name"`
	UID  types.UID `json:"uid"`
}

// lost is a pod on a node that is not reached.
type lost struct {
	Slot    int    `json:"slot"`
	Member  member `json:"member"`
	DueUs   int64  `json:"due_us"` // when it is evicted
	Evicted bool   `json:"evicted"`
	Stays   bool   `json:"stays"` // its object outlives that
}

// Gang is the pods of one training job. Slots number the pods that it has when it is whole.
type Gang struct {
	kubelet world.Kubelet
	slots   int
	// slotOf is the place of a pod in the gang; pods are asked about in the order of their slots
	// and names.
	slotOf func(*corev1.Pod) int

	// FailsWhenGone has pods that are evicted fail when they are gone, and not before.
	FailsWhenGone bool

	job, epoch, workers uint32
	state               state
	running             bool // the attempt has met
	unmet               bool // its start failed: those that are well wait
	members             []member
	leaving             messages.Ranks // whose containers are not kept
	absent              []lost
	containers          []container
	finished            map[uint32]bool
	causes              map[types.UID]string
	commands            []messages.Command
	commandID           uint64
	nowUs               int64
	lastFailureUs       int64
	lastCause           string
	firstCause          string // since the time was passed last
	failures            []int  // by slot, since this process began
}

// New makes the gang of a job with so many pods.
func New(kubelet world.Kubelet, slots int, slotOf func(*corev1.Pod) int, workers uint32) *Gang {
	return &Gang{kubelet: kubelet, slots: slots, slotOf: slotOf, workers: workers,
		members: make([]member, slots), causes: map[types.UID]string{},
		failures: make([]int, slots)}
}

// Take gives all commands since the last time.
func (gang *Gang) Take() []messages.Command {
	commands := gang.commands
	gang.commands = nil
	return commands
}

// Ask adds a command for the job.
func (gang *Gang) Ask(command messages.Command) {
	gang.commandID++
	command.ID, command.Job = gang.commandID, gang.job
	gang.commands = append(gang.commands, command)
}

// Cause is why the pod ended, in the words of the messages.
func (gang *Gang) Cause(pod types.UID) string {
	if cause, known := gang.causes[pod]; known {
		return cause
	}
	return "application"
}

// Epoch is the number of the attempt.
func (gang *Gang) Epoch() uint32 { return gang.epoch }

// Workers is how many the job has.
func (gang *Gang) Workers() uint32 { return gang.workers }

// Short says whether a pod waits for its turn while others train.
func (gang *Gang) Short() bool {
	alive, waiting := false, false
	for _, one := range gang.pods() {
		ends := world.IsTerminal(one.pod) || one.pod.DeletionTimestamp != nil
		alive = alive || one.member && !ends
		waiting = waiting || one.fresh()
	}
	return gang.state == live && alive && waiting
}

// Live says whether there are processes that may show something.
func (gang *Gang) Live() bool { return gang.state == live }

// Moving says whether processes are being ended.
func (gang *Gang) Moving() bool { return gang.state == stopping }

// Whole says whether all pods run and none is missing.
func (gang *Gang) Whole() bool {
	if !gang.running || gang.state != live || len(gang.absent) > 0 {
		return false
	}
	well := 0
	for _, one := range gang.pods() {
		if one.member && one.pod.DeletionTimestamp == nil &&
			one.pod.Status.Phase != corev1.PodFailed && !gang.isDown(one.pod.UID) {
			well++
		}
	}
	return well == gang.slots
}

// LastFailureUs is when a pod last failed, zero where none has.
func (gang *Gang) LastFailureUs() int64 { return gang.lastFailureUs }

// Starting says whether an attempt is on its way.
func (gang *Gang) Starting() bool { return gang.state == live && !gang.running && !gang.unmet }

// Unmet says whether an attempt could not start and those that are well wait for the others.
func (gang *Gang) Unmet() bool { return gang.unmet }

// Failures is how many pods have failed since this process began, or the most of one place.
func (gang *Gang) Failures(ofOne bool) int {
	all, most := 0, 0
	for _, failures := range gang.failures {
		all, most = all+failures, max(most, failures)
	}
	if ofOne {
		return most
	}
	return all
}

// LastCause is why the last pod failed.
func (gang *Gang) LastCause() string {
	if gang.lastCause == "" {
		return "application"
	}
	return gang.lastCause
}

// FirstCause is why the first pod failed since Pass was called, or else the last one.
func (gang *Gang) FirstCause() string {
	if gang.firstCause == "" {
		return gang.LastCause()
	}
	return gang.firstCause
}

// BeginAnew forgets failures: other pods are made by somebody who does not know of these.
func (gang *Gang) BeginAnew() { gang.failures = make([]int, gang.slots) }

// blame keeps in mind why the pod fails, when it does.
func (gang *Gang) blame(pod types.UID, cause string) {
	gang.causes[pod], gang.lastCause = cause, cause
	if gang.firstCause == "" {
		gang.firstCause = cause
	}
}

// note keeps in mind that the pod has failed.
func (gang *Gang) note(slot int, pod types.UID, cause string) {
	gang.blame(pod, cause)
	gang.lastFailureUs = gang.nowUs
	gang.failures[slot]++
}

// found is a pod with its place.
type found struct {
	pod    *corev1.Pod
	slot   int
	member bool // of the attempt
}

// fresh says that no attempt has had the pod yet.
func (one found) fresh() bool {
	return one.pod.Spec.NodeName == "" && one.pod.DeletionTimestamp == nil &&
		!world.IsTerminal(one.pod)
}

// pods are all that have a place, by slot and name.
func (gang *Gang) pods() []found {
	pods := []found{}
	for _, pod := range gang.kubelet.Store.PodsOf(gang.kubelet.Namespace) {
		slot := gang.slotOf(pod)
		if slot >= 0 && slot < gang.slots {
			pods = append(pods, found{pod, slot, gang.members[slot].UID == pod.UID})
		}
	}
	slices.SortStableFunc(pods, func(one, other found) int { return one.slot - other.slot })
	return pods
}

// perPod is how many ranks a pod has.
func (gang *Gang) perPod() uint32 { return max(1, gang.workers/uint32(gang.slots)) }

// slotsOf are the pods that have some of the ranks.
func (gang *Gang) slotsOf(ranks messages.Ranks) []int {
	slots := []int{}
	for _, rank := range ranks {
		slot := min(int(rank/gang.perPod()), gang.slots-1)
		if !slices.Contains(slots, slot) {
			slots = append(slots, slot)
		}
	}
	return slots
}

// ranksOf are all ranks of a pod.
func (gang *Gang) ranksOf(slot int) messages.Ranks {
	first := uint32(slot) * gang.perPod()
	if slot == gang.slots-1 {
		return messages.Range(first, gang.workers)
	}
	return messages.Range(first, first+gang.perPod())
}

// isAbsent says whether the pod is on a node that is not reached.
func (gang *Gang) isAbsent(pod types.UID) bool {
	return slices.ContainsFunc(gang.absent, func(one lost) bool { return one.Member.UID == pod })
}
