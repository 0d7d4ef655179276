package volcano

import (
	api "volcano.sh/apis/pkg/apis/batch/v1alpha1"

	"aftershock.dev/hosts/kubernetes/hosting"
	"aftershock.dev/hosts/kubernetes/messages"
	"aftershock.dev/hosts/kubernetes/world"
)

// Rules: counters and phases of the real controller, by their words.
const (
	phase   = "volcano.state."
	retried = "volcano.status.retryCount"
)

const maxRetry = "maxRetry"

var phases = []api.JobPhase{api.Pending, api.Aborting, api.Aborted, api.Running, api.Restarting,
	api.Completing, api.Completed, api.Terminating, api.Terminated, api.Failed}

func states() []string {
	words := []string{}
	for _, one := range phases {
		words = append(words, string(one))
	}
	return words
}

func rules() []messages.Rule {
	all := []messages.Rule{
		{ID: retried, Sentence: "The controller restarts, and status.retryCount grows by one",
			Source: "pkg/controllers/job/state/running.go"},
	}
	all = append(all, hosting.Rules(name, "job", "pkg/controllers/job/job_controller_handler.go")...)
	for _, one := range phases {
		all = append(all, messages.Rule{ID: phase + string(one), Source: "pkg/controllers/job/state",
			Sentence: "The job's phase became " + string(one)})
	}
	return all
}

// told is what the simulator has been told already, by this process or by one before it.
type told struct {
	hosting.Steps
	Retries int64 `json:"retries"`
	// CutShort says that a policy completes the job before one of its tasks has.
	CutShort bool `json:"cut_short"`
	Aborted  bool `json:"aborted"` // by a user
	// Version of the job grows each time that it is killed.
	Version int32 `json:"version"`
}

// record writes down what the controller does, as steps of the messages.
type record struct {
	told
	fresh   []api.JobStatus
	changed bool
}

func newRecord() record {
	return record{told: told{Steps: hosting.NewSteps(name, string(api.Pending))}}
}

// hear is called by the store for each change, while it is locked.
func (record *record) hear(_, after world.Object) {
	record.changed = true
	if job, is := after.(*api.Job); is && job != nil {
		record.fresh = append(record.fresh, *job.Status.DeepCopy())
	}
}

// look turns a status into steps, where it says something new. The timers are those events of the
// batch that say no more than that time passed.
func (record *record) look(status api.JobStatus, timers []int, limit int64, cause string,
	completed bool) {
	now := string(status.State.Phase)
	if now == "" {
		return // nobody has looked at the job yet
	}
	record.Version = status.Version
	record.CutShort = record.CutShort || status.State.Phase == api.Completing && !completed
	if used := int64(status.RetryCount); used > record.Retries {
		record.Retries = used
		record.Move(retried, now).Budgets = []messages.Move{{Budget: maxRetry, Cause: cause,
			Used: used, Limit: &limit, Charged: true, Exhausted: used > limit}}
		return
	}
	if now == record.State {
		return
	}
	step := record.Move(phase+now, now)
	switch status.State.Phase {
	case api.Aborting, api.Completing, api.Terminating:
		if len(timers) > 0 { // the timeout of a policy, which costs no retry
			step.Saw = timers
			step.Budgets = []messages.Move{{Budget: maxRetry, Cause: cause, Used: record.Retries,
				Limit: &limit}}
		}
	}
}
