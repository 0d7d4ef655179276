package gang

import (
	"slices"
	"strconv"
	"testing"
	"testing/synctest"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"

	"aftershock.dev/hosts/kubernetes/messages"
	"aftershock.dev/hosts/kubernetes/world"
)

const space = "default"

// stage is a gang of two pods with two ranks each, and its cluster.
type stage struct {
	t     *testing.T
	store *world.Store
	gang  *Gang
}

func newStage(t *testing.T) stage {
	store := world.NewStore(scheme.Scheme, nil, nil)
	slotOf := func(pod *corev1.Pod) int {
		slot, _ := strconv.Atoi(pod.Labels["slot"])
		return slot
	}
	return stage{t, store, New(world.Kubelet{Store: store, Namespace: space}, 2, slotOf, 4)}
}

func (stage stage) give(slot int) string {
	grace := int64(30)
	made, err := stage.store.Give(world.Pods, &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "p-",
			Labels: map[string]string{"slot": strconv.Itoa(slot)}},
		Spec: corev1.PodSpec{TerminationGracePeriodSeconds: &grace,
			Containers: []corev1.Container{{Name: "c"}}},
		Status: corev1.PodStatus{Phase: corev1.PodPending}}, space)
	if err != nil {
		stage.t.Fatal(err)
	}
	return made.GetName()
}

func (stage stage) pod(name string) *corev1.Pod {
	pod, _ := stage.store.Find(world.Pods, space, name).(*corev1.Pod)
	return pod
}

// asks advances the gang, and compares what it asks for.
func (stage stage) asks(want ...string) {
	stage.t.Helper()
	for stage.gang.Advance() {
		continue
	}
	got := []string{}
	for _, command := range stage.gang.Take() {
		got = append(got, command.Type)
	}
	if !slices.Equal(got, want) {
		stage.t.Errorf("asks for %v, not %v", got, want)
	}
}

func (stage stage) hear(kind string, ranks ...uint32) {
	stage.gang.Hear(messages.Event{Type: kind, Epoch: stage.gang.Epoch(), Ranks: ranks, Kind: "exit",
		Stage: "launch"})
}

func TestAGangWaitsForAllItsPods(t *testing.T) {
	stage := newStage(t)
	one := stage.give(0)
	stage.asks()
	stage.give(1)
	stage.asks("start_attempt")
	stage.hear("attempt_running")
	if !stage.gang.Whole() || stage.pod(one).Status.Phase != corev1.PodRunning {
		t.Error("it does not run")
	}
	stage.hear("workers_failed", 1)
	if code := stage.pod(one).Status.ContainerStatuses[0].State.Terminated.ExitCode; code != 1 {
		t.Errorf("exit code %d", code)
	}
	stage.give(0)
	stage.asks() // the new pod waits for the other
	stage.hear("workers_failed", 2, 3)
	stage.asks("stop_workers")
	stage.hear("workers_stopped")
	stage.asks()
	stage.give(1)
	stage.asks("start_attempt")
	if stage.gang.Failures(false) != 2 || stage.gang.Failures(true) != 1 {
		t.Errorf("%d failures", stage.gang.Failures(false))
	}
}

func TestAStartThatFailsIsMended(t *testing.T) {
	stage := newStage(t)
	stage.give(0)
	well := stage.give(1)
	stage.asks("start_attempt")
	stage.hear("attempt_start_failed", 0)
	stage.asks()
	stage.give(0)
	stage.asks("stop_workers")
	stage.hear("workers_stopped")
	stage.asks("recreate_pods")
	stage.hear("attempt_running")
	if !stage.gang.Whole() || stage.pod(well).Status.Phase != corev1.PodRunning {
		t.Error("it does not run")
	}
}

