package volcano

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"aftershock.dev/hosts/kubernetes/messages"
)

func TestRefusedSettings(t *testing.T) {
	const two = `{"name": "a", "replicas": 1}, {"name": "b", "replicas": 1`
	for _, one := range []struct{ config, pointer, message string }{
		{`{"maxRety": 1}`, "/config/maxRety", "no such member"},
		{`{"kind": "Pod", "spec": {}}`, "/config/kind", "Pod"},
		{`{"kind": "Job", "spec": {"maxRetry": "3"}}`, "/config/spec/maxRetry", "string"},
		{`{"ranksPerPod": "2"}`, "/config/ranksPerPod", `"2"`},
		{`{"queue": "other"}`, "/config/queue", "other"},
		{`{"volumes": [{"mountPath": "/data"}]}`, "/config/volumes", "claims"},
		{`{"tasks": [` + two + `, "dependsOn": {"name": ["a"]}}]}`,
			"/config/tasks/1/dependsOn", "one after the other"},
		{`{"tasks": [` + two + `, "template": {"spec": {"restartPolicy": "OnFailure"}}}]}`,
			"/config/tasks/1/template/spec/restartPolicy", "OnFailure"},
		{`{"policies": [{"event": "PodFailed", "action": "SyncJob"}]}`,
			"/config", "invalid policy action"},
		{`{"policies": [{"exitCode": 0, "action": "RestartJob"}]}`, "/config", "not a valid error"},
		{`{"policies": [{"event": "*", "action": "RestartJob"},
			{"event": "PodFailed", "action": "AbortJob"}]}`, "/config", "no other policy"},
		{`{"tasks": [` + two + `, "partitionPolicy": {"partitionSize": 1}}]}`,
			"/config", "TotalPartitions"},
		{`{"minAvailable": 3, "tasks": [` + two + `}]}`, "/config", "minAvailable"},
	} {
		_, issues := read(messages.Policy{Config: json.RawMessage(one.config)})
		if len(issues) != 1 || issues[0].Pointer != one.pointer ||
			!strings.Contains(issues[0].Message, one.message) {
			t.Errorf("%s gives %+v", one.config, issues)
		}
	}
}

func TestDefaultsOfTheWebhook(t *testing.T) {
	read, issues := read(messages.Policy{Config: json.RawMessage(
		`{"ranksPerPod": 2, "tolerationSeconds": 59.5, "plugins": {"svc": []},
			"policies": [{"event": "PodPending", "action": "AbortJob", "timeout": "1m0s"}]}`)})
	if len(issues) > 0 {
		t.Fatal(issues)
	}
	job, err := read.job(7)
	if err != nil {
		t.Fatal(err)
	}
	spec := job.Spec
	if spec.MaxRetry != 3 || spec.Queue != queue || spec.MinAvailable != 4 || len(spec.Tasks) != 1 ||
		spec.Tasks[0].Replicas != 4 || *spec.Tasks[0].MinAvailable != 4 || len(spec.Plugins) > 0 {
		t.Errorf("the job has %+v", spec)
	}
	if kept := spec.Tasks[0].Template.Spec.Tolerations; *kept[0].TolerationSeconds != 60 {
		t.Errorf("pods tolerate %+v", kept)
	}
	if read.maxRetry != 3 {
		t.Errorf("restarts are %d", read.maxRetry)
	}
	if delays := read.timeouts(); len(delays) != 1 || delays[0] != time.Minute {
		t.Errorf("delays are %v", delays)
	}
}

func TestPlacesFollowTheTasks(t *testing.T) {
	read, _ := read(messages.Policy{Config: json.RawMessage(
		`{"tasks": [{"name": "master", "replicas": 1}, {"name": "worker", "replicas": 3}]}`)})
	job, err := read.job(4)
	if err != nil {
		t.Fatal(err)
	}
	first, all := firstPods(job)
	if all != 4 || first["master"] != 0 || first["worker"] != 1 {
		t.Errorf("places are %v of %d", first, all)
	}
}
