// Package world is what a controller of Kubernetes finds around itself, and fakes of its API lack:
// versions, names, deletion with grace, finalizers, the collection of what has no owner, and pods
// that a kubelet runs. Nothing in it knows of a simulator.
package world

import (
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// Object is anything that the API has.
type Object interface {
	runtime.Object
	metav1.Object
}

// watcherRoom is how many events may wait for a watcher that is about to run.
const watcherRoom = 1 << 14

type resource = schema.GroupVersionResource

type watcher struct {
	*watch.FakeWatcher
	namespace string
}

// Store holds all objects. It is safe for concurrent use. All that it gives and takes is copied as
// the API copies it: through JSON, in which times are whole seconds.
type Store struct {
	Yields func() int // how often a client's request lets others run, as Serve says; nil: never
	scheme *runtime.Scheme

	mutex    sync.Mutex
	objects  map[resource]map[types.NamespacedName]Object
	watchers map[resource][]watcher
	version  int64
	// How often a name has been given, by which the next one like it differs.
	given map[string]int
	// Admit completes an object that is to be created, as defaults and webhooks do.
	admit func(Object) error
	// Changed hears of each change, in order; before is nil for what was created, after for what
	// is gone.
	changed func(before, after Object)
}

// NewStore makes a store without objects. Either function may be nil. They are called while the
// store is locked, and must not call it.
func NewStore(scheme *runtime.Scheme, admit func(Object) error,
	changed func(before, after Object)) *Store {
	if admit == nil {
		admit = func(Object) error { return nil }
	}
	if changed == nil {
		changed = func(Object, Object) {}
	}
	return &Store{
		scheme:   scheme,
		objects:  map[resource]map[types.NamespacedName]Object{},
		watchers: map[resource][]watcher{},
		given:    map[string]int{},
		admit:    admit,
		changed:  changed,
	}
}

// Now is the time as the API writes it.
func Now() metav1.Time { return metav1.NewTime(time.Now().UTC().Truncate(time.Second)) }

func (store *Store) copyOf(from runtime.Object) (Object, error) {
	text, err := json.Marshal(from)
	if err != nil {
		return nil, err
	}
	return store.read(text, from)
}

// read makes an object of the same kind as `like` from its JSON.
func (store *Store) read(text []byte, like runtime.Object) (Object, error) {
	kinds, _, err := store.scheme.ObjectKinds(like)
	if err != nil {
		return nil, err
	}
	empty, err := store.scheme.New(kinds[0])
	if err != nil {
		return nil, err
	}
	object, ok := empty.(Object)
	if !ok {
		return nil, fmt.Errorf("%T has no metadata", like)
	}
	return object, json.Unmarshal(text, object)
}

func notFound(of resource, name string) error {
	return apierrors.NewNotFound(of.GroupResource(), name)
}

// Give adds the object as a client creates it, and returns it as it is then.
func (store *Store) Give(of resource, object runtime.Object, namespace string) (Object, error) {
	copied, err := store.copyOf(object)
	if err != nil {
		return nil, err
	}
	store.mutex.Lock()
	defer store.mutex.Unlock()
	store.name(copied)
	copied.SetNamespace(namespace)
	key := types.NamespacedName{Namespace: namespace, Name: copied.GetName()}
	if _, there := store.objects[of][key]; there {
		return nil, apierrors.NewAlreadyExists(of.GroupResource(), key.Name)
	}
	copied.SetCreationTimestamp(Now())
	copied.SetDeletionTimestamp(nil)
	copied.SetGeneration(1)
	if err := store.admit(copied); err != nil {
		return nil, err
	}
	return store.put(of, key, copied)
}

// name gives what the client has left to the API: names and an identity, the same in every run.
func (store *Store) name(object Object) {
	if object.GetName() == "" {
		base := object.GetGenerateName()
		store.given[base]++
		object.SetName(fmt.Sprintf("%s%05d", base, store.given[base]))
	}
	// Objects of two kinds may have one name, and owners are found by their identity alone.
	kind := strings.TrimPrefix(fmt.Sprintf("%T-%s", object, object.GetName()), "*")
	store.given[kind]++
	object.SetUID(types.UID(fmt.Sprintf("%s-%d", kind, store.given[kind])))
}

// put stores the object under a version of its own. The caller holds the lock.
func (store *Store) put(of resource, key types.NamespacedName, object Object) (Object, error) {
	before, there := store.objects[of][key]
	store.version++
	object.SetResourceVersion(strconv.FormatInt(store.version, 10))
	if store.objects[of] == nil {
		store.objects[of] = map[types.NamespacedName]Object{}
	}
	kind := watch.Added
	if there {
		kind = watch.Modified
	}
	if ends(object) {
		kind = watch.Deleted
		delete(store.objects[of], key)
	} else {
		store.objects[of][key] = object
	}
	for _, watcher := range store.watchers[of] {
		if watcher.namespace == "" || watcher.namespace == key.Namespace {
			watcher.Action(kind, object.DeepCopyObject())
		}
	}
	after := object
	if kind == watch.Deleted {
		after = nil
	}
	store.changed(before, after)
	return store.copyOf(object)
}

// ends says whether nothing keeps an object that was deleted.
func ends(object Object) bool {
	grace := object.GetDeletionGracePeriodSeconds()
	return object.GetDeletionTimestamp() != nil && len(object.GetFinalizers()) == 0 &&
		(grace == nil || *grace == 0)
}

// alter stores what `change` makes of the object, whatever its version.
func (store *Store) alter(of resource, namespace, name string,
	change func(stored Object) (Object, error)) (Object, error) {
	store.mutex.Lock()
	defer store.mutex.Unlock()
	key := types.NamespacedName{Namespace: namespace, Name: name}
	stored, there := store.objects[of][key]
	if !there {
		return nil, notFound(of, name)
	}
	object, err := change(stored)
	if err != nil {
		return nil, err
	}
	return store.put(of, key, object)
}

// Change has `change` alter the object in place, whatever its version, and stores it.
func (store *Store) Change(of resource, namespace, name string,
	change func(Object)) (Object, error) {
	return store.alter(of, namespace, name, func(stored Object) (Object, error) {
		object, err := store.copyOf(stored)
		if err != nil {
			return nil, err
		}
		change(object)
		// Once more, as what was put into it may have more digits than the API writes.
		return store.copyOf(object)
	})
}

// Patch changes an object by a patch of one of the API's kinds but Apply, whatever its version.
func (store *Store) Patch(of resource, namespace, name string, kind types.PatchType, patch []byte,
	status bool) (Object, error) {
	return store.alter(of, namespace, name, func(stored Object) (Object, error) {
		text, err := json.Marshal(stored)
		if err != nil {
			return nil, err
		}
		if text, err = patched(text, stored, kind, patch); err != nil {
			return nil, err
		}
		object, err := store.read(text, stored)
		if err != nil {
			return nil, err
		}
		return store.merge(stored, object, status)
	})
}

// Replace stores a new state of an object that the client has read before. Of its parts only
// `status` is taken, or all but that. An error is given where the object has changed meanwhile.
func (store *Store) Replace(of resource, object runtime.Object, namespace string,
	status bool) (Object, error) {
	copied, err := store.copyOf(object)
	if err != nil {
		return nil, err
	}
	return store.alter(of, namespace, copied.GetName(), func(stored Object) (Object, error) {
		if copied.GetUID() != "" && copied.GetUID() != stored.GetUID() {
			return nil, notFound(of, copied.GetName())
		}
		version := copied.GetResourceVersion()
		if version != "" && version != stored.GetResourceVersion() {
			return nil, apierrors.NewConflict(of.GroupResource(), copied.GetName(),
				fmt.Errorf("the object has been modified"))
		}
		return store.merge(stored, copied, status)
	})
}

// merge is the stored object with the client's status, or with all but that and what only the API
// sets. A changed specification is a new generation.
func (store *Store) merge(stored, from Object, status bool) (Object, error) {
	parts, err := members(stored)
	if err != nil {
		return nil, err
	}
	given, err := members(from)
	if err != nil {
		return nil, err
	}
	generation := stored.GetGeneration()
	if status {
		parts["status"] = given["status"]
	} else {
		if string(parts["spec"]) != string(given["spec"]) {
			generation++
		}
		given["status"] = parts["status"]
		parts = given
	}
	for name, part := range parts {
		if part == nil {
			delete(parts, name)
		}
	}
	text, err := json.Marshal(parts)
	if err != nil {
		return nil, err
	}
	merged, err := store.read(text, stored)
	if err != nil {
		return nil, err
	}
	merged.SetUID(stored.GetUID())
	merged.SetGeneration(generation)
	merged.SetCreationTimestamp(stored.GetCreationTimestamp())
	merged.SetDeletionTimestamp(stored.GetDeletionTimestamp())
	merged.SetDeletionGracePeriodSeconds(stored.GetDeletionGracePeriodSeconds())
	return merged, nil
}

func members(object Object) (map[string]json.RawMessage, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	parts := map[string]json.RawMessage{}
	return parts, json.Unmarshal(text, &parts)
}

// Find is the object, or nil.
func (store *Store) Find(of resource, namespace, name string) Object {
	store.mutex.Lock()
	defer store.mutex.Unlock()
	object, there := store.objects[of][types.NamespacedName{Namespace: namespace, Name: name}]
	if !there {
		return nil
	}
	return object.DeepCopyObject().(Object)
}

// All are the objects of a kind, in the order of their names.
func (store *Store) All(of resource, namespace string) []Object {
	store.mutex.Lock()
	defer store.mutex.Unlock()
	return store.all(of, namespace)
}

func (store *Store) all(of resource, namespace string) []Object {
	found := []Object{}
	for key, object := range store.objects[of] {
		if namespace == "" || namespace == key.Namespace {
			found = append(found, object.DeepCopyObject().(Object))
		}
	}
	sort.Slice(found, func(one, other int) bool {
		if found[one].GetNamespace() != found[other].GetNamespace() {
			return found[one].GetNamespace() < found[other].GetNamespace()
		}
		return found[one].GetName() < found[other].GetName()
	})
	return found
}

// list is all objects of a kind as the API's list of that kind.
func (store *Store) list(of resource, kind schema.GroupVersionKind,
	namespace string) (runtime.Object, error) {
	kind.Kind += "List"
	list, err := store.scheme.New(kind)
	if err != nil {
		return nil, err
	}
	store.mutex.Lock()
	defer store.mutex.Unlock()
	items := []runtime.Object{}
	for _, object := range store.all(of, namespace) {
		items = append(items, object)
	}
	about, err := meta.ListAccessor(list)
	if err != nil {
		return nil, err
	}
	about.SetResourceVersion(strconv.FormatInt(store.version, 10))
	return list, meta.SetList(list, items)
}

// follow is a watch from a version on.
func (store *Store) follow(of resource, namespace, version string) watch.Interface {
	store.mutex.Lock()
	defer store.mutex.Unlock()
	from, err := strconv.ParseInt(version, 10, 64)
	if err != nil {
		from = store.version
	}
	one := watcher{watch.NewFakeWithChanSize(watcherRoom, false), namespace}
	for _, object := range store.all(of, namespace) {
		if of, _ := strconv.ParseInt(object.GetResourceVersion(), 10, 64); of > from {
			one.Add(object)
		}
	}
	store.watchers[of] = append(store.watchers[of], one)
	return &following{one, store, of}
}

// following ends a watch in the store, too: its channel would fill up.
type following struct {
	watcher
	store *Store
	of    resource
}

// Stop ends the watch.
func (one *following) Stop() {
	one.store.mutex.Lock()
	defer one.store.mutex.Unlock()
	kept := one.store.watchers[one.of][:0]
	for _, other := range one.store.watchers[one.of] {
		if other.FakeWatcher != one.FakeWatcher {
			kept = append(kept, other)
		}
	}
	one.store.watchers[one.of] = kept
	one.FakeWatcher.Stop()
}
