package world

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Delete asks for the end of an object as the API does: what has finalizers stays until they are
// taken away, a pod that was scheduled until its kubelet says that it has ended, and an owner in
// foreground until all that it owns is gone.
func (store *Store) Delete(of resource, namespace, name string,
	options metav1.DeleteOptions) error {
	store.mutex.Lock()
	defer store.mutex.Unlock()
	key := types.NamespacedName{Namespace: namespace, Name: name}
	stored, there := store.objects[of][key]
	if !there {
		return notFound(of, name)
	}
	if wanted := options.Preconditions; wanted != nil && wanted.UID != nil &&
		*wanted.UID != stored.GetUID() {
		return apierrors.NewConflict(of.GroupResource(), name, fmt.Errorf("another object has its name"))
	}
	object, err := store.copyOf(stored)
	if err != nil {
		return err
	}
	grace := graceOf(object, options)
	if known := object.GetDeletionGracePeriodSeconds(); object.GetDeletionTimestamp() != nil &&
		known != nil && *known <= grace {
		return nil
	}
	policy := options.PropagationPolicy
	if policy != nil && *policy == metav1.DeletePropagationForeground &&
		!slices.Contains(object.GetFinalizers(), metav1.FinalizerDeleteDependents) {
		object.SetFinalizers(append(object.GetFinalizers(), metav1.FinalizerDeleteDependents))
	}
	at := metav1.NewTime(Now().Add(time.Duration(grace) * time.Second))
	object.SetDeletionTimestamp(&at)
	object.SetDeletionGracePeriodSeconds(&grace)
	object.SetGeneration(object.GetGeneration() + 1)
	_, err = store.put(of, key, object)
	return err
}

// graceOf is how long the object may take to end, in seconds.
func graceOf(object Object, options metav1.DeleteOptions) int64 {
	pod, is := object.(*corev1.Pod)
	if !is || pod.Spec.NodeName == "" || IsTerminal(pod) {
		return 0
	}
	if options.GracePeriodSeconds != nil {
		return max(0, *options.GracePeriodSeconds)
	}
	if grace := pod.Spec.TerminationGracePeriodSeconds; grace != nil {
		return max(1, *grace)
	}
	return 0
}

// Collect deletes what has no owner any more, and lets go of owners in foreground that own nothing
// any more. False: there was nothing to do.
func (store *Store) Collect() bool {
	store.mutex.Lock()
	owners := map[types.UID]Object{}
	var owned []held
	for of, objects := range store.objects {
		for key, object := range objects {
			owners[object.GetUID()] = object
			owned = append(owned, held{of, key, object})
		}
	}
	store.mutex.Unlock()
	slices.SortFunc(owned, func(one, other held) int { return one.compare(other) })
	acted := false
	owns := map[types.UID]bool{}
	for _, one := range owned {
		for _, reference := range one.object.GetOwnerReferences() {
			owner, there := owners[reference.UID]
			owns[reference.UID] = true
			if one.object.GetDeletionTimestamp() != nil || there && !waits(owner) {
				continue
			}
			background := metav1.DeletePropagationBackground
			if store.Delete(one.of, one.key.Namespace, one.key.Name,
				metav1.DeleteOptions{PropagationPolicy: &background}) == nil {
				acted = true
			}
		}
	}
	for _, one := range owned {
		if !waits(one.object) || owns[one.object.GetUID()] {
			continue
		}
		_, err := store.Change(one.of, one.key.Namespace, one.key.Name, func(object Object) {
			object.SetFinalizers(slices.DeleteFunc(object.GetFinalizers(), func(name string) bool {
				return name == metav1.FinalizerDeleteDependents
			}))
		})
		acted = acted || err == nil
	}
	return acted
}

// held is an object with its place in the store.
type held struct {
	of     resource
	key    types.NamespacedName
	object Object
}

func (one held) compare(other held) int {
	return slices.Compare([]string{one.of.String(), one.key.String()},
		[]string{other.of.String(), other.key.String()})
}

// waits says whether the object is an owner whose dependents go first.
func waits(object Object) bool {
	return object.GetDeletionTimestamp() != nil &&
		slices.Contains(object.GetFinalizers(), metav1.FinalizerDeleteDependents)
}