func TestPodsOfALostNode(t *testing.T) {
	for _, row := range []struct {
		name       string
		stays      bool
		after      messages.Event
		atEviction corev1.PodPhase // empty: it is gone
		gone       bool
	}{
		{name: "gone when it is evicted", atEviction: "", gone: true},
		{name: "removed", stays: true, atEviction: corev1.PodRunning, gone: true,
			after: messages.Event{Type: "node_unreachable", Removed: true}},
		{name: "the kubelet is back", stays: true, atEviction: corev1.PodRunning, gone: true,
			after: messages.Event{Type: "node_joined"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			stage := newStage(t)
			one := stage.give(0)
			stage.give(1)
			stage.asks("start_attempt")
			stage.hear("attempt_running")
			stage.gang.Hear(messages.Event{Type: "node_unreachable", Ranks: messages.Range(0, 2),
				Stays: row.stays})
			stage.gang.Pass(evictedAfter.Microseconds() - 1)
			if stage.pod(one).DeletionTimestamp != nil {
				t.Errorf("%s: evicted early", row.name)
			}
			stage.gang.Pass(evictedAfter.Microseconds())
			phase := corev1.PodPhase("")
			if pod := stage.pod(one); pod != nil {
				phase = pod.Status.Phase
			}
			if phase != row.atEviction {
				t.Errorf("%s: %q when it is evicted", row.name, phase)
			}
			row.after.Ranks = messages.Range(0, 2)
			stage.gang.Hear(row.after)
			if (stage.pod(one) == nil) != row.gone {
				t.Errorf("%s: %+v in the end", row.name, stage.pod(one))
			}
			if stage.gang.Whole() {
				t.Errorf("%s: it is whole without the pod", row.name)
			}
		})
	}
}

func TestPodsThatAreDeletedEnd(t *testing.T) {
	stage := newStage(t)
	one, other := stage.give(0), stage.give(1)
	stage.asks("start_attempt")
	stage.hear("attempt_running")
	for _, name := range []string{one, other} {
		if err := stage.store.Delete(world.Pods, space, name, metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	stage.asks("stop_workers")
	if stage.pod(one) == nil {
		t.Error("a pod is gone before its processes")
	}
	stage.hear("workers_stopped")
	if stage.pod(one) != nil || stage.pod(other) != nil {
		t.Error("something is left")
	}
}

// Containers that a kubelet starts again wait for each other, at first without a delay, and are
// those of the next attempt; where their pods were deleted meanwhile, they go.
func TestContainersAreStartedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stage := newStage(t)
		for slot := range 2 {
			name := stage.give(slot)
			if _, err := stage.store.Change(world.Pods, space, name, func(object world.Object) {
				object.(*corev1.Pod).Spec.RestartPolicy = corev1.RestartPolicyOnFailure
			}); err != nil {
				t.Fatal(err)
			}
		}
		stage.asks("start_attempt")
		stage.gang.Hear(messages.Event{Type: "attempt_running", Epoch: 1})
		fail := func(epoch uint32, ranks ...uint32) {
			stage.gang.Hear(messages.Event{Type: "workers_failed", Epoch: epoch, Ranks: ranks})
		}
		stop := func(epoch uint32) {
			stage.gang.Hear(messages.Event{Type: "workers_stopped", Epoch: epoch})
		}
		fail(1, 0)
		stage.asks()
		if stage.gang.Whole() {
			t.Error("whole without a process")
		}
		fail(1, 0, 1, 2)
		stage.asks("stop_workers")
		stop(1)
		stage.asks("restart_processes")
		pod := stage.pod("p-00001")
		if pod.Status.Phase != corev1.PodRunning ||
			pod.Status.ContainerStatuses[0].RestartCount != 1 {
			t.Errorf("%+v", pod.Status)
		}
		stage.gang.Hear(messages.Event{Type: "attempt_running", Epoch: 2})
		fail(2, 0, 1, 2, 3)
		stage.asks() // 10 s
		stage.gang.Pass(firstDelayUs)
		stage.asks("stop_workers")
		if err := stage.store.Delete(world.Pods, space, "p-00001", metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		stop(2)
		stage.asks("stop_workers")
		stop(2)
		stage.asks()
		if stage.pod("p-00001") != nil {
			t.Error("a pod that was deleted stays")
		}
	})
}
