package jobset

import (
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	api "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"aftershock.dev/hosts/kubernetes/hosting"
	"aftershock.dev/hosts/kubernetes/job"
	"aftershock.dev/hosts/kubernetes/messages"
	"aftershock.dev/hosts/kubernetes/world"
)

// settings are a JobSet's, as far as they can be known before it is submitted.
type settings struct{ spec api.JobSetSpec }

// read takes a JobSet's specification, or the manifest that has it.
func read(policy messages.Policy) (settings, []messages.Issue) {
	var read settings
	place, issues := hosting.ReadManifest(policy.Config, "/config", "JobSet", &read.spec)
	if len(issues) > 0 {
		return read, issues
	}
	issues = Unhosted(&read.spec, place)
	set := read.set(2)
	for at, given := range set.Spec.ReplicatedJobs {
		spot := fmt.Sprintf("%s/replicatedJobs/%d/template/spec", place, at)
		issues = append(issues, job.Unhosted(&given.Template.Spec, spot)...)
		tried := &batchv1.Job{Spec: *given.Template.Spec.DeepCopy(),
			ObjectMeta: metav1.ObjectMeta{Name: "job", Namespace: hosting.Namespace, UID: "uid"}}
		issues = append(issues, hosting.Issues(world.AdmitJob(tried), spot)...)
	}
	return read, issues
}

// Unhosted names what the API server would take, or a gate that is off by default would allow.
func Unhosted(spec *api.JobSetSpec, place string) []messages.Issue {
	refused := hosting.Refusals{Place: place}
	if spec.Suspend != nil && *spec.Suspend {
		refused.Add("suspend", "the set would never start", "false")
	}
	if spec.ManagedBy != nil {
		refused.Add("managedBy", *spec.ManagedBy, "no other controller")
	}
	for at, given := range spec.ReplicatedJobs {
		pod := given.Template.Spec.Template.Spec
		if len(pod.Containers) > 0 && pod.RestartPolicy == "" {
			refused.Add(fmt.Sprintf("replicatedJobs/%d/template/spec/template/spec", at),
				"JobSet's webhook gives such pods restartPolicy OnFailure",
				"restartPolicy Never: containers that the kubelet restarts are not hosted")
		}
		if len(given.DependsOn) > 0 {
			refused.Add(fmt.Sprintf("replicatedJobs/%d/dependsOn", at),
				"Jobs that start one after the other", "Jobs that start at once: a gang needs all its pods")
		}
	}
	if spec.StartupPolicy != nil && spec.StartupPolicy.StartupPolicyOrder == api.InOrder {
		refused.Add("startupPolicy", "InOrder", "AnyOrder: a gang needs all its pods")
	}
	if spec.FailurePolicy == nil {
		return refused.List
	}
	if spec.FailurePolicy.RestartStrategy == api.InPlaceRestart {
		refused.Add("failurePolicy/restartStrategy", "its feature gate is off by default", "Recreate")
	}
	for at, rule := range spec.FailurePolicy.Rules {
		if rule.Action == api.RestartJob || rule.Action == api.RestartJobAndIgnoreMaxRestarts {
			refused.Add(fmt.Sprintf("failurePolicy/rules/%d/action", at),
				"its feature gate is off by default", "an action on the whole set")
		}
	}
	return refused.List
}

// set is the object that is submitted.
func (settings settings) set(workers uint32) *api.JobSet {
	spec := settings.spec.DeepCopy()
	if len(spec.ReplicatedJobs) == 0 {
		none := int32(0)
		spec.ReplicatedJobs = []api.ReplicatedJob{{Name: "workers",
			Template: batchv1.JobTemplateSpec{Spec: batchv1.JobSpec{BackoffLimit: &none}}}}
	}
	jobs := uint32(0)
	for _, given := range spec.ReplicatedJobs {
		jobs += uint32(max(1, given.Replicas))
	}
	for at := range spec.ReplicatedJobs {
		job.Complete(&spec.ReplicatedJobs[at].Template.Spec, max(1, workers/jobs))
	}
	set := &api.JobSet{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: hosting.Namespace},
		Spec: *spec}
	Default(set)
	return set
}

// Default adds the defaults of JobSet's API and those of its webhook, whose code is not exported.
func Default(set *api.JobSet) {
	spec, indexed, yes := &set.Spec, batchv1.IndexedCompletion, true
	for at := range spec.ReplicatedJobs {
		given := &spec.ReplicatedJobs[at]
		given.Replicas = max(1, given.Replicas)
		given.GroupName = orElse(given.GroupName, "default")
		inner := &given.Template.Spec
		if inner.CompletionMode == nil {
			inner.CompletionMode = &indexed
		}
		inner.Template.Spec.RestartPolicy = orElse(inner.Template.Spec.RestartPolicy,
			corev1.RestartPolicyOnFailure)
	}
	if spec.SuccessPolicy == nil {
		spec.SuccessPolicy = &api.SuccessPolicy{Operator: api.OperatorAll}
	}
	if spec.StartupPolicy == nil {
		spec.StartupPolicy = &api.StartupPolicy{StartupPolicyOrder: api.AnyOrder}
	}
	if spec.Network == nil {
		spec.Network = &api.Network{}
	}
	if spec.Network.EnableDNSHostnames == nil {
		spec.Network.EnableDNSHostnames = &yes
	}
	if spec.Network.PublishNotReadyAddresses == nil {
		spec.Network.PublishNotReadyAddresses = &yes
	}
	if policy := spec.FailurePolicy; policy != nil {
		policy.RestartStrategy = orElse(policy.RestartStrategy, api.Recreate)
		for at := range policy.Rules {
			policy.Rules[at].Name = orElse(policy.Rules[at].Name,
				fmt.Sprintf("failurePolicyRule%d", at))
		}
	}
}

func orElse[Text ~string](text, otherwise Text) Text {
	if text == "" {
		return otherwise
	}
	return text
}
