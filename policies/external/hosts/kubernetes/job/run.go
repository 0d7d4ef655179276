// Package job hosts the Job controller of Kubernetes: pods of one Job that train together.
package job

import (
	"context"
	"encoding/json"
	"fmt"
	"testing/synctest"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/scheme"
	controllers "k8s.io/kubernetes/pkg/controller/job"

	"aftershock.dev/hosts/kubernetes/gang"
	"aftershock.dev/hosts/kubernetes/hosting"
	"aftershock.dev/hosts/kubernetes/messages"
	"aftershock.dev/hosts/kubernetes/world"
)

// Version of Kubernetes whose controller is hosted, as go.mod has it.
const Version = "1.36.3"

const (
	name      = "job"
	namespace = "default"
)

// Host is the host of the Job controller.
func Host() messages.Host {
	return messages.Host{Name: name, Version: "kubernetes " + Version,
		Begin: func(world messages.World) (messages.Run, []messages.Issue) {
			settings, issues := read(world.Policy)
			return &run{settings: settings}, issues
		}}
}

// run is one Job from its submission to its end.
type run struct {
	settings settings
	clock    hosting.Clock
	cancel   context.CancelFunc
	store    *world.Store
	gang     *gang.Gang
	record   record
	echoUs   int64 // when the controller has heard of the last change
	over     bool
}

// Ready describes the controller.
func (run *run) Ready() messages.Ready {
	return messages.Ready{Name: name, Profile: Version,
		Summary: fmt.Sprintf("The Job controller of Kubernetes %s", Version),
		States:  []string{pending, running, recovering, terminating, complete, failed, deleted},
		State:   pending, Rules: rules(), Budgets: run.settings.budgets(),
		WatchesNodes: true, LeavesPeers: true, ChargesPods: true, PodsAreObjects: true}
}

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

// Start has the controller wait for its Job.
func (run *run) Start() {
	var ctx context.Context
	ctx, run.cancel = context.WithCancel(context.Background())
	run.record = record{limits: run.settings.limits(),
		told: told{State: pending, Conditions: map[string]bool{}}}
	run.store = world.NewStore(scheme.Scheme, world.Admit, run.record.hear)
	if err := StartController(ctx, run.store); err != nil {
		panic(err)
	}
	run.clock = hosting.NewClock()
}

// End ends the controller.
func (run *run) End() {
	run.cancel()
	synctest.Wait()
	time.Sleep(time.Minute)
}

// durable is what another process needs.
type durable struct {
	Store json.RawMessage `json:"store"`
	Gang  json.RawMessage `json:"gang"`
	Told  told            `json:"told"`
}

// Durable is all objects of the cluster: each change is stored when it is made.
func (run *run) Durable() json.RawMessage {
	if run.gang == nil {
		return json.RawMessage(`""`)
	}
	objects, err := run.store.Durable()
	if err != nil {
		panic(err)
	}
	text, err := json.Marshal(durable{objects, run.gang.Durable(), run.record.told})
	if err != nil {
		panic(err)
	}
	return text
}

// Decide passes the time until the batch, tells of its events, and says what came of both.
func (run *run) Decide(batch messages.Batch) messages.Decide {
	run.clock.Advance(batch.TUs)
	if run.over {
		return messages.Decide{}
	}
	if run.gang == nil {
		run.submit(batch)
	}
	if run.gang == nil {
		return messages.Decide{}
	}
	run.gang.Pass(batch.TUs)
	for at, event := range batch.Events {
		run.hear(at, event)
	}
	hosting.Settle(run.store, run.gang)
	run.decide(run.object())
	budgets := run.settings.budgets()
	for at, used := range []int64{run.record.Failed, run.record.Indexes} {
		budgets[at].Name, budgets[at].Used = "", used
	}
	return messages.Decide{Steps: run.record.take(run.gang), Watch: run.watch(batch.TUs),
		State: run.record.State, Budgets: budgets}
}

// submit makes the Job, or takes up the one that is there.
func (run *run) submit(batch messages.Batch) {
	var kept durable
	var job, epoch uint32
	for _, event := range batch.Events {
		switch event.Type {
		case "controller_started":
			job, epoch = event.Job, event.Epoch
			if event.Durable != "" {
				if err := json.Unmarshal([]byte(event.Durable), &kept); err != nil {
					panic(err)
				}
			}
		case "job_submitted":
			object := run.settings.job(event.Workers)
			run.gang = gang.New(world.Kubelet{Store: run.store, Namespace: namespace},
				int(*object.Spec.Completions), slotsOf(run.store), event.Workers)
			if err := run.gang.Restore(kept.Gang, job, epoch); err != nil {
				panic(err)
			}
			if len(kept.Store) > 0 {
				run.takeUp(kept, run.gang.GoOn(batch.Events))
			} else if _, err := run.store.Give(world.Jobs, object, namespace); err != nil {
				panic(err)
			} else {
				run.gang.Ask(messages.Command{Type: "persist"})
			}
		}
	}
}

// takeUp goes on from what was stored; pods whose processes are gone are gone with them.
func (run *run) takeUp(kept durable, goesOn bool) {
	if err := run.store.Restore(kept.Store, func(object world.Object) bool {
		_, isPod := object.(*corev1.Pod)
		return isPod && !goesOn
	}); err != nil {
		panic(err)
	}
	run.record.told = kept.Told
}

func (run *run) hear(at int, event messages.Event) {
	switch event.Type {
	case "stop_requested":
		run.record.move(user, deleted).Saw = []int{at}
		run.gang.Ask(messages.Command{Type: "fail", Reason: "stopped_by_user"})
		run.over = true
	case "device_fault", "hang_suspected", "preemption_notice":
		run.record.reject(at)
	default:
		run.gang.Hear(event)
	}
}

// object is the Job, or nil where it is gone.
func (run *run) object() *batchv1.Job {
	object, is := run.store.Find(world.Jobs, namespace, name).(*batchv1.Job)
	if !is {
		return nil
	}
	return object
}

// watch is what the run waits for: the processes, and the next moment at which something is due.
func (run *run) watch(nowUs int64) messages.Watch {
	if run.over {
		return messages.Watch{}
	}
	watch := messages.Watch{}
	if run.gang.Live() {
		watch.Futures = &messages.Futures{Epoch: run.gang.Epoch()}
	}
	due := hosting.Due{NowUs: nowUs}
	due.At(run.gang.WakeUs(run.clock.At))
	object := run.object()
	if backoff := run.backoff(object); backoff != nil && backoff.UntilUs > nowUs {
		watch.Backoff = backoff
		due.At(&backoff.UntilUs)
	}
	if at := DeadlineUs(object, run.clock.At); at != nil && *at > nowUs {
		due.At(at)
	}
	if run.record.changed {
		run.record.changed, run.echoUs = false, nowUs+controllers.SyncJobBatchPeriod.Microseconds()
	}
	due.At(&run.echoUs)
	if watch.Backoff == nil && run.unsettled(object) {
		due.Soon()
	}
	watch.WakeUs = due.WakeUs
	return watch
}

// slotsOf numbers pods by their completion index, and where they have none as they come.
func slotsOf(store *world.Store) func(*corev1.Pod) int {
	given := map[string]int{}
	return func(pod *corev1.Pod) int { return slotOf(store, pod, given) }
}
