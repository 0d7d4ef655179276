package world

import (
	"encoding/json"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/types"
)

// stored is an object as another process finds it.
type stored struct {
	Group    string          `json:"group"`
	Version  string          `json:"version"`
	Resource string          `json:"resource"`
	Kind     string          `json:"kind"`
	Object   json.RawMessage `json:"object"`
}

// image is all that a store has but for versions, which differ by who wrote first of those that
// write at one moment.
type image struct {
	Given   map[string]int `json:"given"`
	Objects []stored       `json:"objects"`
}

// Durable is all objects, in an order that is always the same.
func (store *Store) Durable() (json.RawMessage, error) {
	store.mutex.Lock()
	defer store.mutex.Unlock()
	all := []held{}
	for of, objects := range store.objects {
		for key, object := range objects {
			all = append(all, held{of, key, object})
		}
	}
	slices.SortFunc(all, func(one, other held) int { return one.compare(other) })
	kept := image{Given: store.given, Objects: []stored{}}
	for _, one := range all {
		kinds, _, err := store.scheme.ObjectKinds(one.object)
		if err != nil {
			return nil, err
		}
		object := one.object.DeepCopyObject().(Object)
		object.SetResourceVersion("")
		text, err := json.Marshal(object)
		if err != nil {
			return nil, err
		}
		kept.Objects = append(kept.Objects,
			stored{one.of.Group, one.of.Version, one.of.Resource, kinds[0].Kind, text})
	}
	return json.Marshal(kept)
}

// Restore puts the objects of another store into this one, which has none of them, but for those
// that are gone. Watches see them come.
func (store *Store) Restore(text json.RawMessage, gone func(Object) bool) error {
	var kept image
	if err := json.Unmarshal(text, &kept); err != nil {
		return err
	}
	store.mutex.Lock()
	defer store.mutex.Unlock()
	store.given = kept.Given
	changed := store.changed
	store.changed = func(Object, Object) {} // nothing of it is new
	defer func() { store.changed = changed }()
	for _, one := range kept.Objects {
		of := resource{Group: one.Group, Version: one.Version, Resource: one.Resource}
		empty, err := store.scheme.New(of.GroupVersion().WithKind(one.Kind))
		if err != nil {
			return err
		}
		object, is := empty.(Object)
		if !is {
			return fmt.Errorf("%s has no metadata", one.Kind)
		}
		if err := json.Unmarshal(one.Object, object); err != nil {
			return err
		}
		if gone(object) {
			continue
		}
		key := types.NamespacedName{Namespace: object.GetNamespace(), Name: object.GetName()}
		if _, err := store.put(of, key, object); err != nil {
			return err
		}
	}
	return nil
}
