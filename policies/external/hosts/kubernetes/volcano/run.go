// Package volcano hosts Volcano's job controller: pods of one of its jobs that train together.
package volcano

import (
	"context"
	"os"
	stdruntime "runtime"
	"runtime/debug"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/features"
	"k8s.io/client-go/informers"
	api "volcano.sh/apis/pkg/apis/batch/v1alpha1"
	bus "volcano.sh/apis/pkg/apis/bus/v1alpha1"
	scheduling "volcano.sh/apis/pkg/apis/scheduling/v1beta1"
	"volcano.sh/apis/pkg/client/clientset/versioned/fake"
	apischeme "volcano.sh/apis/pkg/client/clientset/versioned/scheme"
	apiinformers "volcano.sh/apis/pkg/client/informers/externalversions"
	"volcano.sh/volcano/pkg/controllers/framework"
	_ "volcano.sh/volcano/pkg/controllers/job" // registers its controller

	"aftershock.dev/hosts/kubernetes/hosting"
	"aftershock.dev/hosts/kubernetes/messages"
	"aftershock.dev/hosts/kubernetes/world"
)

// Version of Volcano that is hosted, as go.mod has it.
const Version = "1.15.1"

const (
	name  = "volcano"
	queue = "default"
	// controllerName is what the job controller is registered as.
	controllerName = "job-controller"
	// maxRequeues is how often it tries again what failed, as it is started.
	maxRequeues = 15
	// again is when it has tried again what failed at first.
	again = 100 * time.Millisecond
	// memory is more than a run of some thousand attempts takes.
	memory = 1 << 30
	second = 1_000_000 // microseconds
)

var (
	jobs      = api.SchemeGroupVersion.WithResource("jobs")
	commands  = bus.SchemeGroupVersion.WithResource("commands")
	queues    = scheduling.SchemeGroupVersion.WithResource("queues")
	podGroups = scheduling.SchemeGroupVersion.WithResource("podgroups")
)

// Host is the host of Volcano's job controller. Its queues are never shut, so that a process has
// one run.
func Host() messages.Host {
	return messages.Host{Name: name, Version: "volcano " + Version,
		Exit: func() { os.Exit(0) },
		Begin: func(world messages.World) (messages.Run, []messages.Issue) {
			// What is done at one moment is done in one order: by one thread, which no collection
			// of garbage interrupts.
			stdruntime.GOMAXPROCS(1)
			debug.SetGCPercent(-1)
			debug.SetMemoryLimit(memory)
			settings, issues := read(world.Policy)
			return hosting.NewRun(&project{settings: settings, record: newRecord()},
				hosting.Waits{Batched: again}), issues
		}}
}

// project is one job.
type project struct {
	settings settings
	run      *hosting.Run
	record   record
	alarms   []int64 // when the delay of a policy may be over
	shortUs  *int64  // since when a pod waits while others run
}

// Ready describes the controller.
func (project *project) Ready() messages.Ready {
	return messages.Ready{Name: name, Profile: Version,
		Summary: "The job controller of Volcano " + Version,
		States:  states(), State: string(api.Pending), Rules: rules(),
		WatchesNodes: true, LeavesPeers: true, ChargesPods: true, PodsAreObjects: true}
}

// Budgets is how often the job may restart: status.retryCount has to stay below maxRetry.
func (project *project) Budgets() []messages.Budget {
	return []messages.Budget{{Name: maxRetry, Used: project.record.Retries, Limit: project.limit()}}
}

func (project *project) limit() *int64 {
	limit := int64(project.settings.maxRetry) - 1
	return &limit
}

// Scheme has the kinds of Kubernetes and of Volcano.
func (project *project) Scheme() *runtime.Scheme { return hosting.Kinds(apischeme.AddToScheme) }

// withoutWatchList has informers list and then watch: the fake of Volcano's API does not say that
// it knows no more than that.
type withoutWatchList struct{ features.Gates }

// Enabled says whether the feature is on.
func (gates withoutWatchList) Enabled(feature features.Feature) bool {
	return feature != features.WatchListClient && gates.Gates.Enabled(feature)
}

// Start starts the controller, of which a process has one.
func (project *project) Start(ctx context.Context, run *hosting.Run) error {
	project.run, run.Store.Yields = run, yields
	if job, is := run.Store.Find(jobs, hosting.Namespace, name).(*api.Job); is {
		// Another process left it so. Its pods are new to the controller, and may begin delays.
		project.record.State, project.record.changed = string(job.Status.State.Phase), true
	}
	features.ReplaceFeatureGates(withoutWatchList{features.FeatureGates()})
	// One that was there before is open, too.
	_, _ = run.Store.Give(queues, openQueue(), "")
	clients, own := run.Store.Clients(), fake.NewSimpleClientset()
	run.Store.Serve(&own.Fake)
	var err error
	framework.ForeachController(func(controller framework.Controller) {
		if controller.Name() != controllerName {
			return
		}
		err = controller.Initialize(&framework.ControllerOption{KubeClient: clients,
			VolcanoClient:           own,
			SharedInformerFactory:   informers.NewSharedInformerFactory(clients, 0),
			VCSharedInformerFactory: apiinformers.NewSharedInformerFactory(own, 0),
			WorkerNum:               1, MaxRequeueNum: maxRequeues})
		if err == nil {
			go controller.Run(ctx.Done())
		}
	})
	return err
}

