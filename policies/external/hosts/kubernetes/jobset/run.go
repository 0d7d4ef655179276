// Package jobset hosts JobSet's reconciler over the Job controller of Kubernetes, both over one
// store: Jobs whose pods train together.
package jobset

import (
	"context"
	"slices"
	"strconv"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/event"
	api "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	reconcilers "sigs.k8s.io/jobset/pkg/controllers"

	"aftershock.dev/hosts/kubernetes/hosting"
	"aftershock.dev/hosts/kubernetes/job"
	"aftershock.dev/hosts/kubernetes/messages"
	"aftershock.dev/hosts/kubernetes/objects"
	"aftershock.dev/hosts/kubernetes/world"
)

// Version of JobSet that is hosted, as go.mod has it.
const Version = "0.12.0"

const name = "jobset"

// Sets is the resource of JobSets.
var Sets = api.SchemeGroupVersion.WithResource("jobsets")

// Host is the host of JobSet's controller.
func Host() messages.Host {
	return messages.Host{Name: name, Version: "jobset " + Version,
		Begin: func(world messages.World) (messages.Run, []messages.Issue) {
			settings, issues := read(world.Policy)
			return hosting.NewRun(&project{settings: settings, record: newRecord()}, job.Waits),
				issues
		}}
}

// project is one JobSet.
type project struct {
	settings settings
	run      *hosting.Run
	record   record
	changes  objects.News
	failing  map[types.UID]bool // Jobs that are to fail, or have
	delay    job.Delay
	cause    string // why pods of the first had failed; empty since the set acted
}

// Ready describes the controllers.
func (project *project) Ready() messages.Ready {
	return messages.Ready{Name: name, Profile: Version,
		Summary: "The JobSet controller " + Version + " over the Job controller of Kubernetes " +
			job.Version,
		States: slices.Clone(states), State: pending, Rules: rules(),
		WatchesNodes: true, LeavesPeers: true, PodsAreObjects: true}
}

// Budgets is maxRestarts, and what counts towards it.
func (project *project) Budgets() []messages.Budget {
	return []messages.Budget{{Name: MaxRestarts, Used: project.record.Restarts,
		Limit: Limit(&project.settings.spec)}}
}

// Scheme has the kinds of Kubernetes and of JobSet.
func (project *project) Scheme() *runtime.Scheme { return hosting.Kinds(api.AddToScheme) }

// StartController starts JobSet's controller over the client's store; it ends with the context.
func StartController(ctx context.Context, client *objects.Client, news objects.News) error {
	if err := reconcilers.SetupJobSetIndexes(ctx, client); err != nil {
		return err
	}
	return objects.Start(ctx, name,
		reconcilers.NewJobSetReconciler(client, client.Scheme(), objects.Unread{}), news)
}

// Start starts both controllers.
func (project *project) Start(ctx context.Context, run *hosting.Run) error {
	project.run = run
	// Not before: a channel from outside a bubble would hold up its clock.
	project.changes = objects.NewNews()
	project.failing = map[types.UID]bool{}
	if err := job.StartController(ctx, run.Store); err != nil {
		return err
	}
	return StartController(ctx, objects.New(run.Store, project.Scheme()), project.changes)
}

// Changed wakes the reconciler for the set and for what it owns, and writes down what it did.
func (project *project) Changed(before, after world.Object) {
	project.record.hear(before, after)
	object := after
	if object == nil {
		object = before
	}
	switch object.(type) {
	case *api.JobSet, *batchv1.Job:
		project.wake(1)
	}
}

func (project *project) wake(workers uint32) {
	project.changes <- event.GenericEvent{Object: project.settings.set(workers)}
}

// FailsWhenGone asks the specification of its Jobs.
func (project *project) FailsWhenGone() bool {
	jobs := project.settings.spec.ReplicatedJobs
	return slices.ContainsFunc(jobs, func(given api.ReplicatedJob) bool {
		return job.FailsWhenGone(&given.Template.Spec)
	})
}

// Submit creates the set.
func (project *project) Submit(workers uint32) error {
	_, err := project.run.Store.Give(Sets, project.settings.set(workers), hosting.Namespace)
	return err
}

// TakenUp has the reconciler look at the set once more.
func (project *project) TakenUp(workers uint32) { project.wake(workers) }

// Told is what the record has told.
func (project *project) Told() any { return &project.record.told }

// Steps is what the record has written down.
func (project *project) Steps() *hosting.Steps { return &project.record.Steps }

// Places numbers pods: Jobs follow each other, and in each its indexes.
func (project *project) Places(workers uint32) (int, func(*corev1.Pod) int) {
	return Places(project.settings.set(workers))
}

// Places is how many pods a set has, and the place of each of them.
func Places(set *api.JobSet) (int, func(*corev1.Pod) int) {
	first := firstPods(set)
	return first[len(first)-1], func(pod *corev1.Pod) int { return slotOf(pod, first) }
}

// firstPods is the place of each Job's first pod, and behind the last how many there are.
func firstPods(set *api.JobSet) []int {
	first := []int{0}
	for _, given := range set.Spec.ReplicatedJobs {
		for range given.Replicas {
			first = append(first, first[len(first)-1]+int(*given.Template.Spec.Completions))
		}
	}
	return first
}

// slotOf is the place of a pod: Jobs follow each other, and in each its indexes.
func slotOf(pod *corev1.Pod, first []int) int {
	of, err := strconv.Atoi(pod.Labels[api.JobGlobalIndexKey])
	if err != nil || of < 0 || of >= len(first)-1 {
		return -1
	}
	index, err := strconv.Atoi(pod.Annotations[batchv1.JobCompletionIndexAnnotation])
	if err != nil {
		return -1
	}
	return first[of] + index
}

// Watch adds the delay of an only Job, the Jobs' deadlines, and a look while pods are to be made.
func (project *project) Watch(watch *messages.Watch, due *hosting.Due) {
	gang := project.run.Gang
	jobs := project.run.Store.All(world.Jobs, hosting.Namespace)
	for _, object := range jobs {
		due.At(job.DeadlineUs(object.(*batchv1.Job), project.run.Clock.At))
	}
	if len(jobs) == 1 { // else nobody knows whose pods have failed
		project.delay.Watch(jobs[0].(*batchv1.Job), gang, watch, due)
	}
	if !gang.Live() || gang.Unmet() || gang.Stalled() {
		due.Soon()
	}
}
