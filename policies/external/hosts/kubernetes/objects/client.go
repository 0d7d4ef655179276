// Package objects is the client that reconcilers of controller-runtime are given: the store answers
// all that they ask, for every kind that the scheme knows.
package objects

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"aftershock.dev/hosts/kubernetes/world"
)

// Client answers from a store. What no hosted reconciler asks is not there.
type Client struct {
	client.Client
	store   *world.Store
	scheme  *runtime.Scheme
	indexes map[string]client.IndexerFunc
}

// New makes a client of all kinds of the scheme.
func New(store *world.Store, scheme *runtime.Scheme) *Client {
	return &Client{store: store, scheme: scheme, indexes: map[string]client.IndexerFunc{}}
}

// Scheme knows all kinds.
func (objects *Client) Scheme() *runtime.Scheme { return objects.scheme }

// RESTMapper knows no kind: those that ask look for projects that are not installed.
func (objects *Client) RESTMapper() meta.RESTMapper { return meta.NewDefaultRESTMapper(nil) }

// IndexField has lists find objects by a field, as the index of a manager's cache does.
func (objects *Client) IndexField(_ context.Context, object client.Object, field string,
	values client.IndexerFunc) error {
	kind, err := apiutil.GVKForObject(object, objects.scheme)
	if err != nil {
		return err
	}
	objects.indexes[kind.Kind+" "+field] = values
	return nil
}

// resource is where objects of this kind are kept, or those of a list.
func (objects *Client) resource(object runtime.Object) (schema.GroupVersionResource,
	schema.GroupVersionKind, error) {
	kind, err := apiutil.GVKForObject(object, objects.scheme)
	if err != nil {
		return schema.GroupVersionResource{}, kind, err
	}
	kind.Kind = strings.TrimSuffix(kind.Kind, "List")
	plural, _ := meta.UnsafeGuessKindToResource(kind)
	return plural, kind, nil
}

// fill puts the stored object into the client's one of the same kind. Like a manager's cache, it
// says of which kind it is.
func fill(into client.Object, from world.Object, kind schema.GroupVersionKind) error {
	target, source := reflect.ValueOf(into), reflect.ValueOf(from)
	if target.Type() != source.Type() {
		return fmt.Errorf("%T is stored, and %T asked for", from, into)
	}
	target.Elem().Set(source.Elem())
	into.GetObjectKind().SetGroupVersionKind(kind)
	return nil
}

// Get reads an object.
func (objects *Client) Get(_ context.Context, key client.ObjectKey, into client.Object,
	_ ...client.GetOption) error {
	of, kind, err := objects.resource(into)
	if err != nil {
		return err
	}
	found := objects.store.Find(of, key.Namespace, key.Name)
	if found == nil {
		return apierrors.NewNotFound(of.GroupResource(), key.Name)
	}
	return fill(into, found, kind)
}

// List reads objects in the order of their names.
func (objects *Client) List(_ context.Context, into client.ObjectList,
	options ...client.ListOption) error {
	of, kind, err := objects.resource(into)
	if err != nil {
		return err
	}
	wanted := client.ListOptions{}
	wanted.ApplyOptions(options)
	items := []runtime.Object{}
	for _, object := range objects.store.All(of, wanted.Namespace) {
		if wanted.LabelSelector != nil &&
			!wanted.LabelSelector.Matches(labels.Set(object.GetLabels())) {
			continue
		}
		matches, err := objects.matches(object, kind, wanted.FieldSelector)
		if err != nil {
			return err
		}
		if matches {
			items = append(items, object)
		}
	}
	return meta.SetList(into, items)
}

// matches asks the index of each field.
func (objects *Client) matches(object world.Object, kind schema.GroupVersionKind,
	selector fields.Selector) (bool, error) {
	if selector == nil {
		return true, nil
	}
	for _, wanted := range selector.Requirements() {
		values, known := objects.indexes[kind.Kind+" "+wanted.Field]
		if !known {
			return false, fmt.Errorf("%s has no index of %s", kind.Kind, wanted.Field)
		}
		found := false
		for _, value := range values(object) {
			found = found || value == wanted.Value
		}
		if !found {
			return false, nil
		}
	}
	return true, nil
}