// Changed writes down what the controller did.
func (project *project) Changed(before, after world.Object) { project.record.hear(before, after) }

// Places numbers pods: tasks follow each other, and in each its indexes.
func (project *project) Places(workers uint32) (int, func(*corev1.Pod) int) {
	object, err := project.settings.job(workers)
	hosting.Must(err)
	first, pods := firstPods(object)
	return pods, func(pod *corev1.Pod) int { return slotOf(pod, first) }
}

// Submit creates the job.
func (project *project) Submit(workers uint32) error {
	object, err := project.settings.job(workers)
	if err != nil {
		return err
	}
	_, err = project.run.Store.Give(jobs, object, hosting.Namespace)
	return err
}

// TakenUp does nothing: the controller's informers see the job.
func (project *project) TakenUp(uint32) {}

// Told is what the record has told.
func (project *project) Told() any { return &project.record.told }

// Steps is what the record has written down.
func (project *project) Steps() *hosting.Steps { return &project.record.Steps }

// Stop asks for the job's end as a user's command does.
func (project *project) Stop(int) {
	job := project.run.Store.Find(jobs, hosting.Namespace, name)
	if job == nil {
		return
	}
	project.record.Aborted = true
	// A second one of the same name is the same wish.
	_, _ = project.run.Store.Give(commands, &bus.Command{
		ObjectMeta: metav1.ObjectMeta{Name: "abort"}, Action: string(bus.AbortJobAction),
		TargetObject: metav1.NewControllerRef(job, api.SchemeGroupVersion.WithKind("Job")),
	}, hosting.Namespace)
}

// Schedule does what Volcano's scheduler, kubelets and the collector of pods do: groups of pods get
// their turn, pods that come while others train run and wait for them, and those of nodes that were
// taken away go.
func (project *project) Schedule() bool {
	store, kubelet, acted := project.run.Store, project.run.Kubelet(), false
	for _, group := range store.All(podGroups, hosting.Namespace) {
		if group.(*scheduling.PodGroup).Status.Phase == "" {
			project.become(group, scheduling.PodGroupInqueue)
			acted = true
		}
	}
	for _, pod := range project.run.Gang.Waiting() {
		kubelet.Run(pod)
		acted = true
	}
	for _, pod := range store.PodsOf(hosting.Namespace) {
		if drained(pod) {
			kubelet.Remove(pod.Name)
			acted = true
		}
	}
	return acted
}

func (project *project) become(group world.Object, phase scheduling.PodGroupPhase) {
	// One that is gone by now needs no phase.
	_, _ = project.run.Store.Change(podGroups, hosting.Namespace, group.GetName(),
		func(object world.Object) { object.(*scheduling.PodGroup).Status.Phase = phase })
}

// Room has the scheduler call a group Unknown of which some pods run while it finds no node for
// another.
func (project *project) Room(workers uint32) {
	if !project.isShort() || workers >= project.run.Gang.Workers() {
		return
	}
	for _, group := range project.run.Store.All(podGroups, hosting.Namespace) {
		project.become(group, scheduling.PodGroupUnknown)
	}
}

// isShort says whether the scheduler looks for a node while pods run, and somebody asks what came
// of it: of a job that was killed before, a group that is Unknown is no event.
func (project *project) isShort() bool {
	return project.record.State == string(api.Running) && project.record.Version == 0 &&
		project.run.Gang.Short() &&
		slices.ContainsFunc(project.settings.spec.Policies, func(policy api.LifecyclePolicy) bool {
			events := append(slices.Clone(policy.Events), policy.Event)
			return slices.Contains(events, bus.JobUnknownEvent) || slices.Contains(events, bus.AnyEvent)
		})
}

// Watch adds the moments at which a delay may be over that began now.
func (project *project) Watch(watch *messages.Watch, due *hosting.Due) {
	if !project.isShort() {
		project.shortUs = nil
	} else if project.shortUs == nil {
		project.shortUs = &due.NowUs
	}
	if project.shortUs != nil {
		watch.Capacity = &messages.Capacity{AnchorUs: *project.shortUs,
			Workers: project.run.Gang.Workers(), QueryPeriodUs: second, RequestPeriodUs: second}
	}
	if project.record.changed {
		project.record.changed = false
		for _, delay := range project.settings.timeouts() {
			project.alarms = append(project.alarms, due.NowUs+delay.Microseconds())
		}
	}
	project.alarms = slices.DeleteFunc(project.alarms,
		func(at int64) bool { return at <= due.NowUs })
	for _, at := range project.alarms {
		due.At(&at)
	}
}
