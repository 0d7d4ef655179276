// Package trainjob hosts the TrainJob reconciler of Kubeflow Trainer over JobSet's reconciler, and
// that over the Job controller of Kubernetes, all over one store.
package trainjob

import (
	"context"
	"slices"
	"time"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	controllers "github.com/kubeflow/trainer/v2/pkg/controller"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/event"
	sets "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"aftershock.dev/hosts/kubernetes/hosting"
	"aftershock.dev/hosts/kubernetes/job"
	"aftershock.dev/hosts/kubernetes/jobset"
	"aftershock.dev/hosts/kubernetes/messages"
	"aftershock.dev/hosts/kubernetes/objects"
	"aftershock.dev/hosts/kubernetes/world"
)

// Version of Trainer that is hosted, as go.mod has it.
const Version = "2.3.0"

const name = "trainjob"

var jobs = trainer.SchemeGroupVersion.WithResource("trainjobs")

// waits are those of the Job controller, but that a set which has ended may be kept for any time.
var waits = hosting.Waits{Batched: job.Waits.Batched, Longest: 10 * 365 * 24 * time.Hour}

// Host is the host of Trainer's controller.
func Host() messages.Host {
	return messages.Host{Name: name, Version: "trainer " + Version,
		Begin: func(world messages.World) (messages.Run, []messages.Issue) {
			settings, issues := read(world.Policy)
			return hosting.NewRun(&project{settings: settings, record: newRecord()}, waits),
				issues
		}}
}

// project is one TrainJob.
type project struct {
	settings settings
	run      *hosting.Run
	record   record
	news     objects.News
	ofSet    objects.News
	failing  map[types.UID]bool // Jobs that are to fail, or have
}

// Ready describes the controllers.
func (project *project) Ready() messages.Ready {
	return messages.Ready{Name: name, Profile: Version,
		Summary: "Kubeflow Trainer " + Version + " over JobSet " + jobset.Version +
			" over the Job controller of Kubernetes " + job.Version,
		States: []string{pending, running, recovering, restarting, complete, failed,
			hosting.Deleted},
		State: pending, Rules: rules(),
		WatchesNodes: true, LeavesPeers: true, PodsAreObjects: true}
}

// Budgets is maxRestarts of the set, and what counts towards it.
func (project *project) Budgets() []messages.Budget {
	return []messages.Budget{{Name: jobset.MaxRestarts, Used: project.record.Restarts,
		Limit: project.limit()}}
}

func (project *project) limit() *int64 {
	return jobset.Limit(&project.settings.runtime.Template.Spec)
}

// Scheme has the kinds of all three projects.
func (project *project) Scheme() *runtime.Scheme { return kinds }

// Admit completes objects as the webhooks of their projects do.
func (project *project) Admit(object world.Object) error { return admitted(object) }

// Start starts all three controllers.
func (project *project) Start(ctx context.Context, run *hosting.Run) error {
	project.run = run
	// Not before: a channel from outside a bubble would hold up its clock.
	project.news, project.ofSet = objects.NewNews(), objects.NewNews()
	project.failing = map[types.UID]bool{}
	if err := job.StartController(ctx, run.Store); err != nil {
		return err
	}
	client := objects.New(run.Store, kinds)
	if err := jobset.StartController(ctx, client, project.ofSet); err != nil {
		return err
	}
	runtimes, err := runtimesOver(client)
	if err != nil {
		return err
	}
	return objects.Start(ctx, name,
		controllers.NewTrainJobReconciler(client, objects.Unread{}, runtimes), project.news)
}

// Changed wakes each reconciler for what it owns, and writes down what it did.
func (project *project) Changed(before, after world.Object) {
	project.record.hear(after)
	object := after
	if object == nil {
		object = before
	}
	switch object.(type) {
	case *trainer.TrainJob:
		project.news <- project.about()
	case *sets.JobSet:
		project.news <- project.about()
		project.ofSet <- project.about()
	case *batchv1.Job:
		project.ofSet <- project.about()
	}
}

// about names the job, and the set that has its name.
func (project *project) about() event.GenericEvent {
	return event.GenericEvent{Object: &trainer.TrainJob{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: hosting.Namespace}}}
}

// Submit creates the runtime and the job.
func (project *project) Submit(workers uint32) error {
	if err := project.settings.give(project.run.Store); err != nil {
		return err
	}
	_, err := project.run.Store.Give(jobs, project.settings.trainJob(workers), hosting.Namespace)
	return err
}

// TakenUp has the reconcilers look at the job and its set once more.
func (project *project) TakenUp(uint32) {
	project.news <- project.about()
	project.ofSet <- project.about()
}

// Told is what the record has told.
func (project *project) Told() any { return &project.record.told }

// Steps is what the record has written down.
func (project *project) Steps() *hosting.Steps { return &project.record.Steps }

// Places numbers the pods of the set that Trainer makes.
func (project *project) Places(workers uint32) (int, func(*corev1.Pod) int) {
	set, _, err := project.settings.plan(workers)
	hosting.Must(err)
	return jobset.Places(set)
}

// Watch adds deadlines, and a look while pods are to be made.
func (project *project) Watch(_ *messages.Watch, due *hosting.Due) {
	run := project.run
	for _, object := range run.Store.All(world.Jobs, hosting.Namespace) {
		due.At(job.DeadlineUs(object.(*batchv1.Job), run.Clock.At))
	}
	if deadline := project.deadlineUs(); deadline != nil {
		// At the deadline itself it has not passed yet, and Trainer looks again a second later.
		past := *deadline + time.Second.Microseconds()
		due.At(deadline)
		due.At(&past)
	}
	if expiry := project.expiryUs(); expiry != nil && *expiry > due.NowUs {
		due.At(expiry)
	} else if !run.Gang.Live() || run.Gang.Unmet() || run.Gang.Stalled() {
		due.Soon()
	}
}

// deadlineUs is when activeDeadlineSeconds are over; nil where there is none.
func (project *project) deadlineUs() *int64 {
	seconds := project.settings.job.ActiveDeadlineSeconds
	found := project.run.Store.Find(jobs, hosting.Namespace, name)
	if seconds == 0 || found == nil {
		return nil
	}
	us := project.run.Clock.At(found.GetCreationTimestamp().Add(
		time.Duration(seconds) * time.Second))
	return &us
}

// expiryUs is when a set that has failed is deleted; nil where none has, or none is.
func (project *project) expiryUs() *int64 {
	set, is := project.run.Store.Find(jobset.Sets, hosting.Namespace, name).(*sets.JobSet)
	if !is || set.Spec.TTLSecondsAfterFinished == nil {
		return nil
	}
	at := slices.IndexFunc(set.Status.Conditions, func(condition metav1.Condition) bool {
		return condition.Type == string(sets.JobSetFailed) &&
			condition.Status == metav1.ConditionTrue
	})
	if at < 0 {
		return nil
	}
	us := project.run.Clock.At(set.Status.Conditions[at].LastTransitionTime.Add(
		time.Duration(*set.Spec.TTLSecondsAfterFinished) * time.Second))
	return &us
}
