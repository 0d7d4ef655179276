// Package hosting runs a host where time is simulated: in a bubble of testing/synctest, in which
// timers of the hosted code wait for the simulator's time and nothing else.
package hosting

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	apiruntime "k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"aftershock.dev/hosts/kubernetes/messages"
)

// warmUp is how long informers are given before the run begins.
const warmUp = 10 * time.Second

// Clock turns the simulator's time into that of the bubble.
type Clock struct{ zero time.Time }

// NewClock begins a run, after the time that informers need.
func NewClock() Clock {
	clock := newClock()
	clock.Advance(0)
	return clock
}

// newClock has a run begin when informers have had the time that they need.
func newClock() Clock { return Clock{time.Now().Add(warmUp)} }

// Advance goes on to a time of the simulator, and waits until everything there has been done.
func (clock Clock) Advance(us int64) {
	time.Sleep(time.Until(clock.zero.Add(time.Duration(us) * time.Microsecond)))
	synctest.Wait()
}

// At is a time of the bubble as the simulator writes it.
func (clock Clock) At(at time.Time) int64 { return at.Sub(clock.zero).Microseconds() }

// Bubble is a time of the simulator as the bubble has it.
func (clock Clock) Bubble(us int64) time.Time {
	return clock.zero.Add(time.Duration(us) * time.Microsecond)
}

// EndControllers ends those of the context, and waits until none of them is left.
func EndControllers(cancel context.CancelFunc) {
	cancel()
	synctest.Wait()
	time.Sleep(time.Minute)
}

// Must has an error that no message can cause end the run.
func Must(err error) {
	if err != nil {
		panic(err)
	}
}

// VersionOf is the version of a module that the program is built with, without its v.
func VersionOf(module string) string {
	if built, is := debug.ReadBuildInfo(); is {
		for _, one := range built.Deps {
			if one.Path == module {
				return strings.TrimPrefix(one.Version, "v")
			}
		}
	}
	return "unknown"
}

// Kinds are those of Kubernetes, and those that others add.
func Kinds(add ...func(*apiruntime.Scheme) error) *apiruntime.Scheme {
	all := apiruntime.NewScheme()
	Must(scheme.AddToScheme(all))
	for _, one := range add {
		Must(one(all))
	}
	return all
}

// Main answers the messages on standard input until it ends. With --version it prints the version
// of the host instead. All that others print goes to standard error.
func Main(host messages.Host) {
	if len(os.Args) == 2 && os.Args[1] == "--version" {
		fmt.Println(host.Version)
		return
	}
	// An end that is asked for is a regular one: counts of blocks are written then.
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM)
	signal.Ignore(syscall.SIGPIPE) // who asked may not listen any more
	go func() {
		<-ended
		os.Exit(0)
	}()
	out := os.Stdout
	os.Stdout = os.Stderr
	klog.SetLogger(klog.Logger{})
	log.SetLogger(klog.Logger{})
	// Controllers that hear of one thing at a time go on in the same order in each run.
	runtime.GOMAXPROCS(1)
	// Its back-off keeps the real time, before which a bubble would wait for years.
	utilruntime.ErrorHandlers = nil
	serve := func(t *testing.T) {
		host.Bubble = func(body func()) {
			synctest.Test(t, func(*testing.T) { body() })
		}
		if err := messages.Serve(host, os.Stdin, out); err != nil {
			fmt.Fprintln(os.Stderr, err)
			t.Fail()
		}
	}
	testing.Main(regexp.MatchString, []testing.InternalTest{{Name: host.Name, F: serve}}, nil, nil)
}
