// Package messages has the simulator's messages as a host in Go reads and answers them, one JSON
// object a line each way. policies/external/README.md says what they mean.
package messages

import "encoding/json"

// World is what a run is about, or with OnlyCheck the question whether its settings can be hosted.
type World struct {
	OnlyCheck bool   `json:"only_check"`
	Policy    Policy `json:"policy"`
}

// Policy is a job's settings as the scenario has them.
type Policy struct {
	Name    string            `json:"name"`
	Profile string            `json:"profile"`
	Config  json.RawMessage   `json:"config"`
	Env     map[string]string `json:"env"`
}

// Event is one thing that a controller could know. Members that its type does not have are zero.
type Event struct {
	Type      string `json:"type"`
	Job       uint32 `json:"job"`
	Epoch     uint32 `json:"epoch"`
	Workers   uint32 `json:"workers"`
	Ranks     Ranks  `json:"ranks"`
	Durable   string `json:"durable"`
	Stage     string `json:"stage"`
	Kind      string `json:"kind"`
	ExitCode  int32  `json:"exit_code"`
	Preempted bool   `json:"preempted"`
	Node      uint32 `json:"node"`
	Stays     bool   `json:"stays"`
	Removed   bool   `json:"removed"`
	Alive     bool   `json:"alive"`
	Command   uint64 `json:"command"`
	// Error is why a command was not carried out, or what a worker raised.
	Error string `json:"error"`
}

// Batch is all that is to be known at one moment.
type Batch struct {
	Seq    uint64  `json:"seq"`
	TUs    int64   `json:"t_us"`
	Events []Event `json:"events"`
}

// Command is a request to the simulator. Members that its type does not have are left out.
type Command struct {
	Type           string `json:"type"`
	ID             uint64 `json:"id"`
	Job            uint32 `json:"job"`
	Epoch          uint32 `json:"epoch,omitempty"`
	Workers        uint32 `json:"workers,omitempty"`
	GraceUs        *int64 `json:"grace_us,omitempty"`
	KeepContainers bool   `json:"keep_containers,omitempty"`
	Leaving        Ranks  `json:"leaving,omitempty"`
	Ranks          Ranks  `json:"ranks,omitempty"`
	Reason         string `json:"reason,omitempty"`
}

// Move is one move of a budget.
type Move struct {
	Budget    string `json:"budget"`
	Cause     string `json:"cause"`
	Used      int64  `json:"used"`
	Limit     *int64 `json:"limit"`
	Charged   bool   `json:"charged"`
	Exhausted bool   `json:"exhausted"`
}

// Rejected is something that could have been done and was not.
type Rejected struct {
	What string `json:"what"`
	Why  string `json:"why"`
}

// Step is one decision: the rule behind it, the states around it, what it saw, and what it asks
// for.
type Step struct {
	Rule     string     `json:"rule"`
	From     string     `json:"from"`
	To       string     `json:"to"`
	Saw      []int      `json:"saw,omitempty"`
	Budgets  []Move     `json:"budgets,omitempty"`
	Commands []Command  `json:"commands,omitempty"`
	Rejected []Rejected `json:"rejected,omitempty"`
}

// Backoff is a wait before the next attempt.
type Backoff struct {
	SinceUs   int64 `json:"since_us"`
	UntilUs   int64 `json:"until_us"`
	LongestUs int64 `json:"longest_us"`
}

// Futures asks for all that workers of the attempt show.
type Futures struct {
	Epoch uint32 `json:"epoch"`
}

// Watch is what the policy wants to hear of.
type Watch struct {
	Futures  *Futures  `json:"futures,omitempty"`
	Capacity *Capacity `json:"capacity,omitempty"`
	WakeUs   *int64    `json:"wake_us,omitempty"`
	Backoff  *Backoff  `json:"backoff,omitempty"`
}

// Capacity asks how many workers the cluster could run.
type Capacity struct {
	AnchorUs        int64  `json:"anchor_us"`
	Workers         uint32 `json:"workers"`
	QueryPeriodUs   int64  `json:"query_period_us"`
	RequestPeriodUs int64  `json:"request_period_us"`
}

// Decide answers a batch.
type Decide struct {
	Type    string   `json:"type"`
	Seq     uint64   `json:"seq"`
	Steps   []Step   `json:"steps"`
	Watch   Watch    `json:"watch"`
	State   string   `json:"state,omitempty"`
	Budgets []Budget `json:"budgets,omitempty"`
}

// Budget is a limit that a policy counts against, and how much of it is used. A decision names
// none: they come in the order of `ready`.
type Budget struct {
	Name  string `json:"name,omitempty"`
	Used  int64  `json:"used"`
	Limit *int64 `json:"limit"`
}

// Rule is what a step may cite.
type Rule struct {
	ID       string `json:"id"`
	Sentence string `json:"sentence"`
	Source   string `json:"source"`
}

// Ready is a policy's description of itself.
type Ready struct {
	Type               string   `json:"type"`
	Name               string   `json:"name"`
	Profile            string   `json:"profile"`
	Summary            string   `json:"summary"`
	States             []string `json:"states"`
	State              string   `json:"state"`
	Budgets            []Budget `json:"budgets"`
	Rules              []Rule   `json:"rules"`
	WatchesNodes       bool     `json:"watches_nodes"`
	LeavesPeers        bool     `json:"leaves_peers"`
	ChargesPods        bool     `json:"charges_pods"`
	PodsAreObjects     bool     `json:"pods_are_objects"`
	CommitsCheckpoints bool     `json:"commits_checkpoints"`
}

// Issue is one thing wrong with the settings, at its place.
type Issue struct {
	Pointer  string `json:"pointer"`
	Message  string `json:"message"`
	Expected string `json:"expected"`
	Nearest  string `json:"nearest"`
}
