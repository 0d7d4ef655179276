package job

import (
	"math"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"aftershock.dev/hosts/kubernetes/hosting"
	"aftershock.dev/hosts/kubernetes/messages"
	"aftershock.dev/hosts/kubernetes/world"
)

// settings are a Job's, as far as they can be known before it is submitted.
type settings struct {
	spec batchv1.JobSpec
}

// read takes a Job's specification, or the manifest that has it.
func read(policy messages.Policy) (settings, []messages.Issue) {
	var read settings
	place, issues := hosting.ReadManifest(policy.Config, "/config", "Job", &read.spec)
	if len(issues) == 0 {
		issues = Unhosted(&read.spec, place)
	}
	if len(issues) == 0 {
		tried := read.job(2)
		tried.Namespace = hosting.Namespace
		issues = hosting.Issues(world.AdmitJob(tried), place)
	}
	return read, issues
}

// Unhosted names what the API server would take and a gang of whole attempts cannot be.
func Unhosted(spec *batchv1.JobSpec, place string) []messages.Issue {
	refused := hosting.Refusals{Place: place}
	policy := spec.Template.Spec.RestartPolicy
	if policy != "" && policy != corev1.RestartPolicyNever {
		refused.Add("template/spec/restartPolicy", string(policy),
			"Never: containers that the kubelet restarts are not hosted")
	}
	if spec.Suspend != nil && *spec.Suspend {
		refused.Add("suspend", "the Job would never start", "false")
	}
	if spec.ManagedBy != nil {
		refused.Add("managedBy", *spec.ManagedBy, "no other controller")
	}
	if (spec.Completions == nil) != (spec.Parallelism == nil) ||
		spec.Completions != nil && *spec.Completions != *spec.Parallelism {
		refused.Add("parallelism", "not as many as completions",
			"as many as completions: a training job needs all its pods at once")
	}
	return refused.List
}

// Complete adds what a manifest has and a scenario leaves out: pods, one for each of `workers`
// where their number is not given, and a container in each.
func Complete(spec *batchv1.JobSpec, workers uint32) {
	if spec.Completions == nil {
		all := int32(min(workers, math.MaxInt32))
		spec.Completions, spec.Parallelism = &all, &all
	}
	pod := &spec.Template.Spec
	if pod.RestartPolicy == "" {
		pod.RestartPolicy = corev1.RestartPolicyNever
	}
	if len(pod.Containers) == 0 {
		pod.Containers = []corev1.Container{{Name: "worker", Image: "worker"}}
	}
}

// job is the object that is submitted. The selector is the API server's to give.
func (settings settings) job(workers uint32) *batchv1.Job {
	spec := settings.spec.DeepCopy()
	Complete(spec, workers)
	spec.Selector, spec.ManualSelector = nil, nil
	return &batchv1.Job{Spec: *spec,
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: hosting.Namespace, UID: "uid"}}
}
