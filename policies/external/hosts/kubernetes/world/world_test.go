package world

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
)

const space = "default"

var jobs = batchv1.SchemeGroupVersion.WithResource("jobs")

func newStore() *Store { return NewStore(scheme.Scheme, nil, nil) }

func pod(name string) *corev1.Pod {
	grace := int64(30)
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{GenerateName: name},
		Spec: corev1.PodSpec{TerminationGracePeriodSeconds: &grace,
			Containers: []corev1.Container{{Name: "worker"}}}}
}

func give(t *testing.T, store *Store, object *corev1.Pod) *corev1.Pod {
	t.Helper()
	made, err := store.Give(Pods, object, space)
	if err != nil {
		t.Fatal(err)
	}
	return made.(*corev1.Pod)
}

func TestNamesAndVersions(t *testing.T) {
	store := newStore()
	one, other := give(t, store, pod("a-")), give(t, store, pod("a-"))
	if one.Name == other.Name || one.UID == other.UID || one.ResourceVersion == other.ResourceVersion {
		t.Errorf("%s and %s are alike", one.Name, other.Name)
	}
	if one.CreationTimestamp.IsZero() || one.Generation != 1 {
		t.Errorf("made %v, generation %d", one.CreationTimestamp, one.Generation)
	}
	again := newStore()
	if same := give(t, again, pod("a-")); same.Name != one.Name || same.UID != one.UID {
		t.Errorf("%s in one store, %s in another", one.Name, same.Name)
	}
}

func TestReplaceTakesItsPart(t *testing.T) {
	store := newStore()
	made := give(t, store, pod("a-"))
	stale := made.DeepCopy()
	made.Status.Message, made.Spec.NodeName = "status", "node"
	stored, err := store.Replace(Pods, made, space, true)
	if err != nil {
		t.Fatal(err)
	}
	now := stored.(*corev1.Pod)
	if now.Status.Message != "status" || now.Spec.NodeName != "" || now.Generation != 1 {
		t.Errorf("the status alone is taken: %+v", now)
	}
	now.Status.Message, now.Spec.NodeName = "", "node"
	stored, err = store.Replace(Pods, now, space, false)
	if err != nil {
		t.Fatal(err)
	}
	now = stored.(*corev1.Pod)
	if now.Status.Message != "status" || now.Spec.NodeName != "node" || now.Generation != 2 {
		t.Errorf("all but the status is taken: %+v", now)
	}
	if _, err := store.Replace(Pods, stale, space, false); !apierrors.IsConflict(err) {
		t.Errorf("an old version is stored: %v", err)
	}
}

func TestGracefulDeletion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, row := range []struct {
			node      string
			phase     corev1.PodPhase
			finalizer string
			stays     time.Duration
			gone      bool
		}{
			{node: "", gone: true},
			{node: "", finalizer: "batch.kubernetes.io/job-tracking"},
			{node: "n", phase: corev1.PodFailed, gone: true},
			{node: "n", phase: corev1.PodRunning, stays: 30 * time.Second},
		} {
			store := newStore()
			object := pod("a-")
			object.Spec.NodeName = row.node
			object.Status.Phase = row.phase
			if row.finalizer != "" {
				object.Finalizers = []string{row.finalizer}
			}
			made := give(t, store, object)
			if err := store.Delete(Pods, space, made.Name, metav1.DeleteOptions{}); err != nil {
				t.Fatal(err)
			}
			left := store.PodsOf(space)
			if (len(left) == 0) != row.gone {
				t.Errorf("%+v: %d are left", row, len(left))
			}
			if !row.gone && time.Until(Deadline(left[0])) != row.stays {
				t.Errorf("%+v: killed at %v", row, Deadline(left[0]))
			}
			Kubelet{Store: store, Namespace: space}.Remove(made.Name)
			if left := store.PodsOf(space); (len(left) == 0) != (row.finalizer == "") {
				t.Errorf("%+v: %d are left in the end", row, len(left))
			}
		}
	})
}

