package jobset

import (
	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	api "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	"sigs.k8s.io/jobset/pkg/constants"

	"aftershock.dev/hosts/kubernetes/hosting"
	"aftershock.dev/hosts/kubernetes/job"
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
)

var states = []string{pending, running, recovering, restarting, complete, failed,
	hosting.Deleted}

// Rules beside those of Counts: conditions of the real controller, by their words.
const (
	isFailed  = "jobset.condition.Failed."
	completed = "jobset.condition.Completed"
)

const policySource = "pkg/controllers/failure_policy.go"

func rules() []messages.Rule {
	all := append(CountRules(policySource), messages.Rule{ID: completed,
		Sentence: "The condition Completed became true", Source: "pkg/controllers/success_policy.go"})
	all = append(all, hosting.Rules(name, "set", "pkg/controllers/jobset_controller.go")...)
	for _, reason := range []string{constants.FailedJobsReason, constants.ReachedMaxRestartsReason,
		constants.FailJobSetActionReason} {
		all = append(all, messages.Rule{ID: isFailed + reason, Source: policySource,
			Sentence: "The condition Failed became true: " + reason})
	}
	return all
}

// told is what the simulator has been told already, by this process or by one before it.
type told struct {
	hosting.Steps
	Counts
	Conditions map[string]bool `json:"conditions"`
}

// record writes down what the controllers do, as steps of the messages.
type record struct {
	told
	fresh []*api.JobSet
}

func newRecord() record {
	return record{told: told{Steps: hosting.NewSteps(name, pending), Conditions: map[string]bool{}}}
}

// hear is called by the store for each change, while it is locked.
func (record *record) hear(_, after world.Object) {
	if set, is := after.(*api.JobSet); is {
		record.fresh = append(record.fresh, set.DeepCopy())
	}
}

// Decide turns what the controllers did since the last batch into steps, and ends the run with the
// set.
func (project *project) Decide() {
	run := project.run
	project.noteFailures()
	fresh := project.record.fresh
	project.record.fresh = nil
	for _, set := range fresh {
		project.look(set)
	}
	if run.Over() {
		return
	}
	project.record.Become(hosting.GangStates{Running: running, Ending: restarting,
		Starting: pending, Otherwise: recovering}.Of(run.Gang))
}

// noteFailures keeps in mind why pods had failed when their Job began to fail.
func (project *project) noteFailures() {
	for _, object := range project.run.Store.All(world.Jobs, hosting.Namespace) {
		if project.failing[object.GetUID()] || !job.Fails(object.(*batchv1.Job)) {
			continue
		}
		project.failing[object.GetUID()] = true
		project.record.TellOverrun(object.(*batchv1.Job), &project.record.Steps, project.run.Timers())
		if project.cause == "" {
			project.cause = project.run.Gang.LastCause()
		}
	}
}

// look tells what the set's status says anew.
func (project *project) look(set *api.JobSet) {
	record := &project.record
	cause := project.cause
	if cause == "" {
		cause = project.run.Gang.LastCause()
	}
	if int64(set.Status.Restarts) > record.All {
		project.run.Gang.BeginAnew()
	}
	if record.Tell(set, &record.Steps, recovering, cause, Limit(&project.settings.spec)) {
		project.cause = ""
	}
	for _, condition := range set.Status.Conditions {
		if condition.Status != metav1.ConditionTrue || record.Conditions[condition.Type] {
			continue
		}
		record.Conditions[condition.Type] = true
		switch condition.Type {
		case string(api.JobSetFailed):
			rule := isFailed + condition.Reason
			record.Move(rule, failed)
			// Also of ReachedMaxRestarts: the restart that is refused is not counted.
			project.run.Fail("gave_up(" + rule + ")")
		case string(api.JobSetCompleted):
			record.Move(completed, complete)
			project.run.Complete()
		}
	}
}
