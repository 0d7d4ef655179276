package jobset

import (
	"encoding/json"
	"slices"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	api "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"aftershock.dev/hosts/kubernetes/messages"
)

// A set is refused where it could not be created, or its Jobs would be no gang.
func TestSettingsAreRefusedAtTheirPlace(t *testing.T) {
	const inner = "/config/replicatedJobs/0/template/spec/"
	for _, row := range []struct {
		config string
		places []string
	}{
		{`null`, nil},
		{`{"failurePolicy":{"maxRestarts":3}}`, nil},
		{`{"kind":"JobSet","spec":{"failurePolicy":{"maxRestarts":3}}}`, nil},
		{`{"kind":"Job","spec":{}}`, []string{"/config/kind"}},
		{`{"failurePolicy":{"maxRestart":3}}`, []string{"/config/failurePolicy/maxRestart"}},
		{`{"suspend":true}`, []string{"/config/suspend"}},
		{`{"managedBy":"a.b/c"}`, []string{"/config/managedBy"}},
		{`{"startupPolicy":{"startupPolicyOrder":"InOrder"}}`, []string{"/config/startupPolicy"}},
		{`{"failurePolicy":{"restartStrategy":"InPlaceRestart"}}`,
			[]string{"/config/failurePolicy/restartStrategy"}},
		{`{"failurePolicy":{"rules":[{"action":"FailJobSet"},{"action":"RestartJob"}]}}`,
			[]string{"/config/failurePolicy/rules/1/action"}},
		{`{"replicatedJobs":[{"name":"w","template":{"spec":{"suspend":true}}}]}`,
			[]string{inner + "suspend"}},
		{`{"replicatedJobs":[{"name":"w","template":{"spec":{"backoffLimit":-1}}}]}`,
			[]string{inner + "backoffLimit"}},
		{`{"replicatedJobs":[{"name":"w","template":{"spec":{"template":{"spec":{"containers":[
			{"name":"c","image":"i"}]}}}}}]}`, []string{inner + "template/spec"}},
		{`{"replicatedJobs":[{"name":"d","template":{"spec":{}}},
			{"name":"w","dependsOn":[{"name":"d","status":"Ready"}],"template":{"spec":{}}}]}`,
			[]string{"/config/replicatedJobs/1/dependsOn"}},
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

// Workers are spread over the Jobs, and what the webhook would give is there.
func TestASetHasWhatItsManifestLeavesOut(t *testing.T) {
	given, issues := read(messages.Policy{Config: json.RawMessage(`{
		"failurePolicy":{"rules":[{"action":"FailJobSet"}]},
		"replicatedJobs":[{"name":"w","replicas":2,"template":{"spec":{}}}]}`)})
	if len(issues) > 0 {
		t.Fatal(issues)
	}
	made := given.set(8).Spec
	inner := made.ReplicatedJobs[0].Template.Spec
	if *inner.Completions != 4 || *inner.CompletionMode != batchv1.IndexedCompletion {
		t.Errorf("made %+v", inner)
	}
	if made.SuccessPolicy.Operator != api.OperatorAll ||
		made.FailurePolicy.RestartStrategy != api.Recreate ||
		made.FailurePolicy.Rules[0].Name != "failurePolicyRule0" {
		t.Errorf("made %+v", made)
	}
	if first := firstPods(given.set(8)); !slices.Equal(first, []int{0, 4, 8}) {
		t.Errorf("pods begin at %v", first)
	}
}

// A pod has its place by its Job and its index in that; one of another set has none.
func TestPlacesOfPods(t *testing.T) {
	first := []int{0, 2, 6}
	for _, row := range []struct {
		job, index string
		place      int
	}{
		{"0", "0", 0}, {"0", "1", 1}, {"1", "0", 2}, {"1", "3", 5},
		{"2", "0", -1}, {"", "0", -1}, {"0", "", -1},
	} {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
			Labels:      map[string]string{api.JobGlobalIndexKey: row.job},
			Annotations: map[string]string{batchv1.JobCompletionIndexAnnotation: row.index}}}
		if place := slotOf(pod, first); place != row.place {
			t.Errorf("%+v: is at %d", row, place)
		}
	}
}
