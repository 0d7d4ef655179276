// Command kubelet_backoff prints, a line each as JSON, how long a container that ends again and
// again is kept waiting by client-go's back-off, which the kubelet asks and clears of old entries.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"time"

	"k8s.io/client-go/util/flowcontrol"
	testingclock "k8s.io/utils/clock/testing"
)

// The kubelet's own numbers: kubelet.go, initialCrashLoopBackOff and MaxCrashLoopBackOff.
const (
	first   = 10 * time.Second
	longest = 300 * time.Second
)

// vector is a container by how long it runs each time, and how long it waits after that.
type vector struct {
	Name  string `json:"name"`
	Runs  []int  `json:"runs_s"`
	Waits []int  `json:"waits_s"`
}

// play asks each second, as the kubelet's doBackOff does when it syncs the pod, and clears entries
// before, as its housekeeping does.
func play(runs []int) []int {
	const key = "container"
	clock := testingclock.NewFakeClock(time.Unix(0, 0))
	backoff := flowcontrol.NewFakeBackOff(first, longest, clock)
	waits := []int{}
	for _, run := range runs {
		for range run {
			clock.Step(time.Second)
			backoff.GC()
		}
		ended := clock.Now()
		for backoff.IsInBackOffSince(key, ended) {
			clock.Step(time.Second)
			backoff.GC()
		}
		backoff.Next(key, ended)
		waits = append(waits, int(clock.Since(ended)/time.Second))
	}
	return waits
}

func repeated(run, times int) []int {
	runs := make([]int, times)
	for i := range runs {
		runs[i] = run
	}
	return runs
}

func cases() []vector {
	var all []vector
	for _, run := range []int{0, 1, 5, 10, 30, 60, 90, 100, 180, 280, 290, 299, 300, 301, 310, 330,
		360, 400, 430, 439, 440, 441, 450, 480, 500, 520, 540, 560, 570, 580, 589, 590, 591, 599, 600,
		601, 602, 700, 3600} {
		all = append(all, vector{Name: fmt.Sprintf("runs for %d s each time", run),
			Runs: repeated(run, 12)})
	}
	for _, before := range []int{1, 2, 3, 5, 7, 9} {
		for _, rest := range []int{300, 500, 595, 600, 601} {
			runs := append(repeated(5, before), rest)
			all = append(all, vector{
				Name: fmt.Sprintf("fails %d times at once, then runs for %d s", before, rest),
				Runs: append(runs, repeated(5, 4)...)})
		}
	}
	return all
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	lines := json.NewEncoder(out)
	for _, one := range cases() {
		one.Waits = play(one.Runs)
		if err := lines.Encode(one); err != nil {
			log.Fatal(err)
		}
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
}
