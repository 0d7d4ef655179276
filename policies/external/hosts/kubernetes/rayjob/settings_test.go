package rayjob

import (
	"encoding/json"
	"slices"
	"testing"

	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"

	"aftershock.dev/hosts/kubernetes/messages"
)

// A RayJob is refused where KubeRay refuses it, or it would never start here.
func TestSettingsAreRefusedAtTheirPlace(t *testing.T) {
	for _, row := range []struct {
		config string
		places []string
	}{
		{`null`, nil},
		{`{"backoffLimit":2}`, nil},
		{`{"kind":"RayJob","spec":{"backoffLimit":2}}`, nil},
		{`{"rayJob":{"backoffLimit":2},"failure_config":{"max_failures":-1}}`, nil},
		{`{"kind":"Job","spec":{}}`, []string{"/config/kind"}},
		{`{"rayJob":{"kind":"Job","spec":{}}}`, []string{"/config/rayJob/kind"}},
		{`{"rayJob":{"backofLimit":2}}`, []string{"/config/rayJob/backofLimit"}},
		{`{"failure_config":{"maxFailures":1}}`, []string{"/config/failure_config/maxFailures"}},
		{`{"suspend":true}`, []string{"/config/suspend"}},
		{`{"managedBy":"kueue.x-k8s.io/multikueue"}`, []string{"/config/managedBy"}},
		{`{"clusterSelector":{"ray.io/cluster":"a"}}`, []string{"/config/clusterSelector"}},
		{`{"submissionMode":"SidecarMode"}`, []string{"/config/submissionMode"}},
		{`{"preRunningDeadlineSeconds":5}`, []string{"/config/preRunningDeadlineSeconds"}},
		{`{"spec":{"activeDeadlineSeconds":0}}`, []string{"/config/spec"}},
		{`{"backoffLimit":-1}`, []string{"/config"}},
	} {
		_, issues := read(messages.Policy{Config: json.RawMessage(row.config)})
		found := []string{}
		for _, issue := range issues {
			found = append(found, issue.Pointer)
		}
		if !slices.Equal(found, row.places) {
			t.Errorf("%s: %v, not at %v", row.config, issues, row.places)
		}
	}
}

func newDriver(maxFailures int64) *driver {
	made := &driver{maxFailures: maxFailures, workers: 2}
	made.submit("one", "cluster")
	made.take()
	return made
}

func crash(epoch uint32) messages.Event {
	return messages.Event{Type: "workers_failed", Epoch: epoch, Ranks: messages.Ranks{1}}
}

func stopped(epoch uint32) messages.Event {
	return messages.Event{Type: "workers_stopped", Epoch: epoch}
}

// The script makes its group anew as often as max_failures says, and then the Ray job is FAILED.
func TestTheScriptRaisesBeyondMaxFailures(t *testing.T) {
	driver := newDriver(1)
	if got := driver.hear(crash(1)); got != retried || driver.hear(stopped(1)) != nothing {
		t.Fatalf("%v", got)
	}
	if commands := driver.take(); len(commands) != 2 || commands[1].Type != "start_attempt" ||
		commands[1].Epoch != 2 {
		t.Fatalf("%+v", commands)
	}
	if got := driver.hear(crash(1)); got != nothing {
		t.Errorf("%v of an attempt that is over", got)
	}
	if got := driver.hear(crash(2)); got != raised || driver.now().Status != rayv1.JobStatusRunning {
		t.Fatalf("%v, %s before its group has ended", got, driver.now().Status)
	}
	driver.hear(stopped(2))
	if driver.now().Status != rayv1.JobStatusFailed || driver.Stage != idle || driver.Errors != 1 {
		t.Errorf("%+v", driver.memory)
	}
}

// Another Ray job begins its budget anew, when the processes of the one before have ended.
func TestAnotherRayJobWaitsForItsNodes(t *testing.T) {
	driver := newDriver(1)
	driver.hear(crash(1))
	driver.hear(stopped(1))
	driver.clusterGone("cluster")
	driver.submit("two", "other")
	driver.submit("two", "other")
	if driver.Errors != 0 || len(driver.Jobs) != 2 || driver.Stage != stopping {
		t.Fatalf("%+v", driver.memory)
	}
	driver.hear(stopped(2))
	if driver.Stage != live || driver.Epoch != 3 {
		t.Errorf("%+v", driver.memory)
	}
	for rank := range uint32(2) {
		driver.hear(messages.Event{Type: "workers_finished", Epoch: 3, Ranks: messages.Ranks{rank}})
	}
	if driver.now().Status != rayv1.JobStatusSucceeded {
		t.Errorf("%+v", driver.now())
	}
}
