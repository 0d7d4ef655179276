// Package rayjob hosts the RayJob reconciler of KubeRay over the Job controller of Kubernetes, both
// over one store. In each Ray job that it submits a script trains after Ray Train's rule of
// max_failures, which is this package's own.
package rayjob

import (
	"context"
	"encoding/json"
	"sync"
	"testing/synctest"
	"time"

	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"
	controllers "github.com/ray-project/kuberay/ray-operator/controllers/ray"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"aftershock.dev/hosts/kubernetes/hosting"
	"aftershock.dev/hosts/kubernetes/job"
	"aftershock.dev/hosts/kubernetes/messages"
	"aftershock.dev/hosts/kubernetes/objects"
	"aftershock.dev/hosts/kubernetes/world"
)

// Version of KubeRay that is hosted, as go.mod has it.
const Version = "1.6.0"

const name = "rayjob"

// Host is the host of KubeRay's controller of RayJobs.
func Host() messages.Host {
	return messages.Host{Name: name, Version: "kuberay " + Version,
		Begin: func(world messages.World) (messages.Run, []messages.Issue) {
			settings, issues := read(world.Policy)
			made := &run{settings: settings, told: told{Steps: hosting.NewSteps(name, fresh)}}
			made.driver.maxFailures = settings.failure.MaxFailures
			return made, issues
		}}
}

var kinds = hosting.Kinds(rayv1.AddToScheme)

// run is one RayJob from its submission to its end.
type run struct {
	settings settings
	clock    hosting.Clock
	cancel   context.CancelFunc
	store    *world.Store
	news     objects.News
	told     told
	fresh    []*rayv1.RayJob // as it was after each change that nobody has looked at
	gone     []string        // clusters
	timers   []int
	over     bool
	there    bool // the RayJob was submitted

	mutex  sync.Mutex // of what the dashboard tells
	driver driver
}

// Ready describes the controllers.
func (run *run) Ready() messages.Ready {
	return messages.Ready{Name: name, Profile: Version,
		Summary: "RayJob of KubeRay " + Version + " over the Job controller of Kubernetes " +
			job.Version,
		States: []string{fresh, initializing, running, retrying, complete, failed,
			hosting.Deleted},
		State: fresh, Rules: rules(), Budgets: run.budgets(), WatchesNodes: true,
		PodsAreObjects: true}
}

// manages is what the reconciler asks a manager for.
type manages struct {
	manager.Manager
	client client.Client
}

// GetClient is the client over the store.
func (manages manages) GetClient() client.Client { return manages.client }

// GetScheme knows all kinds.
func (manages manages) GetScheme() *runtime.Scheme { return kinds }

// GetEventRecorderFor takes events that nobody reads.
func (manages manages) GetEventRecorderFor(string) record.EventRecorder {
	return &record.FakeRecorder{}
}

// Start has the controllers wait for the RayJob.
func (run *run) Start() {
	var ctx context.Context
	ctx, run.cancel = context.WithCancel(context.Background())
	rand.Seed(1) // names of clusters and jobs
	run.news = objects.NewNews()
	run.store = world.NewStore(kinds, world.Admit, run.changed)
	hosting.Must(job.StartController(ctx, run.store))
	reconciler := controllers.NewRayJobReconciler(ctx,
		manages{client: objects.New(run.store, kinds)}, controllers.RayJobReconcilerOptions{}, run)
	hosting.Must(objects.Start(ctx, name, reconciler, run.news))
	run.clock = hosting.NewClock()
}

func about() event.GenericEvent {
	return event.GenericEvent{Object: &rayv1.RayJob{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: hosting.Namespace}}}
}

// End ends the controllers.
func (run *run) End() { hosting.EndControllers(run.cancel) }

// Durable is all objects of the cluster, and what goes on without the controllers: the Ray job.
func (run *run) Durable() json.RawMessage {
	if !run.there {
		return json.RawMessage(`""`)
	}
	driver, err := json.Marshal(run.driver.memory)
	hosting.Must(err)
	return hosting.Keep(run.store, driver, run.told)
}

