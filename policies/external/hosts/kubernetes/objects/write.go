package objects

import (
	"context"
	"encoding/json"

	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Create adds an object.
func (objects *Client) Create(_ context.Context, object client.Object,
	_ ...client.CreateOption) error {
	of, kind, err := objects.resource(object)
	if err != nil {
		return err
	}
	made, err := objects.store.Give(of, object, object.GetNamespace())
	if err != nil {
		return err
	}
	return fill(object, made, kind)
}

// Delete asks for an object's end.
func (objects *Client) Delete(_ context.Context, object client.Object,
	options ...client.DeleteOption) error {
	of, _, err := objects.resource(object)
	if err != nil {
		return err
	}
	wanted := client.DeleteOptions{}
	wanted.ApplyOptions(options)
	return objects.store.Delete(of, object.GetNamespace(), object.GetName(),
		*wanted.AsDeleteOptions())
}

// Update stores all but the status.
func (objects *Client) Update(_ context.Context, object client.Object,
	_ ...client.UpdateOption) error {
	return objects.replace(object, false)
}

func (objects *Client) replace(object client.Object, status bool) error {
	of, kind, err := objects.resource(object)
	if err != nil {
		return err
	}
	stored, err := objects.store.Replace(of, object, object.GetNamespace(), status)
	if err != nil {
		return err
	}
	return fill(object, stored, kind)
}

// Patch changes all but the status.
func (objects *Client) Patch(_ context.Context, object client.Object, patch client.Patch,
	_ ...client.PatchOption) error {
	return objects.patch(object, patch, false)
}

func (objects *Client) patch(object client.Object, patch client.Patch, status bool) error {
	of, kind, err := objects.resource(object)
	if err != nil {
		return err
	}
	text, err := patch.Data(object)
	if err != nil {
		return err
	}
	stored, err := objects.store.Patch(of, object.GetNamespace(), object.GetName(), patch.Type(),
		text, status)
	if err != nil {
		return err
	}
	return fill(object, stored, kind)
}

// applied is what Apply has to know of a configuration.
type applied struct {
	v1.TypeMeta `json:",inline"`
	Metadata    v1.ObjectMeta `json:"metadata"`
}

// Apply makes the object, or merges what is wanted into the one that is there. A list is taken as a
// whole, as it is where one manager of fields has written all of its entries.
func (objects *Client) Apply(ctx context.Context, wanted runtime.ApplyConfiguration,
	_ ...client.ApplyOption) error {
	text, err := json.Marshal(wanted)
	if err != nil {
		return err
	}
	about := applied{}
	if err := json.Unmarshal(text, &about); err != nil {
		return err
	}
	empty, err := objects.scheme.New(schema.FromAPIVersionAndKind(about.APIVersion, about.Kind))
	if err != nil {
		return err
	}
	object := empty.(client.Object)
	if err := json.Unmarshal(text, object); err != nil {
		return err
	}
	of, _, err := objects.resource(object)
	if err != nil {
		return err
	}
	if objects.store.Find(of, object.GetNamespace(), object.GetName()) == nil {
		return objects.Create(ctx, object)
	}
	return objects.patch(object, client.RawPatch(types.MergePatchType, text), false)
}

// Status writes statuses.
func (objects *Client) Status() client.SubResourceWriter { return statuses{objects: objects} }

type statuses struct {
	client.SubResourceWriter
	objects *Client
}

// Update stores the status alone.
func (statuses statuses) Update(_ context.Context, object client.Object,
	_ ...client.SubResourceUpdateOption) error {
	return statuses.objects.replace(object, true)
}

// Patch changes the status alone.
func (statuses statuses) Patch(_ context.Context, object client.Object, patch client.Patch,
	_ ...client.SubResourcePatchOption) error {
	return statuses.objects.patch(object, patch, true)
}

var _ client.FieldIndexer = (*Client)(nil)
