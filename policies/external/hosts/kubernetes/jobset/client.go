package jobset

import (
	"context"
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	api "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"aftershock.dev/hosts/kubernetes/world"
)

var (
	sets     = api.SchemeGroupVersion.WithResource("jobsets")
	services = corev1.SchemeGroupVersion.WithResource("services")
)

// objects is the client of the reconciler, of which the store answers all that it asks. All that it
// never asks is not there.
type objects struct {
	client.Client
	store *world.Store
}

func resourceOf(object runtime.Object) schema.GroupVersionResource {
	switch object.(type) {
	case *batchv1.Job, *batchv1.JobList:
		return world.Jobs
	case *corev1.Service:
		return services
	case *api.JobSet:
		return sets
	}
	panic(fmt.Sprintf("%T is not hosted", object))
}

// fill puts a copy of what is stored into the client's object.
func fill(into client.Object, from world.Object) error {
	switch into := into.(type) {
	case *batchv1.Job:
		from.(*batchv1.Job).DeepCopyInto(into)
	case *corev1.Service:
		from.(*corev1.Service).DeepCopyInto(into)
	case *api.JobSet:
		from.(*api.JobSet).DeepCopyInto(into)
	default:
		return fmt.Errorf("%T is not hosted", into)
	}
	return nil
}

// Get reads an object.
func (objects objects) Get(_ context.Context, key client.ObjectKey, into client.Object,
	_ ...client.GetOption) error {
	of := resourceOf(into)
	found := objects.store.Find(of, key.Namespace, key.Name)
	if found == nil {
		return apierrors.NewNotFound(of.GroupResource(), key.Name)
	}
	return fill(into, found)
}

// List reads the Jobs of a set, in the order of their names.
func (objects objects) List(_ context.Context, into client.ObjectList,
	options ...client.ListOption) error {
	wanted := client.ListOptions{}
	wanted.ApplyOptions(options)
	items := []runtime.Object{}
	for _, object := range objects.store.All(resourceOf(into), wanted.Namespace) {
		owner := metav1.GetControllerOf(object)
		if wanted.FieldSelector == nil || owner != nil &&
			wanted.FieldSelector.Requirements()[0].Value == string(owner.UID) {
			items = append(items, object)
		}
	}
	return meta.SetList(into, items)
}

// Create adds an object.
func (objects objects) Create(_ context.Context, object client.Object,
	_ ...client.CreateOption) error {
	made, err := objects.store.Give(resourceOf(object), object, object.GetNamespace())
	if err != nil {
		return err
	}
	return fill(object, made)
}

// Delete asks for an object's end.
func (objects objects) Delete(_ context.Context, object client.Object,
	options ...client.DeleteOption) error {
	wanted := client.DeleteOptions{}
	wanted.ApplyOptions(options)
	return objects.store.Delete(resourceOf(object), object.GetNamespace(), object.GetName(),
		*wanted.AsDeleteOptions())
}

// Update stores all but the status.
func (objects objects) Update(_ context.Context, object client.Object,
	_ ...client.UpdateOption) error {
	return objects.replace(object, false)
}

func (objects objects) replace(object client.Object, status bool) error {
	stored, err := objects.store.Replace(resourceOf(object), object, object.GetNamespace(), status)
	if err != nil {
		return err
	}
	return fill(object, stored)
}

// Status writes statuses.
func (objects objects) Status() client.SubResourceWriter { return statuses{objects: objects} }

type statuses struct {
	client.SubResourceWriter
	objects objects
}

// Update stores the status alone.
func (statuses statuses) Update(_ context.Context, object client.Object,
	_ ...client.SubResourceUpdateOption) error {
	return statuses.objects.replace(object, true)
}