// Decide passes the time until the batch, tells of its events, and says what came of both.
func (run *run) Decide(batch messages.Batch) messages.Decide {
	run.driver.nowUs = batch.TUs
	run.clock.Advance(batch.TUs)
	if run.over {
		return messages.Decide{}
	}
	run.submit(batch)
	if !run.there {
		return messages.Decide{}
	}
	run.settle()
	run.timers = nil
	for at, event := range batch.Events {
		run.hear(at, event)
	}
	run.settle()
	budgets := run.budgets()
	for at := range budgets {
		budgets[at].Name = ""
	}
	return messages.Decide{Steps: run.told.Take(run.driver.take()), Watch: run.watch(batch.TUs),
		State: run.told.State, Budgets: budgets}
}

// settle has the controllers and the cluster answer each other until nobody has more to say.
func (run *run) settle() {
	for {
		synctest.Wait()
		for _, cluster := range run.gone {
			run.driver.clusterGone(cluster)
		}
		run.gone = nil
		looked := run.fresh
		run.fresh = nil
		for _, job := range looked {
			run.look(job)
		}
		if run.over || !run.store.Collect() && !run.tend() {
			return
		}
	}
}

// submit makes the RayJob, or takes up the one that is there.
func (run *run) submit(batch messages.Batch) {
	begin, is := hosting.BeginOf(batch)
	if !is {
		return
	}
	run.driver.job, run.driver.Epoch = begin.Job, begin.Epoch
	run.there, run.driver.workers = true, begin.Workers
	if !begin.Kept.Are() {
		_, err := run.store.Give(rayJobs, run.settings.rayJob(), hosting.Namespace)
		hosting.Must(err)
		run.driver.ask(messages.Command{Type: "persist"})
		return
	}
	hosting.Must(run.driver.restore(begin.Kept.Beside, begin.Epoch, batch.Events))
	rand.Seed(int64(1 + len(run.driver.Jobs))) // no name is given twice
	begin.Kept.Restore(run.store, true, &run.told)
	run.news <- about()
}

func (run *run) hear(at int, event messages.Event) {
	switch event.Type {
	case "stop_requested":
		run.told.Move(user, hosting.Deleted).Saw = []int{at}
		run.driver.ask(messages.Command{Type: "fail", Reason: "stopped_by_user"})
		run.over = true
	case "device_fault", "hang_suspected", "preemption_notice":
		step := run.told.Step(unheard)
		step.Saw = []int{at}
		step.Rejected = []messages.Rejected{{What: "restart",
			Why: "KubeRay sees how a Ray job ends, and its script how workers do"}}
	case "timer":
		run.timers = append(run.timers, at)
	default:
		run.script(run.driver.hear(event), at)
	}
}

// watch is what the run waits for: the workers, and the next look of a reconciler that has
// something to see. It looks every 3 s; while a Ray job runs there is nothing.
func (run *run) watch(nowUs int64) messages.Watch {
	watch := messages.Watch{}
	if run.over {
		return watch
	}
	if run.driver.Stage == live {
		watch.Futures = &messages.Futures{Epoch: run.driver.Epoch}
	}
	due := hosting.Due{NowUs: nowUs}
	job, is := run.store.Find(rayJobs, hosting.Namespace, name).(*rayv1.RayJob)
	if !is {
		return watch
	}
	steady := job.Status.JobDeploymentStatus == rayv1.JobDeploymentStatusRunning &&
		run.driver.runs() && job.Status.JobStatus == run.driver.now().Status
	if seconds := job.Spec.ActiveDeadlineSeconds; seconds != nil && job.Status.StartTime != nil {
		at := run.clock.At(job.Status.StartTime.Add(time.Duration(*seconds) * time.Second))
		due.At(&at)
		steady = steady && nowUs < at
	}
	if !steady {
		whole := (nowUs/1_000_000 + 1) * 1_000_000
		due.At(&whole)
	}
	watch.WakeUs = due.WakeUs
	return watch
}

// unixMs is a time of the simulator as the dashboard writes it.
func (run *run) unixMs(us int64) uint64 { return uint64(run.clock.Bubble(us).UnixMilli()) }
