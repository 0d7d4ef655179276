package job

import (
	batchv1 "k8s.io/api/batch/v1"
	controllers "k8s.io/kubernetes/pkg/controller/job"

	"aftershock.dev/hosts/kubernetes/gang"
	"aftershock.dev/hosts/kubernetes/hosting"
	"aftershock.dev/hosts/kubernetes/messages"
)

// Delay is the controller's wait before it makes pods anew, as far as it has heard of failures.
type Delay struct {
	known  *messages.Backoff
	failed int // pods that it has counted
}

// Watch adds the wait: where the whole gang waits it is the run's, that of a pod for which others
// wait is theirs.
func (delay *Delay) Watch(job *batchv1.Job, gang *gang.Gang, watch *messages.Watch,
	due *hosting.Due) {
	failed := failedPods(job)
	counted := failed > delay.failed
	delay.failed = failed
	now := backoff(job, gang)
	if now == nil {
		delay.known = nil
		return
	}
	due.At(&now.UntilUs)
	// A look that something else had asked for shows it all pods that have failed by then.
	if counted || due.NowUs >= now.SinceUs+Waits.Batched.Microseconds() {
		delay.known = now
	}
	if delay.known != nil && delay.known.UntilUs > due.NowUs && !gang.Live() {
		watch.Backoff = delay.known
	}
}

// failedPods counts the pods that the controller has seen fail: none where the Job is gone.
func failedPods(job *batchv1.Job) int {
	if job == nil {
		return 0
	}
	failed := int(job.Status.Failed)
	if job.Status.UncountedTerminatedPods != nil {
		failed += len(job.Status.UncountedTerminatedPods.Failed)
	}
	return failed
}

// backoff is the wait after all failures of the Job's pods, by the controller's own laws; nil where
// it does not wait.
func backoff(job *batchv1.Job, gang *gang.Gang) *messages.Backoff {
	if job == nil || has(job, batchv1.JobFailureTarget) != nil {
		return nil
	}
	failures := gang.Failures(job.Spec.BackoffLimitPerIndex != nil)
	if failures == 0 {
		return nil
	}
	longest := controllers.MaxJobPodFailureBackOff
	delay := controllers.DefaultJobPodFailureBackOff
	for nth := 1; nth < failures && delay < longest; nth++ {
		delay *= 2
	}
	since := gang.LastFailureUs()
	// The API has told the controller no more than the second in which the pod ended.
	until := since - since%1_000_000 + min(delay, longest).Microseconds()
	return &messages.Backoff{SinceUs: since, UntilUs: until, LongestUs: longest.Microseconds()}
}

// FailsWhenGone says whether a pod of the Job that is deleted has failed when it is gone, and not
// before: pkg/controller/job/job_controller.go, onlyReplaceFailedPods.
func FailsWhenGone(spec *batchv1.JobSpec) bool {
	policy := spec.PodReplacementPolicy
	return spec.PodFailurePolicy != nil || policy != nil && *policy == batchv1.Failed
}
