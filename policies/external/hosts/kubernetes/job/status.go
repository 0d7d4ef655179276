package job

import (
	"math"
	"slices"
	"strconv"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"aftershock.dev/hosts/kubernetes/hosting"
	"aftershock.dev/hosts/kubernetes/messages"
	"aftershock.dev/hosts/kubernetes/world"
)

// Budgets, by the members of the specification that limit them.
const (
	backoffLimit     = "backoffLimit"
	maxFailedIndexes = "maxFailedIndexes"
)

// limits are those of the specification; the greatest number is how the API writes that there is
// none.
func (settings settings) limits() map[string]*int64 {
	tried := settings.job(2)
	// The settings were read, so that this has been admitted before.
	_ = world.AdmitJob(tried)
	limits := map[string]*int64{}
	if limit := tried.Spec.BackoffLimit; limit != nil && *limit != math.MaxInt32 {
		wide := int64(*limit)
		limits[backoffLimit] = &wide
	}
	if limit := tried.Spec.MaxFailedIndexes; limit != nil {
		wide := int64(*limit)
		limits[maxFailedIndexes] = &wide
	}
	return limits
}

// Budgets are those of the specification, and what the controller has counted.
func (project *project) Budgets() []messages.Budget {
	limits := project.settings.limits()
	return []messages.Budget{
		{Name: backoffLimit, Used: project.record.Failed, Limit: limits[backoffLimit]},
		{Name: maxFailedIndexes, Used: project.record.Indexes, Limit: limits[maxFailedIndexes]}}
}

// has says whether the condition is true.
func has(job *batchv1.Job, kind batchv1.JobConditionType) *batchv1.JobCondition {
	for at, condition := range job.Status.Conditions {
		if condition.Type == kind && condition.Status == corev1.ConditionTrue {
			return &job.Status.Conditions[at]
		}
	}
	return nil
}

// Fails says whether the Job is to fail, or has failed.
func Fails(job *batchv1.Job) bool {
	return has(job, batchv1.JobFailureTarget) != nil || has(job, batchv1.JobFailed) != nil
}

// Decide turns what the controller did since the last batch into steps, and ends the run with the
// Job.
func (project *project) Decide() {
	run, job := project.run, project.object()
	project.record.look(run.Gang)
	if run.Over() || job == nil {
		return
	}
	if ended := has(job, batchv1.JobFailed); ended != nil {
		reason := "gave_up(" + isFailed + ended.Reason + ")"
		switch ended.Reason {
		case batchv1.JobReasonBackoffLimitExceeded:
			reason = "exhausted(" + backoffLimit + ")"
		case batchv1.JobReasonMaxFailedIndexesExceeded:
			reason = "exhausted(" + maxFailedIndexes + ")"
		}
		run.Fail(reason)
		return
	}
	if has(job, batchv1.JobComplete) != nil {
		run.Complete()
		return
	}
	project.record.Become(hosting.GangStates{Running: running, Ending: terminating,
		Starting: pending, Otherwise: recovering}.Of(run.Gang))
}

// DeadlineUs is when activeDeadlineSeconds are over; nil where there is none.
func DeadlineUs(job *batchv1.Job, at func(time.Time) int64) *int64 {
	if job == nil || job.Spec.ActiveDeadlineSeconds == nil || job.Status.StartTime == nil {
		return nil
	}
	us := at(job.Status.StartTime.Add(time.Duration(*job.Spec.ActiveDeadlineSeconds) * time.Second))
	return &us
}

// unsettled says whether the controller is about to make pods.
func (project *project) unsettled(job *batchv1.Job) bool {
	if job == nil || has(job, batchv1.JobFailureTarget) != nil || project.run.Gang.Live() &&
		!project.run.Gang.Unmet() {
		return false
	}
	return !project.run.Gang.Moving() || project.run.Gang.Unmet()
}

// slotOf is the pod's completion index, or the first place that no pod before it has.
func slotOf(store *world.Store, pod *corev1.Pod, given map[string]int) int {
	if text, is := pod.Annotations[batchv1.JobCompletionIndexAnnotation]; is {
		if index, err := strconv.Atoi(text); err == nil {
			return index
		}
		return -1
	}
	if slot, known := given[pod.Name]; known {
		return slot
	}
	taken := []int{}
	for _, other := range store.PodsOf(pod.Namespace) {
		if slot, known := given[other.Name]; known && other.DeletionTimestamp == nil &&
			!world.IsTerminal(other) {
			taken = append(taken, slot)
		}
	}
	slot := 0
	for slices.Contains(taken, slot) {
		slot++
	}
	given[pod.Name] = slot
	return slot
}
