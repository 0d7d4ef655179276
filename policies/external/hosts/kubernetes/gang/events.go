package gang

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"aftershock.dev/hosts/kubernetes/messages"
	"aftershock.dev/hosts/kubernetes/world"
)

// Exit codes as a kubelet shows them.
const (
	aborted    = 134 // by a watchdog of collectives
	killed     = 137
	terminated = 143
	withNode   = 255 // the runtime knows no other
)

// evictedAfter is how long a pod stays on a node that is not reached, where it says nothing else.
const evictedAfter = 300 * time.Second

const unreachable = "node.kubernetes.io/unreachable"

// Hear changes pods as the event has it. False: it is about nothing that is there.
func (gang *Gang) Hear(event messages.Event) bool {
	current := gang.state == live && event.Epoch == gang.epoch
	switch event.Type {
	case "attempt_running":
		return current && gang.met()
	case "attempt_start_failed":
		return current && gang.startFailed(event)
	case "workers_failed":
		return current && gang.failed(event)
	case "workers_finished":
		return current && gang.returned(event)
	case "workers_stopped":
		was := gang.state
		gang.stopped(event)
		return was != gang.state
	case "node_unreachable":
		return gang.nodeLost(event)
	case "node_joined":
		return gang.nodeJoined(event)
	}
	return false
}

// Ran says that the attempt has met by now.
func (gang *Gang) Ran() {
	if gang.state == live && !gang.unmet {
		gang.met()
	}
}

func (gang *Gang) met() bool {
	gang.running = true
	gang.run(gang.pods())
	return true
}

func (gang *Gang) startFailed(event messages.Event) bool {
	if event.Stage == "cluster_check" || event.Stage == "placement" {
		return false // pods stay Pending for as long as no node takes them
	}
	ranks := event.Ranks
	if len(ranks) == 0 {
		ranks = messages.Range(0, gang.workers)
	}
	gang.unmet = true
	// Nobody tells of the end of those whose node is not reached.
	return gang.endSlots(slices.DeleteFunc(gang.slotsOf(ranks), func(slot int) bool {
		return gang.isAbsent(gang.members[slot].UID)
	}), 1, "application")
}

func (gang *Gang) failed(event messages.Event) bool {
	slots := gang.slotsOf(event.Ranks)
	switch {
	case event.Kind == "node_lost" && event.Preempted:
		return gang.disrupt(slots, world.ByKubelet, "preemption")
	case event.Kind == "node_lost":
		return gang.lose(slots, false)
	}
	return gang.endSlots(slots, exitCode(event), causeOf(event))
}

// causeOf is why the process failed, in the words of charges.
func causeOf(event messages.Event) string {
	switch {
	case event.Preempted:
		return "preemption"
	case event.Kind == "accelerator_fault":
		return "device"
	case event.Kind == "collective_timeout":
		return "hang"
	}
	return "application"
}

// exitCode is that of the container whose process failed so.
func exitCode(event messages.Event) int32 {
	switch {
	case event.ExitCode != 0:
		return event.ExitCode
	case event.Kind == "out_of_memory":
		return killed
	case event.Kind == "collective_timeout":
		return aborted
	}
	return 1
}

// endSlots ends the pods of the attempt in these slots. False: they had all ended.
func (gang *Gang) endSlots(slots []int, code int32, cause string) bool {
	changed := false
	for _, one := range gang.pods() {
		if !one.member || !slices.Contains(slots, one.slot) || world.IsTerminal(one.pod) ||
			gang.isDown(one.pod.UID) {
			continue
		}
		changed = true
		gang.note(one.slot, one.pod.UID, cause)
		switch {
		case one.pod.DeletionTimestamp != nil:
			gang.remove(one.pod.Name, code)
		case restarts(one.pod):
			gang.restart(one.pod, code)
		default:
			gang.kubelet.End(one.pod.Name, code)
		}
		gang.forget(one)
	}
	return changed
}

// remove takes away a pod that was deleted and whose process has ended.
func (gang *Gang) remove(name string, code int32) {
	gang.kubelet.End(name, code)
	gang.kubelet.Remove(name)
}

func (gang *Gang) disrupt(slots []int, reason, cause string) bool {
	changed := false
	for _, one := range gang.pods() {
		if one.member && slices.Contains(slots, one.slot) && !world.IsTerminal(one.pod) {
			changed = true
			gang.note(one.slot, one.pod.UID, cause)
			gang.kubelet.Disrupt(one.pod.Name, reason, true)
			gang.forget(one)
		}
	}
	return changed
}

func (gang *Gang) returned(event messages.Event) bool {
	for _, rank := range event.Ranks {
		gang.finished[rank] = true
	}
	for _, slot := range gang.slotsOf(event.Ranks) {
		if !slices.ContainsFunc(gang.ranksOf(slot), func(rank uint32) bool {
			return !gang.finished[rank]
		}) {
			gang.kubelet.End(gang.members[slot].Name, 0)
		}
	}
	return true
}

func (gang *Gang) nodeLost(event messages.Event) bool {
	slots := gang.slotsOf(event.Ranks)
	switch {
	case len(slots) == 0:
		return false
	case event.Removed:
		return gang.takeAway(slots, func(one lost) {
			if !one.Evicted {
				gang.note(one.Slot, one.Member.UID, "node")
			}
			gang.kubelet.Disrupt(one.Member.Name, world.ByPodGC, true)
			if gang.there(one.Member) {
				gang.kubelet.Evict(one.Member.Name)
			}
			if gang.there(one.Member) { // and not another one of its name
				gang.kubelet.Remove(one.Member.Name)
			}
		})
	case gang.state != live:
		return false
	case event.Preempted:
		return gang.disrupt(slots, world.ByKubelet, "preemption")
	}
	return gang.lose(slots, event.Stays)
}

