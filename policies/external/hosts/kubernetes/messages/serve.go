package messages

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
)

// Run is the hosted code of one run.
type Run interface {
	// Ready is the `ready` message.
	Ready() Ready
	// Start begins, at time zero of the run.
	Start()
	// Decide answers a batch.
	Decide(batch Batch) Decide
	// Durable is the JSON value that has been stored last.
	Durable() json.RawMessage
	// End ends all that was started, wherever it stands.
	End()
}

// Host is a program that decides by the code of another project.
type Host struct {
	Name    string
	Version string
	// Begin reads the settings. Issues are given where they cannot be hosted; nothing runs yet.
	Begin func(world World) (Run, []Issue)
	// Bubble calls the function where time is simulated, and returns when it is over.
	Bubble func(func())
	// Exit ends the process behind its only run, where what is hosted cannot be ended otherwise.
	Exit func()
}

type helloOk struct {
	Type     string   `json:"type"`
	Protocol string   `json:"protocol"`
	Name     string   `json:"name"`
	Version  string   `json:"version"`
	Features []string `json:"features"`
}

type refused struct {
	Type   string  `json:"type"`
	Issues []Issue `json:"issues"`
}

type stored struct {
	Type     string          `json:"type"`
	What     string          `json:"what"`
	Durable  json.RawMessage `json:"durable"`
	StoredUs *int64          `json:"stored_us"`
}

type short struct {
	Type    string `json:"type"`
	Message string `json:"message,omitempty"`
}

type talk struct {
	in  *bufio.Reader
	out io.Writer
	err error
}

func (talk *talk) next() []byte {
	if talk.err != nil {
		return nil
	}
	line, err := talk.in.ReadBytes('\n')
	if err != nil {
		talk.err = err
		return nil
	}
	return line
}

func (talk *talk) answer(message any) {
	text, err := json.Marshal(message)
	if err == nil {
		_, err = talk.out.Write(append(text, '\n'))
	}
	if err != nil && talk.err == nil {
		talk.err = err
	}
}

// Serve answers all messages until there are no more. The end of input is no error.
func Serve(host Host, in io.Reader, out io.Writer) error {
	talk := &talk{in: bufio.NewReaderSize(in, 1<<20), out: out}
	line := talk.next()
	for line != nil {
		line = host.serveOne(talk, line)
	}
	if errors.Is(talk.err, io.EOF) {
		return nil
	}
	return talk.err
}

// serveOne answers a message that is not of a run, and all of the run that it begins. It returns
// the message after that.
func (host Host) serveOne(talk *talk, line []byte) []byte {
	switch kind := kindOf(line); kind {
	case "hello":
		features := []string{"reset", "durable"}
		if host.Exit != nil {
			features = features[1:]
		}
		talk.answer(helloOk{"hello_ok", "1.0", host.Name, host.Version, features})
	case "world":
		return host.serveWorld(talk, line)
	case "reset":
		talk.answer(short{Type: "reset_ok"})
	case "end":
		talk.answer(short{Type: "bye"})
	default:
		talk.answer(short{"error", "no such message here: " + kind})
	}
	return talk.next()
}

func (host Host) serveWorld(talk *talk, line []byte) []byte {
	var world World
	if err := json.Unmarshal(line, &world); err != nil {
		talk.answer(short{"error", err.Error()})
		return talk.next()
	}
	run, issues := host.Begin(world)
	if len(issues) > 0 {
		talk.answer(refused{"refused", issues})
		return talk.next()
	}
	ready := run.Ready()
	ready.Type = "ready"
	talk.answer(ready)
	if world.OnlyCheck {
		return talk.next()
	}
	var after []byte
	host.Bubble(func() {
		defer run.End()
		run.Start()
		after = talk.next()
		for after != nil && talk.serveRun(run, after) {
			after = talk.next()
		}
		if host.Exit != nil {
			if after != nil {
				host.serveOne(talk, after)
			}
			host.Exit()
		}
	})
	return after
}

// serveRun answers a message of the run. False: it is none.
func (talk *talk) serveRun(run Run, line []byte) bool {
	switch kindOf(line) {
	case "batch":
		talk.answer(decide(run, line))
	case "ask":
		talk.answer(stored{Type: "answer", What: "durable", Durable: run.Durable()})
	default:
		return false
	}
	return true
}

// decide is the answer to a batch; a panic is the error that ends the run.
func decide(run Run, line []byte) (answer any) {
	defer func() {
		if problem := recover(); problem != nil {
			debug.PrintStack()
			answer = short{"error", fmt.Sprint(problem)}
		}
	}()
	var batch Batch
	if err := json.Unmarshal(line, &batch); err != nil {
		return short{"error", err.Error()}
	}
	decision := run.Decide(batch)
	decision.Type, decision.Seq = "decide", batch.Seq
	if decision.Steps == nil {
		decision.Steps = []Step{}
	}
	return decision
}

func kindOf(line []byte) string {
	var message short
	if json.Unmarshal(line, &message) != nil {
		return ""
	}
	return message.Type
}
