package objects

import (
	"context"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	applied1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"aftershock.dev/hosts/kubernetes/world"
)

const space = "default"

func newClient() *Client { return New(world.NewStore(scheme.Scheme, nil, nil), scheme.Scheme) }

func configMap(name string, labels map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: space,
		Labels: labels}}
}

// A reconciler that stores what it has read anew, as YAML, needs the kind in it.
func TestWhatIsReadSaysItsKind(t *testing.T) {
	objects, ctx := newClient(), context.Background()
	if err := objects.Create(ctx, configMap("a", nil)); err != nil {
		t.Fatal(err)
	}
	found := &corev1.ConfigMap{}
	if err := objects.Get(ctx, client.ObjectKey{Namespace: space, Name: "a"}, found); err != nil {
		t.Fatal(err)
	}
	if found.Kind != "ConfigMap" || found.APIVersion != "v1" {
		t.Errorf("%s of %s", found.Kind, found.APIVersion)
	}
	err := objects.Get(ctx, client.ObjectKey{Namespace: space, Name: "b"}, found)
	if !apierrors.IsNotFound(err) {
		t.Errorf("%v of what is not there", err)
	}
}

func TestListsAreFoundByLabelsAndIndexes(t *testing.T) {
	objects, ctx := newClient(), context.Background()
	for _, one := range []*corev1.ConfigMap{configMap("b", map[string]string{"x": "1"}),
		configMap("a", map[string]string{"x": "1"}), configMap("c", nil)} {
		if err := objects.Create(ctx, one); err != nil {
			t.Fatal(err)
		}
	}
	names := func(options ...client.ListOption) (found string) {
		list := &corev1.ConfigMapList{}
		if err := objects.List(ctx, list, options...); err != nil {
			return err.Error()
		}
		for _, one := range list.Items {
			found += one.Name
		}
		return found
	}
	if found := names(client.MatchingLabels{"x": "1"}); found != "ab" {
		t.Errorf("%s by label", found)
	}
	byName := client.MatchingFields{"name": "c"}
	if found := names(byName); found != "ConfigMap has no index of name" {
		t.Errorf("%s without an index", found)
	}
	if err := objects.IndexField(ctx, &corev1.ConfigMap{}, "name",
		func(object client.Object) []string { return []string{object.GetName()} }); err != nil {
		t.Fatal(err)
	}
	if found := names(byName, client.InNamespace(space)); found != "c" {
		t.Errorf("%s by index", found)
	}
}

// Apply is read, merge and update: what it leaves out stays.
func TestApplyMakesAndMerges(t *testing.T) {
	objects, ctx := newClient(), context.Background()
	for _, data := range []map[string]string{{"a": "1"}, {"b": "2"}} {
		wanted := applied1.ConfigMap("m", space).WithData(data)
		if err := objects.Apply(ctx, wanted, client.FieldOwner("test")); err != nil {
			t.Fatal(err)
		}
	}
	found := &corev1.ConfigMap{}
	if err := objects.Get(ctx, client.ObjectKey{Namespace: space, Name: "m"}, found); err != nil {
		t.Fatal(err)
	}
	if len(found.Data) != 2 || found.Data["a"] != "1" || found.Data["b"] != "2" {
		t.Errorf("%v", found.Data)
	}
}

// A status is patched alone, whatever else the object has by then.
func TestAStatusIsPatchedAlone(t *testing.T) {
	objects, ctx := newClient(), context.Background()
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: space}}
	if err := objects.Create(ctx, pod); err != nil {
		t.Fatal(err)
	}
	before := pod.DeepCopy()
	pod.Spec.NodeName, pod.Status.Message = "lost", "kept"
	if err := objects.Status().Patch(ctx, pod, client.MergeFrom(before)); err != nil {
		t.Fatal(err)
	}
	if pod.Spec.NodeName != "" || pod.Status.Message != "kept" {
		t.Errorf("on %q: %q", pod.Spec.NodeName, pod.Status.Message)
	}
}
