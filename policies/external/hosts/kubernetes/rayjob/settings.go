package rayjob

import (
	"encoding/json"

	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/utils"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"aftershock.dev/hosts/kubernetes/hosting"
	"aftershock.dev/hosts/kubernetes/messages"
)

// settings are a RayJob, and Ray Train's FailureConfig in the script that it submits.
type settings struct {
	job     rayv1.RayJobSpec
	failure failureConfig
}

type failureConfig struct {
	MaxFailures int64 `json:"max_failures"`
}

// read takes a RayJob, or one in `rayJob` and what its script gives to Ray Train in
// `failure_config`. The RayJob is a manifest or its specification.
func read(policy messages.Policy) (settings, []messages.Issue) {
	var read settings
	var members map[string]json.RawMessage
	job, place := policy.Config, "/config"
	if json.Unmarshal(policy.Config, &members) == nil {
		_, hasJob := members["rayJob"]
		failure, hasFailure := members["failure_config"]
		if hasJob || hasFailure {
			job, place = members["rayJob"], "/config/rayJob"
		}
		if hasFailure {
			issues := hosting.Read(failure, "/config/failure_config", &read.failure)
			if len(issues) > 0 {
				return read, issues
			}
		}
	}
	place, issues := hosting.ReadManifest(job, place, "RayJob", &read.job)
	if len(issues) == 0 {
		issues = read.unhosted(place)
	}
	if len(issues) == 0 {
		if err := utils.ValidateRayJobSpec(read.rayJob()); err != nil {
			issues = []messages.Issue{{Pointer: place, Message: err.Error(),
				Expected: "what KubeRay takes"}}
		}
	}
	return read, issues
}

// unhosted names what KubeRay takes and would never start here, or be seen.
func (settings settings) unhosted(place string) []messages.Issue {
	refused, job := hosting.Refusals{Place: place}, settings.job
	refuse := func(wrong bool, member, message, expected string) {
		if wrong {
			refused.Add(member, message, expected)
		}
	}
	refuse(job.Suspend, "suspend", "the job would never start", "false")
	refuse(job.ManagedBy != nil, "managedBy", "another controller", "none")
	refuse(len(job.ClusterSelector) > 0, "clusterSelector", "a cluster of somebody else",
		"a cluster of the job's own")
	refuse(job.SubmissionMode != "" && job.SubmissionMode != rayv1.K8sJobMode &&
		job.SubmissionMode != rayv1.HTTPMode, "submissionMode", string(job.SubmissionMode),
		"K8sJobMode or HTTPMode")
	refuse(job.PreRunningDeadlineSeconds != nil, "preRunningDeadlineSeconds",
		"it never comes: a cluster is Ready at once, and its time is part of the attempt's",
		"none")
	refuse(job.SubmitterPodTemplate != nil, "submitterPodTemplate",
		"a submitter that does something else", "KubeRay's own")
	return refused.List
}

// rayJob is the object that is submitted, with the defaults of the API and what a manifest has and
// a scenario leaves out: a cluster and a script.
func (settings settings) rayJob() *rayv1.RayJob {
	spec := settings.job.DeepCopy()
	if spec.SubmissionMode == "" {
		spec.SubmissionMode = rayv1.K8sJobMode
	}
	if spec.BackoffLimit == nil {
		none := int32(0)
		spec.BackoffLimit = &none
	}
	if spec.Entrypoint == "" {
		spec.Entrypoint = "python train.py"
	}
	if spec.RayClusterSpec == nil {
		spec.RayClusterSpec = &rayv1.RayClusterSpec{}
	}
	head := &spec.RayClusterSpec.HeadGroupSpec.Template.Spec
	if len(head.Containers) == 0 {
		head.Containers = []corev1.Container{{Name: "ray-head", Image: "rayproject/ray:2.60.0"}}
	}
	return &rayv1.RayJob{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: hosting.Namespace},
		Spec: *spec}
}

// limit is how many failures of Ray jobs are followed by another.
func (settings settings) limit() *int64 {
	limit := int64(0)
	if given := settings.job.BackoffLimit; given != nil {
		limit = int64(*given)
	}
	return &limit
}

// inner is max_failures; nil where there is no limit.
func (settings settings) inner() *int64 {
	if settings.failure.MaxFailures < 0 {
		return nil
	}
	limit := settings.failure.MaxFailures
	return &limit
}
