package rayjob

import (
	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"

	"aftershock.dev/hosts/kubernetes/hosting"
	"aftershock.dev/hosts/kubernetes/messages"
)

// States are those of status.jobDeploymentStatus.
const (
	fresh        = "New"
	initializing = string(rayv1.JobDeploymentStatusInitializing)
	running      = string(rayv1.JobDeploymentStatusRunning)
	retrying     = string(rayv1.JobDeploymentStatusRetrying)
	complete     = string(rayv1.JobDeploymentStatusComplete)
	failed       = string(rayv1.JobDeploymentStatusFailed)
)

// Rules: the status of the RayJob, by its words, and what the script that it submits does.
const (
	isNow     = "rayjob.status."
	isFailed  = "rayjob.status.Failed."
	isRetried = "rayjob.status.Retrying."
	retry     = "ray_train.max_failures.retry"
	raise     = "ray_train.max_failures.raise"
	restart   = "ray_train.controller_failure"
	act       = name + ".act"
	user      = name + ".deleted"
	unheard   = name + ".unheard"
)

// Budgets: of RayJobs, and of the script in each.
const (
	backoffLimit = "backoffLimit"
	maxFailures  = "max_failures"
)

const source = "controllers/ray/rayjob_controller.go"

var reasons = []rayv1.JobFailedReason{rayv1.AppFailed, rayv1.DeadlineExceeded,
	rayv1.SubmissionFailed, rayv1.JobDeploymentStatusTransitionGracePeriodExceeded}

func rules() []messages.Rule {
	const inner = "Ray Train, as max_failures of the script says"
	all := []messages.Rule{
		{ID: retry, Sentence: "The script makes its worker group anew", Source: inner},
		{ID: raise, Sentence: "The script raises, and the Ray job is FAILED", Source: inner},
		{ID: restart, Sentence: "A start that failed is tried again, without an end", Source: inner},
	}
	for _, status := range []string{initializing, running, complete} {
		all = append(all, messages.Rule{ID: isNow + status, Source: source,
			Sentence: "status.jobDeploymentStatus became " + status})
	}
	all = append(all, hosting.Rules(name, "RayJob", source)...)
	for _, reason := range reasons {
		all = append(all,
			messages.Rule{ID: isRetried + string(reason), Source: source,
				Sentence: "A new cluster and a new Ray job follow, after " + string(reason)},
			messages.Rule{ID: isFailed + string(reason), Source: source,
				Sentence: "status.jobDeploymentStatus became Failed, after " + string(reason)})
	}
	return all
}

// told is what the simulator has been told already, by this process or by one before it.
type told struct {
	hosting.Steps
	Failed int64 `json:"failed"` // Ray jobs
}

func (run *run) budgets() []messages.Budget {
	return []messages.Budget{{Name: backoffLimit, Used: run.told.Failed, Limit: run.settings.limit()},
		{Name: maxFailures, Used: run.driver.Errors, Limit: run.settings.inner()}}
}

// script tells what the script made of an event.
func (run *run) script(what happened, at int) {
	limit, used := run.settings.inner(), run.driver.Errors
	move := messages.Move{Budget: maxFailures, Cause: run.driver.cause, Used: used, Limit: limit}
	rule := restart
	switch what {
	case nothing:
		return
	case exempted:
		move.Cause = "application"
	case retried:
		rule, move.Charged = retry, true
	case raised:
		rule = raise // which the RayJob's own budget is charged for
	}
	step := run.told.Step(rule)
	step.Saw = []int{at}
	step.Budgets = []messages.Move{move}
}

// look tells what the RayJob's status says anew, and ends the run with it.
func (run *run) look(job *rayv1.RayJob) {
	status := job.Status
	now := string(status.JobDeploymentStatus)
	if now == "" {
		now = fresh
	}
	if now == run.told.State || run.over {
		return
	}
	used := run.told.Failed
	if status.Failed != nil {
		used = int64(*status.Failed)
	}
	charged := used > run.told.Failed
	run.told.Failed = used
	switch now {
	case retrying:
		run.charge(run.told.Move(isRetried+string(status.Reason), now), charged, false)
	case failed:
		run.fail(status, charged)
	case complete:
		run.told.Move(isNow+now, now)
		run.driver.ask(messages.Command{Type: "complete"})
		run.over = true
	case fresh:
		run.told.Move(act, now)
	default:
		step := run.told.Move(isNow+now, now)
		if now == initializing && used > 0 {
			// Another Ray job begins, and the budget of its script with it.
			step.Budgets = []messages.Move{{Budget: maxFailures, Cause: run.cause(), Used: 0,
				Limit: run.settings.inner()}}
			run.driver.Errors = 0
		}
	}
}

func (run *run) cause() string {
	if run.driver.cause == "" {
		return "application"
	}
	return run.driver.cause
}

func (run *run) charge(step *messages.Step, charged, exhausted bool) {
	step.Budgets = []messages.Move{{Budget: backoffLimit, Cause: run.cause(),
		Used: run.told.Failed, Limit: run.settings.limit(), Charged: charged,
		Exhausted: charged && exhausted}}
}

// fail ends the run. KubeRay counts an end by activeDeadlineSeconds, too, but never follows it by
// another.
func (run *run) fail(status rayv1.RayJobStatus, charged bool) {
	rule := isFailed + string(status.Reason)
	step := run.told.Move(rule, failed)
	beyond := run.told.Failed > *run.settings.limit()
	run.charge(step, charged, beyond)
	reason := "gave_up(" + rule + ")"
	if status.Reason == rayv1.DeadlineExceeded {
		step.Saw = run.timers
		if !run.settings.job.ShutdownAfterJobFinishes && run.settings.job.DeletionStrategy == nil {
			step.Rejected = []messages.Rejected{{What: "stop",
				Why: "shutdownAfterJobFinishes is false: cluster and Ray job go on"}}
		}
	} else if beyond {
		reason = "exhausted(" + backoffLimit + ")"
	}
	run.driver.ask(messages.Command{Type: "fail", Reason: reason})
	run.over = true
}
