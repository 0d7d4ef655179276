package hosting

import (
	"encoding/json"
	"testing"

	"aftershock.dev/hosts/kubernetes/gang"
	"aftershock.dev/hosts/kubernetes/messages"
)

// Steps of one moment follow each other, and the last of them has the commands.
func TestSteps(t *testing.T) {
	steps := NewSteps("a", "Pending")
	gang := &gang.Gang{}
	if told := steps.Take(gang.Take()); told != nil {
		t.Errorf("told %v", told)
	}
	steps.Become("Pending")
	steps.Move("a.one", "Running")
	steps.Become("Recovering")
	gang.Ask(messages.Command{Type: "persist"})
	told := steps.Take(gang.Take())
	if len(told) != 1 || told[0].From != "Pending" || told[0].To != "Recovering" ||
		len(told[0].Commands) != 1 {
		t.Errorf("told %+v", told)
	}
	steps.Become("Running")
	if told := steps.Take(gang.Take()); len(told) != 1 || told[0].Rule != "a.act" {
		t.Errorf("told %+v", told)
	}
	steps.Step("a.charge").Budgets = []messages.Move{{Budget: "limit"}}
	steps.Become("Pending")
	steps.onTime([]messages.Event{{Type: "timer"}})
	if told := steps.Take(gang.Take()); len(told) != 2 || told[0].To != "Running" ||
		len(told[0].Saw) != 1 || len(told[1].Saw) != 0 {
		t.Errorf("told %+v", told)
	}
	steps.reject(3)
	if told := steps.Take(gang.Take()); told[0].Saw[0] != 3 || told[0].Rejected == nil {
		t.Errorf("told %+v", told)
	}
}

// Another process goes on in the state, under its own name.
func TestStepsGoOn(t *testing.T) {
	steps := NewSteps("a", "Pending")
	steps.Move("a.one", "Running")
	text, err := json.Marshal(&steps)
	if err != nil || string(text) != `{"state":"Running"}` {
		t.Fatalf("%s, %v", text, err)
	}
	again := NewSteps("a", "Pending")
	if err := json.Unmarshal(text, &again); err != nil || again.State != "Running" {
		t.Fatalf("%+v, %v", again, err)
	}
	again.Become("Failed")
	if told := again.Take(nil); told[0].Rule != "a.act" || told[0].From != "Running" {
		t.Errorf("told %+v", told)
	}
}

func TestDue(t *testing.T) {
	at := func(us int64) *int64 { return &us }
	due := Due{NowUs: 1_500_000, quietUs: 1_500_000}
	due.Soon()
	due.At(nil)
	due.At(at(1_500_000))
	if due.WakeUs != nil {
		t.Errorf("due at %d", *due.WakeUs)
	}
	due.At(at(3_000_000))
	due.quietUs++
	due.Soon()
	due.At(at(4_000_000))
	if *due.WakeUs != 2_000_000 {
		t.Errorf("due at %d", *due.WakeUs)
	}
}
