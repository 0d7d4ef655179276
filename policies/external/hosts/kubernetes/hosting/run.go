package hosting

import (
	"context"
	"encoding/json"
	"slices"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"aftershock.dev/hosts/kubernetes/gang"
	"aftershock.dev/hosts/kubernetes/messages"
	"aftershock.dev/hosts/kubernetes/world"
)

// Namespace of all objects.
const Namespace = "default"

// Project is what a hosted project has of its own: its objects, its controllers, and how that what
// these do is told.
type Project interface {
	// Ready describes the controllers, without their budgets.
	Ready() messages.Ready
	// Budgets are all budgets, with what is used of them.
	Budgets() []messages.Budget
	// Scheme knows all kinds of objects that the controllers have.
	Scheme() *runtime.Scheme
	// Start starts the controllers over the run's store; they end with the context.
	Start(ctx context.Context, run *Run) error
	// Changed hears of each change of the store, which is locked meanwhile.
	Changed(before, after world.Object)
	// Places is how many pods the job has, and the place of each of them.
	Places(workers uint32) (int, func(*corev1.Pod) int)
	// Submit creates what a user creates.
	Submit(workers uint32) error
	// TakenUp is called in the place of Submit where the objects of another process are there again.
	TakenUp(workers uint32)
	// Told is what goes on from one process to the next beside the objects: what JSON reads and
	// writes.
	Told() any
	// Steps is what the controllers have done and nobody has been told yet.
	Steps() *Steps
	// Decide adds steps for what the controllers did since the last batch, and ends the run with the
	// job.
	Decide()
	// Watch adds what the controllers themselves wait for.
	Watch(watch *messages.Watch, due *Due)
}

// Admits is a project that has webhooks, which complete what is to be created.
type Admits interface {
	Admit(object world.Object) error
}

// Replaces is a project whose controllers may replace a pod that is deleted when it is gone, and
// not before.
type Replaces interface {
	// FailsWhenGone says that such a pod has failed then, and not before.
	FailsWhenGone() bool
}

// Cluster is a project that has more of a cluster than its controllers. These start a moment before
// the first batch: those that come back find all objects when they start.
type Cluster interface {
	// Schedule does what is to be done at this moment, by a scheduler of its own for example. It
	// returns false where that was nothing.
	Schedule() bool
	// Room says how many workers the cluster could run, to those who watch that.
	Room(workers uint32)
	// Stop tells the controllers that the user stops the job, by the event at that place.
	Stop(at int)
}

// Run is one job from its submission to its end, under the controllers of a project.
type Run struct {
	Clock Clock
	Store *world.Store
	Gang  *gang.Gang // nil before the job is submitted

	project Project
	waits   Waits
	ctx     context.Context
	cancel  context.CancelFunc
	changed bool
	echoes  []int64 // when the controllers have heard of a change, from the next one on
	quietUs int64   // when they have done all that comes of it
	started bool    // the controllers of a cluster
	over    bool
	timers  []int
}

// Waits are those of a project's controllers between a change and what they do about it.
type Waits struct {
	Batched time.Duration // what they hear is looked at after so long
	Longest time.Duration // and what comes of it, but by a deadline, comes within so long
}

// margin is what a wait may be longer, as times of the API are whole seconds.
const margin = 5 * time.Second

// NewRun makes a run that has not begun.
func NewRun(project Project, waits Waits) *Run { return &Run{project: project, waits: waits} }

// Ready describes the controllers.
func (run *Run) Ready() messages.Ready {
	ready := run.project.Ready()
	ready.Budgets = run.project.Budgets()
	return ready
}

// Start has the controllers wait for the job.
func (run *Run) Start() {
	run.ctx, run.cancel = context.WithCancel(context.Background())
	admit := world.Admit
	if own, is := run.project.(Admits); is {
		admit = own.Admit
	}
	run.Store = world.NewStore(run.project.Scheme(), admit,
		func(before, after world.Object) {
			run.changed = true
			run.project.Changed(before, after)
		})
	if _, is := run.project.(Cluster); is {
		run.Clock = newClock()
		return
	}
	Must(run.project.Start(run.ctx, run))
	run.Clock = NewClock()
}

// startCluster starts the controllers before the first batch, behind what they find.
func (run *Run) startCluster(batch messages.Batch) {
	run.Clock.Advance(batch.TUs - secondUs)
	if slices.ContainsFunc(batch.Events, func(event messages.Event) bool {
		return event.Durable != ""
	}) {
		run.submit(batch)
	}
	Must(run.project.Start(run.ctx, run))
	run.started = true
}

// End ends the controllers.
func (run *Run) End() { EndControllers(run.cancel) }

// Durable is all objects of the cluster: each change is stored when it is made.
func (run *Run) Durable() json.RawMessage {
	if run.Gang == nil {
		return json.RawMessage(`""`)
	}
	return Keep(run.Store, run.Gang.Durable(), run.project.Told())
}

