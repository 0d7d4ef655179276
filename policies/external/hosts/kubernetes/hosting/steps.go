package hosting

import (
	"aftershock.dev/hosts/kubernetes/messages"
)

// Rules of each host beside those of its project, behind the name of the host.
const (
	act     = ".act"
	user    = ".deleted"
	unheard = ".unheard"
)

// Deleted is the state of a job that its user has deleted.
const Deleted = "Deleted"

// Steps writes down what controllers do, as steps of the messages. Its JSON is the state alone.
type Steps struct {
	State string `json:"state"`

	name string
	list []messages.Step
}

// NewSteps begins in the state. The name is that of the host.
func NewSteps(name, state string) Steps { return Steps{State: state, name: name} }

// Rules are those that Steps cites by itself, about what the user has: source is the file of its
// controller.
func Rules(name, object, source string) []messages.Rule {
	return []messages.Rule{
		{ID: name + act, Sentence: "The pods that are there ask for it", Source: source},
		{ID: name + user, Sentence: "A user deleted the " + object, Source: source},
		{ID: name + unheard, Sentence: "Nothing in the controllers listens to this event",
			Source: source},
	}
}

// Step adds a step that stays in the state.
func (steps *Steps) Step(rule string) *messages.Step { return steps.Move(rule, steps.State) }

// Move adds a step to another state, or to the same.
func (steps *Steps) Move(rule, to string) *messages.Step {
	steps.list = append(steps.list, messages.Step{Rule: rule, From: steps.State, To: to})
	steps.State = to
	return &steps.list[len(steps.list)-1]
}

// last is the last step since steps were told, with one that says nothing where there is none.
func (steps *Steps) last() *messages.Step {
	if len(steps.list) == 0 {
		steps.Step(steps.name + act)
	}
	return &steps.list[len(steps.list)-1]
}

// Become ends in the state what has been written down since steps were told. A charge is a decision
// of its own.
func (steps *Steps) Become(state string) {
	if state == steps.State {
		return
	}
	if last := steps.last(); len(last.Budgets) > 0 {
		steps.Step(steps.name + act)
	}
	steps.last().To, steps.State = state, state
}

// onTime has charges say that the controller's own time was over, where it has heard of nothing
// else.
func (steps *Steps) onTime(events []messages.Event) {
	for _, event := range events {
		if event.Type != "timer" {
			return
		}
	}
	for at := range steps.list {
		if step := &steps.list[at]; len(step.Budgets) > 0 && len(events) > 0 {
			step.Saw = []int{0}
		}
	}
}

func (steps *Steps) deleted(at int) {
	steps.Move(steps.name+user, Deleted).Saw = []int{at}
}

// reject says that nothing in the controllers listens to the event.
func (steps *Steps) reject(at int) {
	step := steps.Step(steps.name + unheard)
	step.Saw = []int{at}
	step.Rejected = []messages.Rejected{{What: "restart",
		Why: "a controller of pods sees them when they end"}}
}

// Take gives all steps since the last time, with these commands in the last of them.
func (steps *Steps) Take(commands []messages.Command) []messages.Step {
	if len(commands) > 0 {
		last := steps.last()
		last.Commands = append(last.Commands, commands...)
	}
	list := steps.list
	steps.list = nil
	return list
}
