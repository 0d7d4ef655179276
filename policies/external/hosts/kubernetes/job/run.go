// Package job hosts the Job controller of Kubernetes: pods of one Job that train together.
package job

import (
	"context"
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/scheme"
	controllers "k8s.io/kubernetes/pkg/controller/job"

	"aftershock.dev/hosts/kubernetes/hosting"
	"aftershock.dev/hosts/kubernetes/messages"
	"aftershock.dev/hosts/kubernetes/world"
)

// Version of Kubernetes whose controller is hosted, as the module's file has it.
var Version = hosting.VersionOf("k8s.io/kubernetes")

// Waits of the controller: it batches what it hears of pods, and puts off new ones.
var Waits = hosting.Waits{Batched: controllers.SyncJobBatchPeriod,
	Longest: controllers.MaxJobPodFailureBackOff}

const name = "job"

// Host is the host of the Job controller.
func Host() messages.Host {
	return messages.Host{Name: name, Version: "kubernetes " + Version,
		Begin: func(world messages.World) (messages.Run, []messages.Issue) {
			settings, issues := read(world.Policy)
			return hosting.NewRun(&project{settings: settings, record: newRecord()}, Waits), issues
		}}
}

// project is one Job.
type project struct {
	settings settings
	run      *hosting.Run
	record   record
	delay    Delay
}

// Ready describes the controller.
func (project *project) Ready() messages.Ready {
	return messages.Ready{Name: name, Profile: Version,
		Summary: fmt.Sprintf("The Job controller of Kubernetes %s", Version),
		States: []string{pending, running, recovering, terminating, complete, failed,
			hosting.Deleted},
		State: pending, Rules: rules(),
		WatchesNodes: true, LeavesPeers: true, ChargesPods: true, PodsAreObjects: true}
}

// Scheme has the kinds of Kubernetes itself.
func (project *project) Scheme() *runtime.Scheme { return scheme.Scheme }

// StartController starts the Job controller over the store; it ends with the context.
func StartController(ctx context.Context, store *world.Store) error {
	clients := store.Clients()
	factory := informers.NewSharedInformerFactory(clients, 0)
	controller, err := controllers.NewController(ctx, clients, factory.Core().V1().Pods(),
		factory.Batch().V1().Jobs(), nil, nil)
	if err != nil {
		return err
	}
	factory.Start(ctx.Done())
	go controller.Run(ctx, 1)
	return nil
}

// Start starts the controller.
func (project *project) Start(ctx context.Context, run *hosting.Run) error {
	project.run = run
	project.record.limits = project.settings.limits()
	return StartController(ctx, run.Store)
}

// Changed writes down what the controller did.
func (project *project) Changed(before, after world.Object) { project.record.hear(before, after) }

// FailsWhenGone asks the Job's specification.
func (project *project) FailsWhenGone() bool { return FailsWhenGone(&project.settings.spec) }

// Places numbers pods by their completion index, and where they have none as they come.
func (project *project) Places(workers uint32) (int, func(*corev1.Pod) int) {
	given := map[string]int{}
	return int(*project.settings.job(workers).Spec.Completions), func(pod *corev1.Pod) int {
		return slotOf(project.run.Store, pod, given)
	}
}

// Submit creates the Job.
func (project *project) Submit(workers uint32) error {
	_, err := project.run.Store.Give(world.Jobs, project.settings.job(workers), hosting.Namespace)
	return err
}

// TakenUp does nothing: the controller's informers see the Job.
func (project *project) TakenUp(uint32) {}

// Told is what the record has told.
func (project *project) Told() any { return &project.record.told }

// Steps is what the record has written down.
func (project *project) Steps() *hosting.Steps { return &project.record.Steps }

// object is the Job, or nil where it is gone.
func (project *project) object() *batchv1.Job {
	object, is := project.run.Store.Find(world.Jobs, hosting.Namespace, name).(*batchv1.Job)
	if !is {
		return nil
	}
	return object
}

// Watch adds the controller's own wait, the Job's deadline, and a look while pods are to be made.
func (project *project) Watch(watch *messages.Watch, due *hosting.Due) {
	object := project.object()
	project.delay.Watch(object, project.run.Gang, watch, due)
	due.At(DeadlineUs(object, project.run.Clock.At))
	if watch.Backoff == nil && project.unsettled(object) {
		due.Soon()
	}
}
