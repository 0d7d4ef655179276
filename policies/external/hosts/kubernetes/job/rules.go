package job

import (
	batchv1 "k8s.io/api/batch/v1"

	"aftershock.dev/hosts/kubernetes/hosting"
	"aftershock.dev/hosts/kubernetes/messages"
)

// States, as the port names them: what a gang is that one Job's pods make.
const (
	pending     = "Pending"
	running     = "Running"
	recovering  = "Recovering"
	terminating = "Terminating"
	complete    = "Complete"
	failed      = "Failed"
)

// Rules: conditions, counters and events of the real controller, by their words.
const (
	created   = "job.event.SuccessfulCreate"
	counted   = "job.status.failed"
	ignored   = "job.podFailurePolicy.Ignore"
	indexes   = "job.status.failedIndexes"
	target    = "job.condition.FailureTarget."
	isFailed  = "job.condition.Failed."
	completed = "job.condition.Complete"
)

const controller = "pkg/controller/job/job_controller.go"

var reasons = []string{
	batchv1.JobReasonBackoffLimitExceeded, batchv1.JobReasonDeadlineExceeded,
	batchv1.JobReasonFailedIndexes, batchv1.JobReasonMaxFailedIndexesExceeded,
	batchv1.JobReasonPodFailurePolicy,
}

func rules() []messages.Rule {
	all := []messages.Rule{
		{ID: created, Sentence: "The controller created pods", Source: controller},
		{ID: counted, Sentence: "The controller counted pods in status.failed", Source: controller},
		{ID: ignored, Sentence: "The first rule of podFailurePolicy that matched said Ignore",
			Source: "pkg/controller/job/pod_failure_policy.go"},
		{ID: indexes, Sentence: "The controller counted indexes in status.failedIndexes",
			Source: "pkg/controller/job/indexed_job_utils.go"},
		{ID: completed, Sentence: "The condition Complete became true", Source: controller},
	}
	all = append(all, hosting.Rules(name, "Job", controller)...)
	for _, reason := range reasons {
		all = append(all,
			messages.Rule{ID: target + reason, Source: controller,
				Sentence: "The condition FailureTarget became true: " + reason},
			messages.Rule{ID: isFailed + reason, Source: controller,
				Sentence: "The condition Failed became true: " + reason})
	}
	return all
}