// Decide passes the time until the batch, tells of its events, and says what came of both.
func (run *Run) Decide(batch messages.Batch) messages.Decide {
	if _, is := run.project.(Cluster); is && !run.started {
		run.startCluster(batch)
	}
	run.Clock.Advance(batch.TUs)
	if run.over {
		return messages.Decide{}
	}
	if run.Gang == nil {
		run.submit(batch)
	}
	if run.Gang == nil {
		return messages.Decide{}
	}
	run.Gang.Pass(batch.TUs)
	run.timers = nil
	for at, event := range batch.Events {
		if event.Type == "timer" {
			run.timers = append(run.timers, at)
		}
		run.hear(at, event)
	}
	if !run.over { // a job that its user has deleted decides nothing more
		run.settle()
		run.project.Decide()
		run.project.Steps().onTime(batch.Events)
	}
	budgets := run.project.Budgets()
	for at := range budgets {
		budgets[at].Name = ""
	}
	steps := run.project.Steps()
	return messages.Decide{Steps: steps.Take(run.Gang.Take()), Watch: run.watch(batch.TUs),
		State: steps.State, Budgets: budgets}
}

// Kubelet is that of all pods. Where the project has a cluster, its controllers act on a pod that
// ends at once.
func (run *Run) Kubelet() world.Kubelet {
	kubelet := world.Kubelet{Store: run.Store, Namespace: Namespace}
	if _, is := run.project.(Cluster); is {
		kubelet.Seen = synctest.Wait
	}
	return kubelet
}

// settle has all answer each other until nobody has more to say at this moment.
func (run *Run) settle() {
	cluster, is := run.project.(Cluster)
	for {
		Settle(run.Store, run.Gang)
		if !is || !cluster.Schedule() {
			return
		}
	}
}

// submit makes the job, or takes up the one that is there.
func (run *Run) submit(batch messages.Batch) {
	begin, is := BeginOf(batch)
	if !is {
		return
	}
	pods, placeOf := run.project.Places(begin.Workers)
	run.Gang = gang.New(run.Kubelet(), pods, placeOf, begin.Workers)
	if project, is := run.project.(Replaces); is {
		run.Gang.FailsWhenGone = project.FailsWhenGone()
	}
	Must(run.Gang.Restore(begin.Kept.Beside, begin.Job, begin.Epoch))
	if begin.Kept.Are() {
		goesOn := run.Gang.GoOn(batch.Events)
		run.takeUp(begin.Kept, goesOn)
		if _, is := run.project.(Cluster); is && goesOn {
			run.Gang.Ran() // before its controllers start, and whether they were there or not
		}
		run.project.TakenUp(begin.Workers)
	} else {
		Must(run.project.Submit(begin.Workers))
		run.Gang.Ask(messages.Command{Type: "persist"})
	}
}

// takeUp goes on from what was stored; pods whose processes are gone are gone with them.
func (run *Run) takeUp(kept Kept, goesOn bool) {
	begins := run.project.Steps().State
	kept.Restore(run.Store, goesOn, run.project.Told())
	if !goesOn { // of what was told before only the counts are left
		run.project.Steps().State = begins
	}
}

func (run *Run) hear(at int, event messages.Event) {
	switch event.Type {
	case "stop_requested":
		if cluster, is := run.project.(Cluster); is {
			cluster.Stop(at)
			return
		}
		run.project.Steps().deleted(at)
		run.Fail("stopped_by_user")
	case "device_fault", "hang_suspected", "preemption_notice":
		run.project.Steps().reject(at)
	case "capacity_changed":
		if cluster, is := run.project.(Cluster); is {
			cluster.Room(event.Workers)
		}
	default:
		run.Gang.Hear(event)
	}
}

// Timers are the events of the present batch of which nobody tells but the clock: what a step saw
// that is about time alone.
func (run *Run) Timers() []int { return run.timers }

// Over says whether the job has ended.
func (run *Run) Over() bool { return run.over }

// Fail ends the run with the job, and with it all that was about to be asked for.
func (run *Run) Fail(reason string) {
	run.Gang.Take()
	run.Gang.Ask(messages.Command{Type: "fail", Reason: reason})
	run.over = true
}

// Complete ends the run with the job.
func (run *Run) Complete() {
	run.Gang.Ask(messages.Command{Type: "complete"})
	run.over = true
}

// watch is what the run waits for: the processes, and the next moment at which something is due.
func (run *Run) watch(nowUs int64) messages.Watch {
	watch := messages.Watch{}
	if run.over {
		return watch
	}
	if run.Gang.Live() {
		watch.Futures = &messages.Futures{Epoch: run.Gang.Epoch()}
	}
	if run.changed {
		echoUs := nowUs + run.waits.Batched.Microseconds()
		run.changed, run.echoes = false, append(run.echoes, echoUs)
		run.quietUs = echoUs + (run.waits.Longest + margin).Microseconds()
	}
	due := Due{NowUs: nowUs, quietUs: run.quietUs}
	due.At(run.Gang.WakeUs(run.Clock.At))
	run.echoes = slices.DeleteFunc(run.echoes, func(at int64) bool { return at <= nowUs })
	if len(run.echoes) > 0 {
		due.At(&run.echoes[0])
	}
	run.project.Watch(&watch, &due)
	watch.WakeUs = due.WakeUs
	return watch
}