func TestFinalizersHoldAndLetGo(t *testing.T) {
	store := newStore()
	object := pod("a-")
	object.Finalizers = []string{"x"}
	made := give(t, store, object)
	if err := store.Delete(Pods, space, made.Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	patch := []byte(`{"metadata":{"$deleteFromPrimitiveList/finalizers":["x"]}}`)
	if _, err := store.Patch(Pods, space, made.Name, types.StrategicMergePatchType, patch,
		false); err != nil {
		t.Fatal(err)
	}
	if left := store.PodsOf(space); len(left) != 0 {
		t.Errorf("%d are left", len(left))
	}
}

func TestCollection(t *testing.T) {
	for _, policy := range []metav1.DeletionPropagation{
		metav1.DeletePropagationBackground, metav1.DeletePropagationForeground} {
		store := newStore()
		owner, err := store.Give(jobs, &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: "j"}}, space)
		if err != nil {
			t.Fatal(err)
		}
		owned := pod("a-")
		owned.OwnerReferences = []metav1.OwnerReference{{UID: owner.GetUID(), Name: "j", Kind: "Job"}}
		owned.Spec.NodeName = "n"
		made := give(t, store, owned)
		if store.Collect() {
			t.Error("nothing was deleted yet")
		}
		options := metav1.DeleteOptions{PropagationPolicy: &policy}
		if err := store.Delete(jobs, space, "j", options); err != nil {
			t.Fatal(err)
		}
		foreground := policy == metav1.DeletePropagationForeground
		if there := store.Find(jobs, space, "j") != nil; there != foreground {
			t.Errorf("%s: the owner is there: %v", policy, there)
		}
		if !store.Collect() || store.PodsOf(space)[0].DeletionTimestamp == nil {
			t.Errorf("%s: the pod is not deleted", policy)
		}
		if store.Collect() {
			t.Errorf("%s: a pod that ends is waited for", policy)
		}
		Kubelet{Store: store, Namespace: space}.Remove(made.Name)
		store.Collect()
		if store.Find(jobs, space, "j") != nil || len(store.PodsOf(space)) > 0 {
			t.Errorf("%s: something is left", policy)
		}
	}
}

func TestWatchesSeeDeletionsInOrder(t *testing.T) {
	store := newStore()
	clients := store.Clients()
	give(t, store, pod("before-"))
	listed, err := clients.CoreV1().Pods(space).List(t.Context(), metav1.ListOptions{})
	if err != nil || len(listed.Items) != 1 {
		t.Fatalf("%v, %v", listed, err)
	}
	between := give(t, store, pod("between-"))
	watch, err := clients.CoreV1().Pods(space).Watch(t.Context(),
		metav1.ListOptions{ResourceVersion: listed.ResourceVersion})
	if err != nil {
		t.Fatal(err)
	}
	kubelet := Kubelet{Store: store, Namespace: space}
	kubelet.Bind(between.Name, "n")
	kubelet.Run(between.Name)
	kubelet.End(between.Name, 3)
	kubelet.Evict(between.Name)
	watch.Stop()
	versions, kinds := []string{}, []string{}
	for event := range watch.ResultChan() {
		seen := event.Object.(*corev1.Pod)
		if seen.Name == between.Name {
			versions, kinds = append(versions, seen.ResourceVersion), append(kinds, string(event.Type))
		}
	}
	want := []string{"ADDED", "MODIFIED", "MODIFIED", "MODIFIED", "MODIFIED", "DELETED"}
	if !slices.Equal(kinds, want) || !slices.IsSorted(versions) {
		t.Errorf("%v, versions %v", kinds, versions)
	}
}

func TestAnotherProcessFindsTheSame(t *testing.T) {
	store := newStore()
	made := give(t, store, pod("a-"))
	give(t, store, pod("gone-"))
	text, err := store.Durable()
	if err != nil {
		t.Fatal(err)
	}
	heard := 0
	other := NewStore(scheme.Scheme, nil, func(Object, Object) { heard++ })
	if err := other.Restore(text, func(object Object) bool {
		return object.GetGenerateName() == "gone-"
	}); err != nil {
		t.Fatal(err)
	}
	found := other.PodsOf(space)
	if len(found) != 1 || found[0].UID != made.UID || heard != 0 {
		t.Errorf("%d pods, %d told", len(found), heard)
	}
	if next := give(t, other, pod("a-")); next.Name == made.Name {
		t.Errorf("%s is given twice", next.Name)
	}
}

func TestPhases(t *testing.T) {
	store := newStore()
	kubelet := Kubelet{Store: store, Namespace: space}
	for code, phase := range map[int32]corev1.PodPhase{0: corev1.PodSucceeded, 3: corev1.PodFailed} {
		made := give(t, store, pod("a-"))
		kubelet.Run(made.Name)
		kubelet.End(made.Name, code)
		now := store.Find(Pods, space, made.Name).(*corev1.Pod)
		ended := now.Status.ContainerStatuses[0].State.Terminated
		if now.Status.Phase != phase || ended == nil || ended.ExitCode != code {
			t.Errorf("code %d: %+v", code, now.Status)
		}
	}
	made := give(t, store, pod("b-"))
	kubelet.Run(made.Name)
	kubelet.Disrupt(made.Name, ByPodGC, true)
	now := store.Find(Pods, space, made.Name).(*corev1.Pod)
	seen := now.Status.ContainerStatuses[0].State.Terminated
	if now.Status.Phase != corev1.PodFailed || seen != nil {
		t.Errorf("a pod that nobody saw end: %+v", now.Status)
	}
}
