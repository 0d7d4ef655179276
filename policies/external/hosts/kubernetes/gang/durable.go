package gang

import (
	"encoding/json"
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"aftershock.dev/hosts/kubernetes/messages"
)

// memory is what the simulator's side of the gang is, beside the pods that the cluster has.
type memory struct {
	Epoch         uint32               `json:"epoch"`
	Running       bool                 `json:"running"`
	Unmet         bool                 `json:"unmet"`
	Members       []member             `json:"members"`
	Absent        []lost               `json:"absent"`
	Containers    []container          `json:"containers,omitempty"`
	Causes        map[types.UID]string `json:"causes"`
	CommandID     uint64               `json:"command"`
	LastFailureUs int64                `json:"last_failure_us"`
}

// Durable is what a process after this one has to know.
func (gang *Gang) Durable() json.RawMessage {
	// Nothing in it can fail to be written.
	text, _ := json.Marshal(memory{gang.epoch, gang.running, gang.unmet, gang.members, gang.absent,
		gang.containers, gang.causes, gang.commandID, gang.lastFailureUs})
	return text
}

// Restore takes up what the process before this one left, or else no more than the number of its
// last attempt.
func (gang *Gang) Restore(text json.RawMessage, job, epoch uint32) error {
	gang.job, gang.epoch = job, epoch
	if len(text) == 0 {
		return nil
	}
	var kept memory
	if err := json.Unmarshal(text, &kept); err != nil {
		return err
	}
	gang.epoch = max(epoch, kept.Epoch)
	gang.running, gang.unmet = kept.Running, kept.Unmet
	gang.members, gang.absent, gang.causes = kept.Members, kept.Absent, kept.Causes
	gang.containers = kept.Containers
	gang.commandID, gang.lastFailureUs = kept.CommandID, kept.LastFailureUs
	if slices.ContainsFunc(gang.members, func(one member) bool { return one.Name != "" }) {
		gang.state = live
	}
	if gang.causes == nil {
		gang.causes = map[types.UID]string{}
	}
	return nil
}

// GoOn says after Restore whether processes are still there. Where they are not, their pods are
// gone with them: all of the gang's, and nobody has seen them fail.
func (gang *Gang) GoOn(events []messages.Event) bool {
	gang.finished = map[uint32]bool{}
	on := gang.state == live && slices.ContainsFunc(events, func(event messages.Event) bool {
		return event.Type == "attempt_running" && event.Epoch == gang.epoch
	})
	if !on {
		gang.absent, gang.running = nil, false
	}
	return on
}
