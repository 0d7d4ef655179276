package hosting

import (
	"encoding/json"
	"testing/synctest"

	corev1 "k8s.io/api/core/v1"

	"aftershock.dev/hosts/kubernetes/messages"
	"aftershock.dev/hosts/kubernetes/world"
)

// Kept is what goes on from one process to the next: all objects of the cluster, what there is
// beside them, and what has been told.
type Kept struct {
	Store  json.RawMessage `json:"store"`
	Beside json.RawMessage `json:"beside"`
	Told   json.RawMessage `json:"told"`
}

// Keep writes what another process needs.
func Keep(store *world.Store, beside json.RawMessage, told any) json.RawMessage {
	objects, err := store.Durable()
	Must(err)
	words, err := json.Marshal(told)
	Must(err)
	text, err := json.Marshal(Kept{objects, beside, words})
	Must(err)
	return text
}

// Are says whether there was a process before this one.
func (kept Kept) Are() bool { return len(kept.Store) > 0 }

// Restore puts the objects into the store, where its controllers see them come, and reads what has
// been told. Pods are gone unless `pods`.
func (kept Kept) Restore(store *world.Store, pods bool, told any) {
	// A controller begins when it knows all pods, and so they come first.
	for _, first := range []bool{true, false} {
		Must(store.Restore(kept.Store, func(object world.Object) bool {
			_, isPod := object.(*corev1.Pod)
			return isPod != first || isPod && !pods
		}))
		synctest.Wait()
	}
	Must(json.Unmarshal(kept.Told, told))
}

// Begin is how a run begins: the job's number and workers, its last attempt, and what was kept.
type Begin struct {
	Job, Epoch, Workers uint32
	Kept                Kept
}

// BeginOf finds a job's submission in a batch. False: there is none.
func BeginOf(batch messages.Batch) (Begin, bool) {
	begin, submitted := Begin{}, false
	for _, event := range batch.Events {
		switch event.Type {
		case "controller_started":
			begin.Job, begin.Epoch = event.Job, event.Epoch
			if event.Durable != "" {
				Must(json.Unmarshal([]byte(event.Durable), &begin.Kept))
			}
		case "job_submitted":
			begin.Workers, submitted = event.Workers, true
		}
	}
	return begin, submitted
}
