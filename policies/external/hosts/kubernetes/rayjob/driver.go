package rayjob

import (
	"encoding/json"

	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"

	"aftershock.dev/hosts/kubernetes/messages"
)

// Grace of processes: Ray Train's own when its group is shut down, and a pod's when the cluster is
// deleted.
const (
	groupGraceUs = 5_000_000
	podGraceUs   = 30_000_000
)

// stage is what the simulator has of the training.
type stage int

const (
	idle     stage = iota // nothing
	live                  // an attempt that starts or runs
	stopping              // processes that are being ended
)

// rayJob is a job as Ray's dashboard knows it.
type rayJob struct {
	ID      string          `json:"id"`
	Status  rayv1.JobStatus `json:"status"`
	Message string          `json:"message"`
	StartUs int64           `json:"start_us"`
	EndUs   int64           `json:"end_us"`
	Cluster string          `json:"cluster"`
}

// memory is all that the driver knows.
type memory struct {
	Stage     stage    `json:"stage"`
	Epoch     uint32   `json:"epoch"`
	CommandID uint64   `json:"command"`
	Errors    int64    `json:"errors"` // of the present Ray job, but the one that it raised
	Jobs      []rayJob `json:"jobs"`
	// Again says that another attempt of the present Ray job begins when the processes have ended,
	// Raised that the Ray job ends with them.
	Again  bool   `json:"again"`
	Raised string `json:"raised"`
}

// driver is the script of the submitted Ray job: one training after Ray Train's rule of
// max_failures, in one worker group after the other.
type driver struct {
	memory
	job, workers uint32
	maxFailures  int64
	nowUs        int64
	finished     map[uint32]bool
	commands     []messages.Command
	// changed says that the dashboard would answer otherwise than before.
	changed bool
	cause   string
}

// happened is what came of a failure of workers.
type happened int

const (
	nothing  happened = iota
	retried           // within max_failures
	raised            // beyond it
	exempted          // a start that failed: controller_failure_limit is -1
)

func (driver *driver) ask(command messages.Command) {
	driver.CommandID++
	command.ID, command.Job = driver.CommandID, driver.job
	driver.commands = append(driver.commands, command)
}

// take gives all commands since the last time.
func (driver *driver) take() []messages.Command {
	commands := driver.commands
	driver.commands = nil
	return commands
}

// now is the Ray job that was submitted last, or nil.
func (driver *driver) now() *rayJob {
	if len(driver.Jobs) == 0 {
		return nil
	}
	return &driver.Jobs[len(driver.Jobs)-1]
}

// runs says whether the Ray job has not ended.
func (driver *driver) runs() bool {
	now := driver.now()
	return now != nil && !rayv1.IsJobTerminal(now.Status)
}

// submit starts the Ray job in the cluster. One that is known is not started twice.
func (driver *driver) submit(id, cluster string) {
	for _, known := range driver.Jobs {
		if known.ID == id {
			return
		}
	}
	driver.Jobs = append(driver.Jobs, rayJob{ID: id, Status: rayv1.JobStatusRunning,
		StartUs: driver.nowUs, Cluster: cluster})
	driver.Errors, driver.Raised = 0, ""
	driver.changed = true
	if driver.Stage == idle {
		driver.start()
	} else {
		driver.Again = true // its nodes are those of the cluster that is going
	}
}

func (driver *driver) start() {
	driver.Epoch++
	driver.Stage, driver.Again = live, false
	driver.finished = map[uint32]bool{}
	driver.ask(messages.Command{Type: "start_attempt", Epoch: driver.Epoch,
		Workers: driver.workers})
}

func (driver *driver) stop(graceUs int64) {
	driver.Stage = stopping
	driver.ask(messages.Command{Type: "stop_workers", Epoch: driver.Epoch, GraceUs: &graceUs})
}

// clusterGone ends the Ray job with its cluster.
func (driver *driver) clusterGone(cluster string) {
	now := driver.now()
	if now == nil || now.Cluster != cluster {
		return
	}
	if driver.runs() {
		driver.end(rayv1.JobStatusFailed, "the cluster was deleted")
	}
	driver.Again = false
	if driver.Stage == live {
		driver.stop(podGraceUs)
	}
}

func (driver *driver) end(status rayv1.JobStatus, message string) {
	now := driver.now()
	now.Status, now.Message, now.EndUs = status, message, driver.nowUs
	driver.changed = true
}

// hear takes an event about the workers.
func (driver *driver) hear(event messages.Event) happened {
	current := driver.Stage == live && event.Epoch == driver.Epoch
	switch event.Type {
	case "attempt_start_failed":
		if current {
			driver.Again = true
			driver.stop(groupGraceUs)
			return exempted
		}
	case "workers_failed":
		if current && driver.runs() {
			return driver.failed(event)
		}
	case "node_unreachable":
		// Ray's own control plane takes the node for dead, and the script hears of its actors.
		if driver.Stage == live && driver.runs() && len(event.Ranks) > 0 {
			event.Kind = "node_lost"
			return driver.failed(event)
		}
	case "workers_finished":
		if current {
			driver.returned(event)
		}
	case "workers_stopped":
		if driver.Stage == stopping && event.Epoch == driver.Epoch {
			driver.stopped()
		}
	}
	return nothing
}

// failed is Ray Train's rule: a group that fails is made anew as often as max_failures says.
func (driver *driver) failed(event messages.Event) happened {
	driver.cause = causeOf(event)
	driver.stop(groupGraceUs)
	if driver.maxFailures < 0 || driver.Errors < driver.maxFailures {
		driver.Errors++
		driver.Again = true
		return retried
	}
	driver.Raised = "TrainingFailedError"
	return raised
}

func causeOf(event messages.Event) string {
	switch {
	case event.Preempted:
		return "preemption"
	case event.Kind == "node_lost":
		return "node"
	case event.Kind == "accelerator_fault":
		return "device"
	}
	return "application"
}

func (driver *driver) returned(event messages.Event) {
	for _, rank := range event.Ranks {
		driver.finished[rank] = true
	}
	if len(driver.finished) == int(driver.workers) {
		driver.end(rayv1.JobStatusSucceeded, "")
	}
}

func (driver *driver) stopped() {
	driver.Stage = idle
	if driver.Raised != "" && driver.runs() {
		driver.end(rayv1.JobStatusFailed, driver.Raised)
		driver.Raised = ""
	}
	if driver.Again && driver.runs() {
		driver.start()
	}
	driver.Again = false
}

// restore takes up what the process before this one left, where processes are still there; else
// they and the Ray job are lost with their cluster.
func (driver *driver) restore(text json.RawMessage, epoch uint32, events []messages.Event) error {
	driver.finished = map[uint32]bool{}
	if err := json.Unmarshal(text, &driver.memory); err != nil {
		return err
	}
	driver.Epoch = max(driver.Epoch, epoch)
	for _, event := range events {
		if event.Type == "attempt_running" && event.Epoch == driver.Epoch {
			driver.Stage = live
			return nil
		}
	}
	driver.Again = false
	if driver.runs() {
		driver.end(rayv1.JobStatusFailed, "lost with its cluster")
	}
	if driver.Stage != idle {
		driver.stop(podGraceUs)
	}
	return nil
}
