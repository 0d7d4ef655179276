package messages

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestRanks(t *testing.T) {
	for _, row := range []struct{ in, out string }{
		{"[]", "[]"},
		{"[3]", "[3]"},
		{"[[0,3],6]", "[[0,3],6]"},
		{"[6,[0,2],3]", "[[0,3],6]"},
		{"[1,2,4]", "[[1,2],4]"},
	} {
		var ranks Ranks
		if err := json.Unmarshal([]byte(row.in), &ranks); err != nil {
			t.Fatalf("%s: %v", row.in, err)
		}
		if text, _ := json.Marshal(ranks); string(text) != row.out {
			t.Errorf("%s is written %s, not %s", row.in, text, row.out)
		}
	}
	for _, wrong := range []string{"[-1]", "[[3,1]]", `["a"]`, "1"} {
		var ranks Ranks
		if json.Unmarshal([]byte(wrong), &ranks) == nil {
			t.Errorf("%s is read as %v", wrong, ranks)
		}
	}
}

type echo struct{}

func (run *echo) Ready() Ready { return Ready{Name: "echo"} }
func (run *echo) Start()       {}
func (run *echo) Decide(batch Batch) Decide {
	if batch.TUs < 0 {
		panic("before the start")
	}
	return Decide{Watch: Watch{WakeUs: &batch.TUs}}
}
func (run *echo) Durable() json.RawMessage { return json.RawMessage(`{"a":1}`) }
func (run *echo) End()                     {}

func TestServe(t *testing.T) {
	bubbles := 0
	host := Host{Name: "echo", Version: "1",
		Begin: func(world World) (Run, []Issue) {
			if world.Policy.Name == "" {
				return nil, []Issue{{Pointer: "/name", Message: "none"}}
			}
			return &echo{}, nil
		},
		Bubble: func(body func()) { bubbles++; body() }}
	talk := [][2]string{
		{`{"type":"hello"}`, `{"type":"hello_ok","protocol":"1.0","name":"echo","version":"1",` +
			`"features":["reset","durable"]}`},
		{`{"type":"world","policy":{}}`,
			`{"type":"refused","issues":[{"pointer":"/name","message":"none","expected":"","nearest":""}]}`},
		{`{"type":"world","only_check":true,"policy":{"name":"x"}}`, `{"type":"ready",`},
		{`{"type":"world","policy":{"name":"x"}}`, `{"type":"ready",`},
		{`{"type":"batch","seq":1,"t_us":5,"events":[]}`,
			`{"type":"decide","seq":1,"steps":[],"watch":{"wake_us":5}}`},
		{`{"type":"ask","what":"durable","at_us":5}`,
			`{"type":"answer","what":"durable","durable":{"a":1},"stored_us":null}`},
		{`{"type":"batch","seq":2,"t_us":-1,"events":[]}`,
			`{"type":"error","message":"before the start"}`},
		{`{"type":"reset"}`, `{"type":"reset_ok"}`},
		{`{"type":"batch","seq":1,"t_us":5,"events":[]}`, `{"type":"error",`},
		{`{"type":"end"}`, `{"type":"bye"}`},
	}
	var in strings.Builder
	for _, exchange := range talk {
		in.WriteString(exchange[0] + "\n")
	}
	var out bytes.Buffer
	if err := Serve(host, strings.NewReader(in.String()), &out); err != nil {
		t.Fatal(err)
	}
	answers := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(answers) != len(talk) {
		t.Fatalf("%d answers to %d messages:\n%s", len(answers), len(talk), out.String())
	}
	for at, exchange := range talk {
		if !strings.HasPrefix(answers[at], exchange[1]) {
			t.Errorf("%s is answered by %s, not %s", exchange[0], answers[at], exchange[1])
		}
	}
	if bubbles != 1 {
		t.Errorf("%d bubbles", bubbles)
	}
}
