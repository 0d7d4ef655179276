package world

import (
	"fmt"
	"runtime"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	api "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
)

// Clients is a client of client-go, of which the store answers all that is asked.
func (store *Store) Clients() *fake.Clientset {
	clients := fake.NewSimpleClientset()
	store.Serve(&clients.Fake)
	return clients
}

// Serve has the store answer all that is asked of a client, of whatever API. Yields are for a
// process of one thread: others run so often before a request is answered, so that watches are as
// quick as answers. With none a controller may act on what it has changed itself and not seen yet,
// by chance.
func (store *Store) Serve(clients *clienttesting.Fake) {
	clients.PrependReactor("*", "*", func(action clienttesting.Action) (bool, api.Object, error) {
		object, err := store.answer(action)
		if store.Yields != nil {
			for range store.Yields() {
				runtime.Gosched()
			}
		}
		return true, object, err
	})
	clients.PrependWatchReactor("*", func(action clienttesting.Action) (bool, watch.Interface, error) {
		version := ""
		if action, is := action.(clienttesting.WatchActionImpl); is {
			version = action.ListOptions.ResourceVersion
		}
		return true, store.follow(action.GetResource(), action.GetNamespace(), version), nil
	})
}

// answer carries out what a client asks for.
func (store *Store) answer(action clienttesting.Action) (api.Object, error) {
	of, namespace := action.GetResource(), action.GetNamespace()
	status := action.GetSubresource() == "status"
	switch action := action.(type) {
	case clienttesting.GetActionImpl:
		if object := store.Find(of, namespace, action.GetName()); object != nil {
			return object, nil
		}
		return nil, notFound(of, action.GetName())
	case clienttesting.ListActionImpl:
		return store.list(of, action.GetKind(), namespace)
	case clienttesting.CreateActionImpl:
		if of.Resource == "events" {
			return action.GetObject(), nil // nobody reads them here
		}
		return answered(store.Give(of, action.GetObject(), namespace))
	case clienttesting.UpdateActionImpl:
		return answered(store.Replace(of, action.GetObject(), namespace, status))
	case clienttesting.PatchActionImpl:
		return answered(store.Patch(of, namespace, action.GetName(), action.GetPatchType(),
			action.GetPatch(), status))
	case clienttesting.DeleteActionImpl:
		return nil, store.Delete(of, namespace, action.GetName(), action.GetDeleteOptions())
	}
	return nil, fmt.Errorf("%s of %s is not hosted", action.GetVerb(), of.Resource)
}

// answered is a client's answer; a pointer to no object would not be nil.
func answered(object Object, err error) (api.Object, error) {
	if err != nil {
		return nil, err
	}
	return object, nil
}

func patched(text []byte, stored Object, kind types.PatchType, patch []byte) ([]byte, error) {
	switch kind {
	case types.StrategicMergePatchType:
		return strategicpatch.StrategicMergePatch(text, patch, stored)
	case types.MergePatchType:
		return jsonpatch.MergePatch(text, patch)
	case types.JSONPatchType:
		steps, err := jsonpatch.DecodePatch(patch)
		if err != nil {
			return nil, err
		}
		return steps.Apply(text)
	}
	return nil, fmt.Errorf("a patch of kind %s is not hosted", kind)
}
