// Package jobset hosts JobSet's reconciler over the Job controller of Kubernetes, both over one
// store: Jobs whose pods train together.
package jobset

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"testing/synctest"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	controllers "k8s.io/kubernetes/pkg/controller/job"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/source"
	api "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	reconcilers "sigs.k8s.io/jobset/pkg/controllers"

	"aftershock.dev/hosts/kubernetes/gang"
	"aftershock.dev/hosts/kubernetes/hosting"
	"aftershock.dev/hosts/kubernetes/job"
	"aftershock.dev/hosts/kubernetes/messages"
	"aftershock.dev/hosts/kubernetes/world"
)

// Version of JobSet that is hosted, as go.mod has it.
const Version = "0.12.0"

const (
	name      = "jobset"
	namespace = "default"
	// news is how many changes may wait for the reconciler.
	news = 1 << 14
)

// Host is the host of JobSet's controller.
func Host() messages.Host {
	return messages.Host{Name: name, Version: "jobset " + Version,
		Begin: func(world messages.World) (messages.Run, []messages.Issue) {
			settings, issues := read(world.Policy)
			return &run{settings: settings}, issues
		}}
}

// run is one JobSet from its submission to its end.
type run struct {
	settings settings
	clock    hosting.Clock
	cancel   context.CancelFunc
	store    *world.Store
	gang     *gang.Gang
	record   record
	changes  chan event.GenericEvent
	echoUs   int64
	over     bool
}

// Start has both controllers wait for the set.
func (run *run) Start() {
	var ctx context.Context
	ctx, run.cancel = context.WithCancel(context.Background())
	run.record = record{told: told{State: pending, Conditions: map[string]bool{}}}
	run.changes = make(chan event.GenericEvent, news)
	all := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{scheme.AddToScheme, api.AddToScheme} {
		must(add(all))
	}
	run.store = world.NewStore(all, world.Admit, run.changed)
	must(job.StartController(ctx, run.store))
	reconciler := reconcilers.NewJobSetReconciler(objects{store: run.store}, all, unread{})
	once := true
	own, err := controller.NewUnmanaged(name, controller.Options{Reconciler: reconciler,
		MaxConcurrentReconciles: 1, SkipNameValidation: &once})
	must(err)
	must(own.Watch(source.Channel(run.changes, &handler.EnqueueRequestForObject{})))
	go func() { must(own.Start(ctx)) }()
	run.clock = hosting.NewClock()
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// changed wakes the reconciler for the set and for what it owns, and writes down what it did.
func (run *run) changed(before, after world.Object) {
	run.record.hear(before, after)
	object := after
	if object == nil {
		object = before
	}
	switch object.(type) {
	case *api.JobSet, *batchv1.Job:
		run.changes <- event.GenericEvent{Object: run.settings.set(1)}
	}
}

// End ends both controllers.
func (run *run) End() {
	run.cancel()
	synctest.Wait()
	time.Sleep(time.Minute)
}

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
	must(err)
	text, err := json.Marshal(durable{objects, run.gang.Durable(), run.record.told})
	must(err)
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
	run.decide()
	return messages.Decide{Steps: run.record.take(run.gang), Watch: run.watch(batch.TUs),
		State:   run.record.State,
		Budgets: []messages.Budget{{Used: run.record.Restarts, Limit: run.settings.limit()}}}
}

// submit makes the set, or takes up the one that is there.
func (run *run) submit(batch messages.Batch) {
	var kept durable
	var number, epoch uint32
	for _, event := range batch.Events {
		switch event.Type {
		case "controller_started":
			number, epoch = event.Job, event.Epoch
			if event.Durable != "" {
				must(json.Unmarshal([]byte(event.Durable), &kept))
			}
		case "job_submitted":
			object := run.settings.set(event.Workers)
			first := firstPods(object)
			run.gang = gang.New(world.Kubelet{Store: run.store, Namespace: namespace},
				first[len(first)-1], func(pod *corev1.Pod) int { return slotOf(pod, first) },
				event.Workers)
			must(run.gang.Restore(kept.Gang, number, epoch))
			if len(kept.Store) > 0 {
				goesOn := run.gang.GoOn(batch.Events)
				must(run.store.Restore(kept.Store, func(object world.Object) bool {
					_, isPod := object.(*corev1.Pod)
					return isPod && !goesOn
				}))
				run.record.told = kept.Told
				run.changes <- event0(object)
				continue
			}
			_, err := run.store.Give(sets, object, namespace)
			must(err)
			run.gang.Ask(messages.Command{Type: "persist"})
		}
	}
}

func event0(object *api.JobSet) event.GenericEvent { return event.GenericEvent{Object: object} }

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

// watch is what the run waits for: the processes, and the next moment at which something is due.
func (run *run) watch(nowUs int64) messages.Watch {
	watch := messages.Watch{}
	if run.over {
		return watch
	}
	if run.gang.Live() {
		watch.Futures = &messages.Futures{Epoch: run.gang.Epoch()}
	}
	due := hosting.Due{NowUs: nowUs}
	due.At(run.gang.WakeUs(run.clock.At))
	if run.record.changed {
		run.record.changed, run.echoUs = false, nowUs+controllers.SyncJobBatchPeriod.Microseconds()
	}
	due.At(&run.echoUs)
	for _, object := range run.store.All(world.Jobs, namespace) {
		due.At(job.DeadlineUs(object.(*batchv1.Job), run.clock.At))
	}
	if !run.gang.Live() || run.gang.Unmet() {
		due.Soon()
	}
	watch.WakeUs = due.WakeUs
	return watch
}

// Ready describes the controller.
func (run *run) Ready() messages.Ready {
	return messages.Ready{Name: name, Profile: Version,
		Summary: "The JobSet controller " + Version + " over the Job controller of Kubernetes " +
			job.Version,
		States: slices.Clone(states), State: pending, Rules: rules(),
		Budgets:      []messages.Budget{{Name: maxRestarts, Limit: run.settings.limit()}},
		WatchesNodes: true, LeavesPeers: true, PodsAreObjects: true}
}
