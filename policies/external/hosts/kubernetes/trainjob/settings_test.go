package trainjob

import (
	"encoding/json"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"aftershock.dev/hosts/kubernetes/messages"
)

// never is a runtime whose pods are not restarted in place, with more of a set and of its Job.
func never(set, job string) string {
	return `"runtime":{"template":{"spec":{` + set + `"replicatedJobs":[{"name":"node","template":{
		"metadata":{"labels":{"trainer.kubeflow.org/trainjob-ancestor-step":"trainer"}},
		"spec":{` + job + `"template":{"spec":{"restartPolicy":"Never"}}}}}]}}}`
}

func places(config string) ([]string, []messages.Issue) {
	_, issues := read(messages.Policy{Config: json.RawMessage(config)})
	found := []string{}
	for _, issue := range issues {
		found = append(found, issue.Pointer)
	}
	return found, issues
}

// A TrainJob is refused where Trainer or the API server refuses it, or its pods would be no gang.
func TestSettingsAreRefusedAtTheirPlace(t *testing.T) {
	const job = "/config/runtime/template/spec/replicatedJobs/0/template/spec/"
	for _, row := range []struct {
		config string
		places []string
	}{
		{`{` + never("", "") + `}`, nil},
		{`{"trainJob":{"kind":"TrainJob","spec":{}},` + never("", "") + `}`, nil},
		{`{"trainJob":{"kind":"Job","spec":{}},` + never("", "") + `}`,
			[]string{"/config/trainJob/kind"}},
		{`{"trainJob":{"numNodes":4},` + never("", "") + `}`,
			[]string{"/config/trainJob/numNodes"}},
		{`{"trainJob":{"suspend":true},` + never("", "") + `}`,
			[]string{"/config/trainJob/suspend"}},
		{`{"trainJob":{"managedBy":"a.b/c"},` + never("", "") + `}`,
			[]string{"/config/trainJob/managedBy"}},
		{`{"trainJob":{"initializer":{"model":{}}},` + never("", "") + `}`,
			[]string{"/config/trainJob/initializer"}},
		{`{"trainJob":{"runtimeRef":{"name":"x","kind":"Runtime"}},` + never("", "") + `}`,
			[]string{"/config/trainJob/runtimeRef"}},
		{`{"trainJob":{"trainer":{"env":[{"name":"PET_NNODES","value":"1"}]}},` +
			never("", "") + `}`, []string{"/config/trainJob/trainer/env"}},
		{`{"runtime":{"podGroupPolicy":{"coscheduling":{}},"template":{}}}`,
			[]string{"/config/runtime/podGroupPolicy"}},
		{`{` + never(`"startupPolicy":{"startupPolicyOrder":"InOrder"},`, "") + `}`,
			[]string{"/config/runtime/template/spec/startupPolicy"}},
		{`{` + never("", `"backoffLimit":-1,`) + `}`, []string{job + "backoffLimit"}},
		{`null`, nil},
	} {
		if found, issues := places(row.config); !slices.Equal(found, row.places) {
			t.Errorf("%s: %v, not at %v", row.config, issues, row.places)
		}
	}
}

// Trainer's own code makes the set: a pod a node, with what torchrun reads in its environment.
func TestThePlanIsTrainers(t *testing.T) {
	given, issues := read(messages.Policy{Config: json.RawMessage(
		`{"trainJob":{"trainer":{"numProcPerNode":2}},` + never("", "") + `}`)})
	if len(issues) > 0 {
		t.Fatal(issues)
	}
	set, issues, err := given.plan(8)
	if err != nil || len(issues) > 0 {
		t.Fatal(issues, err)
	}
	job := set.Spec.ReplicatedJobs[0].Template.Spec
	if *job.Completions != 4 || *job.Parallelism != 4 {
		t.Errorf("%d pods of %d", *job.Parallelism, *job.Completions)
	}
	env := job.Template.Spec.Containers[0].Env
	at := slices.IndexFunc(env, func(one corev1.EnvVar) bool { return one.Name == "PET_NNODES" })
	if at < 0 || env[at].Value != "4" {
		t.Errorf("%v", env)
	}
}
