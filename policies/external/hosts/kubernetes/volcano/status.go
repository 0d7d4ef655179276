package volcano

import (
	"fmt"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	api "volcano.sh/apis/pkg/apis/batch/v1alpha1"

	"aftershock.dev/hosts/kubernetes/hosting"
	"aftershock.dev/hosts/kubernetes/world"
)

// Decide turns what the controller did since the last batch into steps, and ends the run with the
// job.
func (project *project) Decide() {
	fresh := project.record.fresh
	project.record.fresh = nil
	for _, status := range fresh {
		if !project.run.Over() {
			project.record.look(status, project.run.Timers(), *project.limit(),
				project.run.Gang.FirstCause(), project.hasCompletedTask())
			project.finish(status)
		}
	}
}

// hasCompletedTask says whether all pods of a task have succeeded, which a policy of TaskCompleted
// answers.
func (project *project) hasCompletedTask() bool {
	succeeded := map[string]int32{}
	for _, pod := range project.run.Store.PodsOf(hosting.Namespace) {
		if pod.Status.Phase == corev1.PodSucceeded {
			succeeded[pod.Annotations[api.TaskSpecKey]]++
		}
	}
	job, is := project.run.Store.Find(jobs, hosting.Namespace, name).(*api.Job)
	return is && slices.ContainsFunc(job.Spec.Tasks, func(task api.TaskSpec) bool {
		return task.Replicas > 0 && succeeded[task.Name] >= task.Replicas
	})
}

// finish ends the run where the phase is a last one.
func (project *project) finish(status api.JobStatus) {
	reason := fmt.Sprintf("gave_up(%s%s)", phase, status.State.Phase)
	switch status.State.Phase {
	case api.Completed:
		if !project.record.CutShort {
			project.run.Complete()
			return
		}
	case api.Failed:
		if int64(status.RetryCount) > *project.limit() {
			reason = "exhausted(" + maxRetry + ")"
		}
	case api.Aborted:
		if project.record.Aborted {
			reason = "stopped_by_user"
		}
	case api.Terminated:
	default:
		return
	}
	project.run.Fail(reason)
}

// firstPods is the place of each task's first pod, and behind the last how many there are.
func firstPods(job *api.Job) (map[string]int, int) {
	first, all := map[string]int{}, 0
	for _, task := range job.Spec.Tasks {
		first[task.Name] = all
		all += int(task.Replicas)
	}
	return first, all
}

// slotOf is the place of a pod: tasks follow each other, and in each its indexes.
func slotOf(pod *corev1.Pod, first map[string]int) int {
	of, known := first[pod.Annotations[api.TaskSpecKey]]
	index, err := strconv.Atoi(pod.Annotations[api.TaskIndex])
	if !known || err != nil {
		return -1
	}
	return of + index
}

// drained says whether the pod ended with a node that was taken away in order: its object goes, and
// the pod with it.
func drained(pod *corev1.Pod) bool {
	return slices.ContainsFunc(pod.Status.Conditions, func(condition corev1.PodCondition) bool {
		return condition.Type == corev1.DisruptionTarget && condition.Reason == world.ByKubelet
	})
}
