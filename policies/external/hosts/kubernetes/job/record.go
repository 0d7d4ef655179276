package job

import (
	"slices"
	"strconv"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"aftershock.dev/hosts/kubernetes/gang"
	"aftershock.dev/hosts/kubernetes/hosting"
	"aftershock.dev/hosts/kubernetes/messages"
	"aftershock.dev/hosts/kubernetes/world"
)

// record writes down what the controller does, as steps of the messages.
type record struct {
	told
	fresh  []change // of the store, that have not been looked at
	limits map[string]*int64
}

func newRecord() record {
	return record{told: told{Steps: hosting.NewSteps(name, pending), Conditions: map[string]bool{}}}
}

// told is what the simulator has been told already, by this process or by one before it.
type told struct {
	hosting.Steps
	Conditions map[string]bool `json:"conditions"`
	Failed     int64           `json:"failed"`
	Indexes    int64           `json:"indexes"`
}

// change is one of the store's: a pod that was created, counted or let go, or the Job's status.
type change struct {
	pod     *corev1.Pod
	created bool
	counted []types.UID
	status  *batchv1.JobStatus
}

// hear is called by the store for each change, while it is locked.
func (record *record) hear(before, after world.Object) {
	switch after := after.(type) {
	case *batchv1.Job:
		var known []types.UID
		if before, is := before.(*batchv1.Job); is && before != nil {
			known = uncounted(before)
		}
		counted := []types.UID{}
		for _, pod := range uncounted(after) {
			if !slices.Contains(known, pod) {
				counted = append(counted, pod)
			}
		}
		record.fresh = append(record.fresh, change{counted: counted, status: after.Status.DeepCopy()})
		return
	case *corev1.Pod:
		if before == nil {
			record.fresh = append(record.fresh, change{pod: after, created: true})
			return
		}
	}
	if pod, is := before.(*corev1.Pod); is && held(pod) {
		if now, there := after.(*corev1.Pod); !there || now == nil || !held(now) {
			record.fresh = append(record.fresh, change{pod: pod})
		}
	}
}

func uncounted(job *batchv1.Job) []types.UID {
	if job.Status.UncountedTerminatedPods == nil {
		return nil
	}
	return job.Status.UncountedTerminatedPods.Failed
}

// held says whether the controller has yet to look at the end of the pod.
func held(pod *corev1.Pod) bool {
	return slices.Contains(pod.Finalizers, batchv1.JobTrackingFinalizer)
}

// look turns what has changed into steps.
func (record *record) look(gang *gang.Gang) {
	fresh := record.fresh
	record.fresh = nil
	made := false
	counts := []types.UID{}
	for _, one := range fresh {
		counts = append(counts, one.counted...)
	}
	charges := map[string]int64{}
	spared := map[string]bool{}
	for _, one := range fresh {
		switch {
		case one.created:
			made = true
		case one.pod != nil && one.pod.Status.Phase != corev1.PodSucceeded:
			cause := gang.Cause(one.pod.UID)
			if slices.Contains(counts, one.pod.UID) {
				charges[cause]++
			} else if world.IsTerminal(one.pod) {
				spared[cause] = true
			}
		}
	}
	record.charge(charges)
	for _, cause := range causes {
		if spared[cause] {
			step := record.Step(ignored)
			step.Budgets = []messages.Move{{Budget: backoffLimit, Cause: cause, Used: record.Failed}}
		}
	}
	if made {
		record.Step(created)
	}
	for _, one := range fresh {
		if one.status != nil {
			record.conditions(one.status, charges)
		}
	}
}

// causes of the messages, in the order in which moves of one moment are told.
var causes = []string{"application", "node", "preemption", "device", "hang"}

// charge adds the pods that were counted.
func (record *record) charge(charges map[string]int64) {
	for _, cause := range causes {
		if charges[cause] == 0 {
			continue
		}
		record.Failed += charges[cause]
		limit := record.limits[backoffLimit]
		step := record.Step(counted)
		step.Budgets = []messages.Move{{Budget: backoffLimit, Cause: cause, Used: record.Failed,
			Limit: limit, Charged: true, Exhausted: limit != nil && record.Failed > *limit}}
	}
}

// conditions adds what the status says anew.
func (record *record) conditions(status *batchv1.JobStatus, charges map[string]int64) {
	if status.FailedIndexes != nil {
		if now := lengthOf(*status.FailedIndexes); now > record.Indexes {
			record.Indexes = now
			limit := record.limits[maxFailedIndexes]
			cause := causes[0]
			for _, other := range causes {
				if charges[other] > 0 {
					cause = other
				}
			}
			step := record.Step(indexes)
			step.Budgets = []messages.Move{{Budget: maxFailedIndexes, Cause: cause, Used: now,
				Limit: limit, Charged: true, Exhausted: limit != nil && now > *limit}}
		}
	}
	for _, condition := range status.Conditions {
		key := string(condition.Type) + condition.Reason
		if condition.Status != corev1.ConditionTrue || record.Conditions[key] {
			continue
		}
		record.Conditions[key] = true
		switch condition.Type {
		case batchv1.JobFailureTarget:
			record.Step(target + condition.Reason)
		case batchv1.JobFailed:
			record.Move(isFailed+condition.Reason, failed)
		case batchv1.JobComplete:
			record.Move(completed, complete)
		}
	}
}

// lengthOf is how many indexes a list such as 1,3-5 names.
func lengthOf(list string) int64 {
	total := int64(0)
	for _, part := range strings.Split(list, ",") {
		first, last, several := strings.Cut(part, "-")
		low, err := strconv.ParseInt(first, 10, 64)
		if err != nil {
			continue
		}
		high := low
		if several {
			high, _ = strconv.ParseInt(last, 10, 64)
		}
		total += high - low + 1
	}
	return total
}
