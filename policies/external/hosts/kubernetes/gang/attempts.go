package gang

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"aftershock.dev/hosts/kubernetes/messages"
	"aftershock.dev/hosts/kubernetes/world"
)

// Advance begins and ends attempts, as the pods that are there want it. True: it did something, so
// that the controllers may have something to say to it.
func (gang *Gang) Advance() bool {
	switch gang.state {
	case idle:
		return gang.begin()
	case kept:
		return gang.recreate()
	case live:
		return gang.endMembers()
	}
	return false
}

// freshBySlot is a pod for each slot that has one which no attempt has had.
func freshBySlot(pods []found) map[int]found {
	fresh := map[int]found{}
	for _, one := range pods {
		if one.fresh() {
			fresh[one.slot] = one
		}
	}
	return fresh
}

// begin starts an attempt when there is a pod for each place.
func (gang *Gang) begin() bool {
	fresh := freshBySlot(gang.pods())
	if len(fresh) < gang.slots {
		return false
	}
	gang.join(fresh)
	gang.Ask(messages.Command{Type: "start_attempt", Epoch: gang.epoch, Workers: gang.workers})
	return true
}

// recreate starts an attempt in the containers that were kept and in new pods for all others. Where
// pods were deleted meanwhile all containers go.
func (gang *Gang) recreate() bool {
	pods := gang.pods()
	fresh := freshBySlot(pods)
	if kept := gang.keptOf(pods); len(kept)+len(fresh) < gang.slots {
		gang.stop(graceUs(pods), nil)
		return true
	}
	gang.join(fresh)
	if len(gang.leaving) == 0 {
		gang.Ask(messages.Command{Type: "restart_processes", Epoch: gang.epoch})
	} else {
		gang.Ask(messages.Command{Type: "recreate_pods", Epoch: gang.epoch, Ranks: gang.leaving})
	}
	gang.leaving = nil
	return true
}

// keptOf are the pods of the attempt that are there and stay.
func (gang *Gang) keptOf(pods []found) []found {
	return slices.DeleteFunc(slices.Clone(pods), func(one found) bool {
		return !one.member || one.pod.DeletionTimestamp != nil || world.IsTerminal(one.pod)
	})
}

func (gang *Gang) join(fresh map[int]found) {
	gang.epoch++
	gang.state, gang.running, gang.unmet = live, false, false
	gang.finished = map[uint32]bool{}
	for at := range gang.containers {
		gang.containers[at].Down = false
	}
	for slot, one := range fresh {
		gang.members[slot] = member{one.pod.Name, one.pod.UID}
	}
	for slot := range gang.slots {
		if one, is := fresh[slot]; is {
			gang.kubelet.Bind(one.pod.Name, node)
		}
	}
}

// Waiting are the pods that wait for an attempt while others are still in one, by their names.
func (gang *Gang) Waiting() []string {
	names := []string{}
	if gang.state != live || gang.Starting() {
		return names
	}
	for _, one := range gang.pods() {
		if one.fresh() && one.pod.Status.Phase == corev1.PodPending {
			names = append(names, one.pod.Name)
		}
	}
	return names
}

// endMembers ends processes whose pods were deleted, and the attempt when nobody is left in it.
func (gang *Gang) endMembers() bool {
	pods := gang.pods()
	alive, waiting, deleted := []found{}, []found{}, []found{}
	succeeded := 0
	for _, one := range pods {
		if !one.member {
			continue
		}
		switch {
		case one.pod.Status.Phase == corev1.PodSucceeded:
			succeeded++
		case world.IsTerminal(one.pod) || gang.isEvicted(one):
		case one.pod.DeletionTimestamp != nil:
			deleted = append(deleted, one)
		case gang.isDown(one.pod.UID):
			waiting = append(waiting, one)
		default:
			alive = append(alive, one)
		}
	}
	switch {
	case succeeded == gang.slots:
		return false
	case len(alive) == 0 && len(waiting) == 0:
		gang.stop(graceUs(deleted), nil)
		return true
	case len(alive) == 0:
		return gang.again(pods, waiting, deleted)
	case (gang.unmet || gang.Starting() && len(freshBySlot(pods)) > 0) && gang.ready(waiting):
		return gang.mend(pods, append(alive, waiting...), deleted)
	}
	return false
}

// isEvicted says that nobody waits for the pod any more: its node is not reached, and it was
// deleted.
func (gang *Gang) isEvicted(one found) bool {
	return one.pod.DeletionTimestamp != nil && gang.isAbsent(one.pod.UID)
}

// mend has an attempt that did not meet begin again once there are pods for those that failed, or
// that were evicted on the way: until then the others wait for them.
func (gang *Gang) mend(pods, alive, deleted []found) bool {
	fresh := freshBySlot(pods)
	if len(alive)+len(fresh) < gang.slots || len(deleted) > 0 ||
		slices.ContainsFunc(alive, func(one found) bool { return gang.isAbsent(one.pod.UID) }) {
		return false
	}
	gang.stop(graceUs(alive), gang.ranksOfAll(fresh))
	gang.run(alive) // containers that are kept are up, and have waited for the others
	return true
}

// run brings the containers up of those pods that have waited for them.
func (gang *Gang) run(pods []found) {
	for _, one := range pods {
		if one.member && one.pod.Status.Phase == corev1.PodPending {
			gang.kubelet.Run(one.pod.Name)
		}
	}
}

// stop ends all processes; containers are kept but for those of `leaving`, where it is given.
func (gang *Gang) stop(grace int64, leaving messages.Ranks) {
	gang.state, gang.running, gang.unmet = stopping, false, false
	gang.leaving = leaving
	gang.Ask(messages.Command{Type: "stop_workers", Epoch: gang.epoch, GraceUs: &grace,
		KeepContainers: leaving != nil, Leaving: leaving})
}

// graceUs is the longest time that one of the pods may take to end.
func graceUs(pods []found) int64 {
	longest := int64(0)
	for _, one := range pods {
		if grace := one.pod.Spec.TerminationGracePeriodSeconds; grace != nil {
			longest = max(longest, *grace*1_000_000)
		}
	}
	return longest
}

// stopped takes in that the processes have ended, and those pods with them that were deleted.
func (gang *Gang) stopped(event messages.Event) {
	if gang.state != stopping || event.Epoch != gang.epoch {
		return
	}
	if gang.leaving != nil {
		gang.state = kept
		return
	}
	gang.state = idle
	for _, one := range gang.pods() {
		if one.member && one.pod.DeletionTimestamp != nil && !gang.isAbsent(one.pod.UID) {
			gang.remove(one.pod.Name, terminated)
		}
	}
	gang.members = slices.Repeat([]member{{}}, gang.slots)
}
