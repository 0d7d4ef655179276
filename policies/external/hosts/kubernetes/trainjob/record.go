package trainjob

import (
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/types"
	sets "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	"sigs.k8s.io/jobset/pkg/constants"

	"aftershock.dev/hosts/kubernetes/hosting"
	"aftershock.dev/hosts/kubernetes/job"
	"aftershock.dev/hosts/kubernetes/jobset"
	"aftershock.dev/hosts/kubernetes/messages"
	"aftershock.dev/hosts/kubernetes/world"
)

// States: what a gang is that the pods of a TrainJob make.
const (
	pending    = "Pending"
	running    = "Running"
	recovering = "Recovering"
	restarting = "Restarting"
	complete   = "Complete"
	failed     = "Failed"
)

// Rules beside those of the set's counters: conditions of the TrainJob, and its set.
const (
	again     = "trainjob.jobset.createdAgain"
	isFailed  = "trainjob.condition.Failed."
	completed = "trainjob.condition.Complete"
)

const (
	controllerSource = "pkg/controller/trainjob_controller.go"
	statusSource     = "pkg/runtime/framework/plugins/jobset/jobset.go"
	setSource        = "jobset: pkg/controllers/failure_policy.go"
)

func rules() []messages.Rule {
	all := append(jobset.CountRules(setSource), []messages.Rule{
		{ID: again, Sentence: "Trainer makes a JobSet in the place of one that is gone, and all " +
			"budgets begin again", Source: statusSource},
		{ID: completed, Sentence: "The condition Complete became true", Source: statusSource},
	}...)
	all = append(all, hosting.Rules(name, "TrainJob", controllerSource)...)
	for _, reason := range []string{constants.FailedJobsReason, constants.ReachedMaxRestartsReason,
		constants.FailJobSetActionReason, trainer.TrainJobDeadlineExceededReason} {
		source := statusSource
		if reason == trainer.TrainJobDeadlineExceededReason {
			source = controllerSource
		}
		all = append(all, messages.Rule{ID: isFailed + reason, Source: source,
			Sentence: "The condition Failed became true: " + reason})
	}
	return all
}

// told is what the simulator has been told already, by this process or by one before it.
type told struct {
	hosting.Steps
	jobset.Counts
	Set    types.UID `json:"set"`
	Failed bool      `json:"failed"`
}

// record writes down what the controllers do, as steps of the messages.
type record struct {
	told
	fresh []world.Object
}

func newRecord() record {
	return record{told: told{Steps: hosting.NewSteps(name, pending)}}
}

// hear is called by the store for each change, while it is locked.
func (record *record) hear(after world.Object) {
	switch after.(type) {
	case *trainer.TrainJob, *sets.JobSet:
		record.fresh = append(record.fresh, after.DeepCopyObject().(world.Object))
	}
}

// Decide turns what the controllers did since the last batch into steps, and ends the run with the
// job.
func (project *project) Decide() {
	run := project.run
	for _, object := range run.Store.All(world.Jobs, hosting.Namespace) {
		if !project.failing[object.GetUID()] && job.Fails(object.(*batchv1.Job)) {
			project.failing[object.GetUID()] = true
			project.record.TellOverrun(object.(*batchv1.Job), &project.record.Steps, run.Timers())
		}
	}
	fresh := project.record.fresh
	project.record.fresh = nil
	for _, object := range fresh {
		switch object := object.(type) {
		case *sets.JobSet:
			project.lookAtSet(object)
		case *trainer.TrainJob:
			project.lookAtJob(object)
		}
	}
	if run.Over() {
		return
	}
	states := hosting.GangStates{Running: running, Ending: restarting, Starting: pending,
		Otherwise: recovering}
	if project.record.Failed {
		states.Otherwise = failed
	}
	project.record.Become(states.Of(run.Gang))
}

// lookAtSet tells what the set's status says anew.
func (project *project) lookAtSet(set *sets.JobSet) {
	record, limit := &project.record, project.limit()
	cause := project.run.Gang.LastCause()
	if set.UID != record.Set {
		if record.Set != "" {
			record.Counts = jobset.Counts{}
			record.Move(again, recovering).Budgets = []messages.Move{{Budget: jobset.MaxRestarts,
				Cause: cause, Used: 0, Limit: limit}}
		}
		record.Set = set.UID
	}
	record.Tell(set, &record.Steps, recovering, cause, limit)
}

// lookAtJob tells what the job's conditions say anew.
func (project *project) lookAtJob(given *trainer.TrainJob) {
	record, run := &project.record, project.run
	if run.Over() {
		return
	}
	if meta.IsStatusConditionTrue(given.Status.Conditions, trainer.TrainJobComplete) {
		record.Move(completed, complete)
		run.Complete()
		return
	}
	condition := meta.FindStatusCondition(given.Status.Conditions, trainer.TrainJobFailed)
	if condition == nil {
		record.Failed = false
		return
	}
	if record.Failed {
		return
	}
	record.Failed = true
	rule := isFailed + condition.Reason
	step := record.Move(rule, failed)
	if condition.Reason != trainer.TrainJobDeadlineExceededReason && project.expires() {
		step.Rejected = []messages.Rejected{{What: "end",
			Why: "Trainer makes the JobSet again once ttlSecondsAfterFinished have taken it"}}
		return
	}
	if condition.Reason == trainer.TrainJobDeadlineExceededReason {
		step.Saw = run.Timers()
		step.Budgets = []messages.Move{{Budget: jobset.MaxRestarts, Cause: run.Gang.LastCause(),
			Used: record.Restarts, Limit: project.limit()}}
	}
	if condition.Reason != constants.ReachedMaxRestartsReason {
		run.Fail("gave_up(" + rule + ")")
		return
	}
	// The set's status does not count the restart that was asked for and refused.
	record.Restarts++
	step.Budgets = []messages.Move{{Budget: jobset.MaxRestarts, Cause: run.Gang.LastCause(),
		Used: record.Restarts, Limit: project.limit(), Charged: true, Exhausted: true}}
	run.Fail("exhausted(" + jobset.MaxRestarts + ")")
}

// expires says whether the set is deleted some time after its end. Trainer takes the condition
// Failed away before it looks whether the job has ended (trainjob_controller.go, Reconcile), and so
// makes a set that is gone again.
func (project *project) expires() bool {
	return project.settings.runtime.Template.Spec.TTLSecondsAfterFinished != nil
}
