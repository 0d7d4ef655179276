package trainjob

import (
	"bytes"
	"encoding/json"
	"fmt"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"github.com/kubeflow/trainer/v2/pkg/constants"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	sets "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"aftershock.dev/hosts/kubernetes/hosting"
	"aftershock.dev/hosts/kubernetes/messages"
	"aftershock.dev/hosts/kubernetes/world"
)

// shipped is the runtime that a TrainJob refers to where it names none.
const shipped = "torch-distributed"

// settings are a TrainJob and the runtime that it refers to.
type settings struct {
	job     trainer.TrainJobSpec
	runtime trainer.TrainingRuntimeSpec
	// kind and name are those of the runtime's object.
	kind, name string
	// sized says that the runtime's own number of nodes is meant.
	sized bool
}

// parts is a configuration with both objects.
type parts struct {
	TrainJob json.RawMessage `json:"trainJob"`
	Runtime  json.RawMessage `json:"runtime"`
}

// read takes a TrainJob, or one in `trainJob` and the runtime that it refers to in `runtime`. Each
// is a manifest or its specification.
func read(policy messages.Policy) (settings, []messages.Issue) {
	read := settings{kind: trainer.ClusterTrainingRuntimeKind, name: shipped}
	both, isBoth := separate(policy.Config)
	job, place := policy.Config, "/config"
	if isBoth {
		job, place = both.TrainJob, "/config/trainJob"
	}
	place, issues := hosting.ReadManifest(job, place, trainer.TrainJobKind, &read.job)
	if len(issues) > 0 {
		return read, issues
	}
	if isBoth {
		issues = read.readRuntime(both.Runtime)
	}
	read.complete()
	if len(issues) == 0 {
		issues = read.unhosted(place)
	}
	if len(issues) == 0 {
		issues = read.admit(place)
	}
	return read, issues
}

// separate finds both objects in a configuration that has them.
func separate(config json.RawMessage) (parts, bool) {
	var members map[string]json.RawMessage
	if json.Unmarshal(config, &members) != nil {
		return parts{}, false
	}
	_, hasJob := members["trainJob"]
	_, hasRuntime := members["runtime"]
	both := parts{members["trainJob"], members["runtime"]}
	return both, hasJob || hasRuntime
}

// readRuntime takes the runtime's specification, or its manifest.
func (settings *settings) readRuntime(config json.RawMessage) []messages.Issue {
	const place = "/config/runtime"
	if text := bytes.TrimSpace(config); len(text) == 0 || string(text) == "null" {
		return nil
	}
	var manifest struct {
		Kind     string            `json:"kind"`
		Metadata metav1.ObjectMeta `json:"metadata"`
	}
	if err := json.Unmarshal(config, &manifest); err != nil {
		return []messages.Issue{{Pointer: place, Message: err.Error(), Expected: "an object"}}
	}
	settings.name = settings.job.RuntimeRef.Name
	if manifest.Kind == trainer.TrainingRuntimeKind {
		settings.kind = manifest.Kind
	}
	if manifest.Metadata.Name != "" {
		settings.name = manifest.Metadata.Name
	}
	_, issues := hosting.ReadManifest(config, place, settings.kind, &settings.runtime)
	return issues
}

// complete adds what manifests have and a scenario leaves out: the reference between the objects,
// and the one Job of the runtime that Trainer ships.
func (settings *settings) complete() {
	spec := &settings.runtime
	settings.sized = spec.MLPolicy != nil && spec.MLPolicy.NumNodes != nil
	if spec.MLPolicy == nil {
		spec.MLPolicy = &trainer.MLPolicy{MLPolicySource: trainer.MLPolicySource{
			Torch: &trainer.TorchMLPolicySource{}}}
	}
	template := &spec.Template.Spec
	if len(template.ReplicatedJobs) == 0 {
		template.ReplicatedJobs = []sets.ReplicatedJob{{Name: constants.Node,
			Template: batchv1.JobTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{
				constants.LabelTrainJobAncestor: constants.AncestorTrainer}}}}}
	}
	for at := range template.ReplicatedJobs {
		given := &template.ReplicatedJobs[at]
		pod := &given.Template.Spec.Template.Spec
		if len(pod.Containers) == 0 {
			pod.Containers = []corev1.Container{{Name: constants.Node, Image: "worker"}}
		}
	}
	reference := &settings.job.RuntimeRef
	if settings.name == "" {
		settings.name = "runtime"
	}
	if reference.Name == "" {
		reference.Name, reference.Kind = settings.name, &settings.kind
	}
	// Defaults of the API.
	group, kind := trainer.GroupVersion.Group, trainer.ClusterTrainingRuntimeKind
	if reference.APIGroup == nil {
		reference.APIGroup = &group
	}
	if reference.Kind == nil {
		reference.Kind = &kind
	}
}

// unhosted names what Trainer takes and a gang of whole attempts cannot be.
func (settings *settings) unhosted(place string) []messages.Issue {
	refused := hosting.Refusals{Place: place}
	if settings.job.Suspend != nil && *settings.job.Suspend {
		refused.Add("suspend", "the job would never start", "false")
	}
	if settings.job.ManagedBy != nil {
		refused.Add("managedBy", *settings.job.ManagedBy, "no other controller")
	}
	if settings.job.Initializer != nil {
		refused.Add("initializer", "Jobs that end before the others start",
			"none: a gang has all its pods at once")
	}
	if settings.runtime.PodGroupPolicy != nil {
		refused.Place = "/config/runtime"
		refused.Add("podGroupPolicy", "another scheduler",
			"none: pods are bound when their attempt is asked for, all at once")
	}
	return refused.List
}

// nodes is how many pods train, where nothing says it: as many as the workers need.
func (settings settings) nodes(workers uint32) int32 {
	each := int32(1)
	if trainer := settings.job.Trainer; trainer != nil && trainer.NumProcPerNode != nil {
		each = max(1, *trainer.NumProcPerNode)
	}
	return max(1, int32(workers)/each)
}

// trainJob is the object that a user creates.
func (settings settings) trainJob(workers uint32) *trainer.TrainJob {
	spec := settings.job.DeepCopy()
	if spec.Trainer == nil {
		spec.Trainer = &trainer.Trainer{}
	}
	if spec.Trainer.NumNodes == nil && !settings.sized {
		nodes := settings.nodes(workers)
		spec.Trainer.NumNodes = &nodes
	}
	return &trainer.TrainJob{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: hosting.Namespace},
		Spec: *spec}
}

// runtimeObject is the object that an administrator created before, and where it is.
func (settings settings) runtimeObject() (object world.Object, namespace string) {
	about := metav1.ObjectMeta{Name: settings.name}
	if settings.kind == trainer.TrainingRuntimeKind {
		about.Namespace = hosting.Namespace
		return &trainer.TrainingRuntime{ObjectMeta: about, Spec: settings.runtime}, about.Namespace
	}
	return &trainer.ClusterTrainingRuntime{ObjectMeta: about, Spec: settings.runtime}, ""
}

// patched is the place in the runtime of a Job's specification.
func patched(at int) string {
	return fmt.Sprintf("/config/runtime/template/spec/replicatedJobs/%d/template/spec", at)
}
