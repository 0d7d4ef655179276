package volcano

import (
	"runtime"
	"strings"
)

const (
	// enough is more than informers need for what one request changes.
	enough = 200
	// delayed is where the controller carries out an action whose delay is over, in a goroutine
	// beside its worker.
	delayed = ".AddDelayActionForJob."
	deepest = 64
)

// yields has the controller's worker see what it changes itself before it goes on. An action that
// was delayed goes on before the worker sees any of it: which of both writes the status first is
// Volcano's race, and here the action wins.
func yields() int {
	callers := make([]uintptr, deepest)
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers)])
	for frame, more := frames.Next(); more; frame, more = frames.Next() {
		if strings.Contains(frame.Function, delayed) {
			return 0
		}
	}
	return enough
}
