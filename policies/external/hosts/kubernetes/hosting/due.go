package hosting

import (
	"testing/synctest"

	"aftershock.dev/hosts/kubernetes/gang"
	"aftershock.dev/hosts/kubernetes/world"
)

const secondUs = 1_000_000

// Due finds the next moment at which a run has to look again.
type Due struct {
	NowUs  int64
	WakeUs *int64

	quietUs int64 // from then on nobody does anything by itself
}

// At adds a moment; nil and moments that have passed are none.
func (due *Due) At(at *int64) {
	if at == nil || *at <= due.NowUs || due.WakeUs != nil && *due.WakeUs <= *at {
		return
	}
	copied := *at
	due.WakeUs = &copied
}

// Soon adds a moment within a second, unless all has come that may come of the last change. A
// bubble does not say when its next timer is: controllers batch what they hear for a second, and
// the API's times are whole ones.
func (due *Due) Soon() {
	if due.NowUs >= due.quietUs {
		return
	}
	whole := (due.NowUs/secondUs + 1) * secondUs
	due.At(&whole)
}

// GangStates are a project's words for what its gang is.
type GangStates struct{ Running, Ending, Starting, Otherwise string }

// Of is the word for what the gang is now.
func (states GangStates) Of(gang *gang.Gang) string {
	switch {
	case gang.Whole():
		return states.Running
	case gang.Moving():
		return states.Ending
	case gang.Starting():
		return states.Starting
	}
	return states.Otherwise
}

// Settle has controllers, the collector and the gang answer each other until nobody has more to
// say at this moment.
func Settle(store *world.Store, gang *gang.Gang) {
	for {
		synctest.Wait()
		if !store.Collect() && !gang.Advance() {
			return
		}
	}
}
