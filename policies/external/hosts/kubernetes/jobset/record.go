package jobset

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	api "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	"sigs.k8s.io/jobset/pkg/constants"

	"aftershock.dev/hosts/kubernetes/gang"
	"aftershock.dev/hosts/kubernetes/messages"
	"aftershock.dev/hosts/kubernetes/world"
)

// States, as the port names them: what a gang is that the pods of a set make.
const (
	pending    = "Pending"
	running    = "Running"
	recovering = "Recovering"
	restarting = "Restarting"
	complete   = "Completed"
	failed     = "Failed"
	deleted    = "Deleted"
)

var states = []string{pending, running, recovering, restarting, complete, failed, deleted}

// Rules: counters and conditions of the real controller, by their words.
const (
	counted   = "jobset.status.restartsCountTowardsMax"
	ignored   = "jobset.status.restarts"
	isFailed  = "jobset.condition.Failed."
	completed = "jobset.condition.Completed"
	act       = "jobset.act"
	user      = "jobset.deleted"
	unheard   = "jobset.unheard"
)

const maxRestarts = "maxRestarts"

const policySource = "pkg/controllers/failure_policy.go"

func rules() []messages.Rule {
	all := []messages.Rule{
		{ID: counted, Sentence: "All Jobs are made anew, which counts", Source: policySource},
		{ID: ignored, Sentence: "All Jobs are made anew, which does not count",
			Source: policySource},
		{ID: completed, Sentence: "The condition Completed became true",
			Source: "pkg/controllers/success_policy.go"},
		{ID: act, Sentence: "The pods that are there ask for it",
			Source: "pkg/controllers/jobset_controller.go"},
		{ID: user, Sentence: "A user deleted the set",
			Source: "pkg/controllers/jobset_controller.go"},
		{ID: unheard, Sentence: "Nothing in the controllers listens to this event",
			Source: "pkg/controllers/jobset_controller.go"},
	}
	for _, reason := range []string{constants.FailedJobsReason, constants.ReachedMaxRestartsReason,
		constants.FailJobSetActionReason} {
		all = append(all, messages.Rule{ID: isFailed + reason, Source: policySource,
			Sentence: "The condition Failed became true: " + reason})
	}
	return all
}

// limit is maxRestarts.
func (settings settings) limit() *int64 {
	limit := int64(0)
	if policy := settings.spec.FailurePolicy; policy != nil {
		limit = int64(policy.MaxRestarts)
	}
	return &limit
}

// told is what the simulator has been told already, by this process or by one before it.
type told struct {
	State      string          `json:"state"`
	Conditions map[string]bool `json:"conditions"`
	Restarts   int64           `json:"restarts"`
	All        int64           `json:"all"` // restarts, whether they count or not
}

// record writes down what the controllers do, as steps of the messages.
type record struct {
	told
	steps   []messages.Step
	fresh   []*api.JobSet
	changed bool
}

// hear is called by the store for each change, while it is locked.
func (record *record) hear(_, after world.Object) {
	record.changed = true
	if set, is := after.(*api.JobSet); is {
		record.fresh = append(record.fresh, set.DeepCopy())
	}
}

func (record *record) move(rule, to string) *messages.Step {
	record.steps = append(record.steps, messages.Step{Rule: rule, From: record.State, To: to})
	record.State = to
	return &record.steps[len(record.steps)-1]
}

// reject says that nothing in the controllers listens to the event.
func (record *record) reject(at int) {
	step := record.move(unheard, record.State)
	step.Saw = []int{at}
	step.Rejected = []messages.Rejected{{What: "restart",
		Why: "a controller of pods sees them when they end"}}
}

// take gives all steps since the last time, with the gang's commands in the last of them.
func (record *record) take(gang *gang.Gang) []messages.Step {
	if commands := gang.Take(); len(commands) > 0 {
		if len(record.steps) == 0 {
			record.move(act, record.State)
		}
		last := &record.steps[len(record.steps)-1]
		last.Commands = append(last.Commands, commands...)
	}
	steps := record.steps
	record.steps = nil
	return steps
}

// decide turns what the controllers did since the last batch into steps, and ends the run with the
// set.
func (run *run) decide() {
	fresh := run.record.fresh
	run.record.fresh = nil
	for _, set := range fresh {
		run.look(set)
	}
	if run.over {
		return
	}
	now := recovering
	switch {
	case run.gang.Whole():
		now = running
	case run.gang.Moving():
		now = restarting
	case run.gang.Starting():
		now = pending
	}
	if now != run.record.State {
		if len(run.record.steps) == 0 {
			run.record.move(act, run.record.State)
		}
		run.record.steps[len(run.record.steps)-1].To = now
		run.record.State = now
	}
}

// look tells what the set's status says anew.
func (run *run) look(set *api.JobSet) {
	record, limit, cause := &run.record, run.settings.limit(), run.gang.LastCause()
	if used := int64(set.Status.RestartsCountTowardsMax); used > record.Restarts {
		record.Restarts, record.All = used, int64(set.Status.Restarts)
		record.move(counted, recovering).Budgets = []messages.Move{{Budget: maxRestarts,
			Cause: cause, Used: used, Limit: limit, Charged: true}}
	} else if all := int64(set.Status.Restarts); all > record.All {
		record.All = all
		record.move(ignored, recovering).Budgets = []messages.Move{{Budget: maxRestarts,
			Cause: cause, Used: record.Restarts}}
	}
	for _, condition := range set.Status.Conditions {
		if condition.Status != metav1.ConditionTrue || record.Conditions[condition.Type] {
			continue
		}
		record.Conditions[condition.Type] = true
		switch condition.Type {
		case string(api.JobSetFailed):
			rule := isFailed + condition.Reason
			record.move(rule, failed)
			reason := "gave_up(" + rule + ")"
			if condition.Reason == constants.ReachedMaxRestartsReason {
				reason = "exhausted(" + maxRestarts + ")"
			}
			run.gang.Ask(messages.Command{Type: "fail", Reason: reason})
			run.over = true
		case string(api.JobSetCompleted):
			record.move(completed, complete)
			run.gang.Ask(messages.Command{Type: "complete"})
			run.over = true
		}
	}
}

// unread takes events that nobody reads.
type unread struct{}

// Eventf takes one.
func (unread) Eventf(_, _ runtime.Object, _, _, _, _ string, _ ...any) {}
