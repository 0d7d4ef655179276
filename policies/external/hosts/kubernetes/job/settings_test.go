package job

import (
	"encoding/json"
	"slices"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"aftershock.dev/hosts/kubernetes/messages"
)

func pointers(issues []messages.Issue) []string {
	found := []string{}
	for _, issue := range issues {
		found = append(found, issue.Pointer)
	}
	return found
}

// Settings are refused where the API server would refuse them, or no gang could be made of them.
func TestSettingsAreRefusedAtTheirPlace(t *testing.T) {
	for _, row := range []struct {
		config string
		places []string
	}{
		{`null`, nil},
		{`{}`, nil},
		{`{"backoffLimit":3}`, nil},
		{`{"kind":"Job","apiVersion":"batch/v1","spec":{"backoffLimit":3}}`, nil},
		{`{"kind":"CronJob","spec":{}}`, []string{"/config/kind"}},
		{`{"kind":"Job"}`, []string{"/config"}},
		{`[]`, []string{"/config"}},
		{`{"backofLimit":3}`, []string{"/config/backofLimit"}},
		{`{"spec":{"backofLimit":3}}`, []string{"/config/spec/backofLimit"}},
		{`{"backoffLimit":"three"}`, []string{"/config/backoffLimit"}},
		{`{"backoffLimit":-1}`, []string{"/config/backoffLimit"}},
		{`{"suspend":true}`, []string{"/config/suspend"}},
		{`{"managedBy":"a.b/c"}`, []string{"/config/managedBy"}},
		{`{"completions":4}`, []string{"/config/parallelism"}},
		{`{"completions":4,"parallelism":2}`, []string{"/config/parallelism"}},
		{`{"template":{"spec":{"restartPolicy":"OnFailure"}}}`,
			[]string{"/config/template/spec/restartPolicy"}},
		{`{"maxFailedIndexes":1,"completionMode":"Indexed"}`, []string{"/config/backoffLimitPerIndex"}},
		{`{"podFailurePolicy":{"rules":[{"action":"Stop",
			"onExitCodes":{"operator":"In","values":[1]}}]}}`,
			[]string{"/config/podFailurePolicy/rules/0/action"}},
	} {
		_, issues := read(messages.Policy{Config: json.RawMessage(row.config)})
		if found := pointers(issues); !slices.Equal(found, row.places) {
			t.Errorf("%s: %v, not at %v", row.config, issues, row.places)
		}
	}
}

// A manifest has pods for its workers, a container in each, and no selector of its own.
func TestAJobHasWhatItsManifestLeavesOut(t *testing.T) {
	given, issues := read(messages.Policy{Config: json.RawMessage(
		`{"selector":{"matchLabels":{"a":"b"}},"manualSelector":true}`)})
	if len(issues) > 0 {
		t.Fatal(issues)
	}
	made := given.job(8).Spec
	if *made.Completions != 8 || *made.Parallelism != 8 || len(made.Template.Spec.Containers) != 1 ||
		made.Template.Spec.RestartPolicy != corev1.RestartPolicyNever || made.Selector != nil {
		t.Errorf("made %+v", made)
	}
	if given.spec.Completions != nil {
		t.Error("the settings have changed with the first Job that was made of them")
	}
}

// Limits are the API server's where the specification has none; its greatest number is no limit.
func TestLimits(t *testing.T) {
	for _, row := range []struct {
		config      string
		pods, index int64
	}{
		{`{}`, 6, -1},
		{`{"backoffLimit":0}`, 0, -1},
		{`{"backoffLimit":2147483647}`, -1, -1},
		{`{"completionMode":"Indexed","backoffLimitPerIndex":1}`, -1, -1},
		{`{"completionMode":"Indexed","backoffLimitPerIndex":1,"maxFailedIndexes":1}`, -1, 1},
	} {
		given, issues := read(messages.Policy{Config: json.RawMessage(row.config)})
		if len(issues) > 0 {
			t.Fatalf("%s: %v", row.config, issues)
		}
		limits := given.limits()
		for name, wanted := range map[string]int64{backoffLimit: row.pods, maxFailedIndexes: row.index} {
			found := int64(-1)
			if limit := limits[name]; limit != nil {
				found = *limit
			}
			if found != wanted {
				t.Errorf("%s: %s is %d, not %d", row.config, name, found, wanted)
			}
		}
	}
}

func TestLengthOfAListOfIndexes(t *testing.T) {
	for list, wanted := range map[string]int64{"": 0, "3": 1, "1,3": 2, "0-3": 4, "1,3-5,7": 5} {
		if found := lengthOf(list); found != wanted {
			t.Errorf("%q has %d indexes, not %d", list, found, wanted)
		}
	}
}

// Each condition is told once, however often its status is written.
func TestConditionsAreToldOnce(t *testing.T) {
	record := newRecord()
	status := &batchv1.JobStatus{Conditions: []batchv1.JobCondition{
		{Type: batchv1.JobFailureTarget, Status: corev1.ConditionTrue, Reason: "DeadlineExceeded"},
		{Type: batchv1.JobFailed, Status: corev1.ConditionFalse, Reason: "DeadlineExceeded"},
	}}
	record.conditions(status, nil)
	record.conditions(status, nil)
	if record.State != pending || len(record.Conditions) != 1 {
		t.Errorf("%s after %v", record.State, record.Conditions)
	}
	status.Conditions[1].Status = corev1.ConditionTrue
	record.conditions(status, nil)
	if record.State != failed {
		t.Errorf("%s, not Failed", record.State)
	}
}