// lose notes that the node of these pods is not reached. They are left alone for as long as they
// tolerate that.
func (gang *Gang) lose(slots []int, stays bool) bool {
	fresh := false
	for at, one := range gang.absent {
		if slices.Contains(slots, one.Slot) && one.Member == gang.members[one.Slot] {
			gang.absent[at].Stays = one.Stays || stays
		}
	}
	for _, one := range gang.pods() {
		if !one.member || !slices.Contains(slots, one.slot) || world.IsTerminal(one.pod) ||
			gang.isAbsent(one.pod.UID) {
			continue
		}
		fresh = true
		gang.absent = append(gang.absent, lost{Slot: one.slot, Member: gang.members[one.slot],
			DueUs: gang.nowUs + tolerated(one.pod).Microseconds(), Stays: stays})
	}
	return fresh
}

// there says whether the pod is there still.
func (gang *Gang) there(pod member) bool {
	object := gang.kubelet.Store.Find(world.Pods, gang.kubelet.Namespace, pod.Name)
	return object != nil && object.GetUID() == pod.UID
}

func tolerated(pod *corev1.Pod) time.Duration {
	for _, toleration := range pod.Spec.Tolerations {
		if toleration.Key == unreachable && toleration.TolerationSeconds != nil {
			return time.Duration(*toleration.TolerationSeconds) * time.Second
		}
	}
	return evictedAfter
}

func (gang *Gang) forget(one found) {
	gang.absent = slices.DeleteFunc(gang.absent, func(other lost) bool {
		return other.Member.UID == one.pod.UID
	})
}

// takeAway ends the absence of the pods in these slots, and hands each to `then`.
func (gang *Gang) takeAway(slots []int, then func(lost)) bool {
	taken := []lost{}
	gang.absent = slices.DeleteFunc(gang.absent, func(one lost) bool {
		is := slices.Contains(slots, one.Slot)
		if is {
			taken = append(taken, one)
		}
		return is
	})
	for _, one := range taken {
		if one.Evicted && gang.FailsWhenGone {
			gang.note(one.Slot, one.Member.UID, "node")
		}
		then(one)
	}
	return len(taken) > 0
}

// nodeJoined: the kubelet is back. It ends what was deleted, and says what has ended with the node.
func (gang *Gang) nodeJoined(event messages.Event) bool {
	return gang.takeAway(gang.slotsOf(event.Ranks), func(one lost) {
		object := gang.kubelet.Store.Find(world.Pods, gang.kubelet.Namespace, one.Member.Name)
		if object == nil {
			return
		}
		deleted := object.GetDeletionTimestamp() != nil
		code := int32(withNode)
		if event.Alive {
			code = killed
		}
		switch {
		case deleted:
			gang.remove(one.Member.Name, code)
		case !event.Alive:
			gang.note(one.Slot, one.Member.UID, "node")
			gang.kubelet.End(one.Member.Name, code)
		}
	})
}

// Pass does what has come due by now: evictions, and the end of pods whose grace is over.
func (gang *Gang) Pass(nowUs int64) {
	gang.nowUs, gang.firstCause = nowUs, ""
	for at := range gang.absent {
		if one := &gang.absent[at]; !one.Evicted && one.DueUs <= nowUs {
			one.Evicted = true
			gang.blame(one.Member.UID, "node")
			if !one.Stays || !gang.FailsWhenGone {
				gang.note(one.Slot, one.Member.UID, "node")
			}
			gang.kubelet.Evict(one.Member.Name)
			if !one.Stays { // its kubelet is gone for good: the collector of pods fails it
				gang.kubelet.Disrupt(one.Member.Name, world.ByTaint, true)
			}
		}
	}
	gang.absent = slices.DeleteFunc(gang.absent, func(one lost) bool {
		if one.Evicted && !one.Stays && gang.there(one.Member) {
			gang.kubelet.Remove(one.Member.Name)
		}
		return one.Evicted && !one.Stays
	})
	if gang.state == live {
		for _, one := range gang.pods() {
			deadline := world.Deadline(one.pod)
			if one.member && !deadline.IsZero() && !world.IsTerminal(one.pod) &&
				!gang.isAbsent(one.pod.UID) && !deadline.After(time.Now()) {
				gang.remove(one.pod.Name, killed)
			}
		}
	}
}

// WakeUs is when something is due, as Pass does it; nil where nothing is. `at` turns a time of the
// cluster into one of the simulator.
func (gang *Gang) WakeUs(at func(time.Time) int64) *int64 {
	var wake *int64
	due := func(us int64) {
		if wake == nil || us < *wake {
			wake = &us
		}
	}
	for _, one := range gang.absent {
		if !one.Evicted {
			due(one.DueUs)
		}
	}
	if gang.state == live {
		for _, one := range gang.pods() {
			if deadline := world.Deadline(one.pod); one.member && !deadline.IsZero() &&
				!gang.isAbsent(one.pod.UID) {
				due(at(deadline))
			}
		}
		for _, one := range gang.containers {
			if one.Down && one.ReadyUs > gang.nowUs {
				due(one.ReadyUs)
			}
		}
	}
	return wake
}
