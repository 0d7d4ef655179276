package jobset

import (
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	api "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"aftershock.dev/hosts/kubernetes/hosting"
	"aftershock.dev/hosts/kubernetes/messages"
)

// Rules of a set's counters, by the words of its status.
const (
	counted = "jobset.status.restartsCountTowardsMax"
	ignored = "jobset.status.restarts"
	overran = "job.condition.FailureTarget.DeadlineExceeded"
)

// MaxRestarts is the budget of a set.
const MaxRestarts = "maxRestarts"

// CountRules are those that Counts cites.
func CountRules(source string) []messages.Rule {
	return []messages.Rule{
		{ID: counted, Sentence: "JobSet makes all Jobs anew, which counts", Source: source},
		{ID: ignored, Sentence: "JobSet makes all Jobs anew, which does not count", Source: source},
		{ID: overran, Sentence: "activeDeadlineSeconds of a Job are over: its pods are deleted",
			Source: "pkg/controller/job/job_controller.go"},
	}
}

// Limit is maxRestarts of a specification.
func Limit(spec *api.JobSetSpec) *int64 {
	limit := int64(0)
	if policy := spec.FailurePolicy; policy != nil {
		limit = int64(policy.MaxRestarts)
	}
	return &limit
}

// Counts are restarts of a set that have been told.
type Counts struct {
	Restarts int64 `json:"restarts"` // that count towards maxRestarts
	All      int64 `json:"all"`
}

// TellOverrun adds a step for a Job whose activeDeadlineSeconds are over, which costs nothing
// before the set has an answer. The timers are the events of which nobody but the clock tells.
func (counts *Counts) TellOverrun(job *batchv1.Job, steps *hosting.Steps, timers []int) {
	if !slices.ContainsFunc(job.Status.Conditions, func(condition batchv1.JobCondition) bool {
		return condition.Type == batchv1.JobFailureTarget &&
			condition.Reason == batchv1.JobReasonDeadlineExceeded
	}) {
		return
	}
	step := steps.Step(overran)
	step.Saw = timers
	step.Budgets = []messages.Move{{Budget: MaxRestarts, Cause: "application",
		Used: counts.Restarts}}
}

// Tell adds a step to the state where the set has counted another restart. False: it has not.
func (counts *Counts) Tell(set *api.JobSet, steps *hosting.Steps, to, cause string,
	limit *int64) bool {
	used, all := int64(set.Status.RestartsCountTowardsMax), int64(set.Status.Restarts)
	move := messages.Move{Budget: MaxRestarts, Cause: cause, Used: used}
	switch {
	case used > counts.Restarts:
		move.Limit, move.Charged = limit, true
		steps.Move(counted, to).Budgets = []messages.Move{move}
	case all > counts.All:
		move.Used = counts.Restarts
		steps.Move(ignored, to).Budgets = []messages.Move{move}
	default:
		return false
	}
	counts.Restarts, counts.All = move.Used, all
	return true
}
