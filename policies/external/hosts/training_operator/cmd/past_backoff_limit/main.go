// Command past_backoff_limit prints cases of core.PastBackoffLimit of the training operator with
// what it answers, a line each, as JSON.
package main

import (
	"bufio"
	"encoding/json"
	"io"
	"log"
	"os"
	"strings"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	"github.com/kubeflow/training-operator/pkg/core"
	"github.com/sirupsen/logrus"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// pod is what the function reads of one: its replica type, its phase and the restarts of its
// containers.
type pod struct {
	Replica  string  `json:"replica"`
	Phase    string  `json:"phase"`
	Init     []int32 `json:"init,omitempty"`
	Restarts []int32 `json:"restarts"`
}

// vector is one case. Policies are those of the replica types; without a limit there is none.
type vector struct {
	Name     string            `json:"name"`
	Limit    *int32            `json:"backoff_limit"`
	Policies map[string]string `json:"restart_policies"`
	Pods     []pod             `json:"pods"`
	Past     bool              `json:"past"`
}

var limits = []*int32{nil, at(0), at(1), at(2), at(3), at(4), at(5)}

func at(limit int32) *int32 { return &limit }

// workers has a running pod for each number of restarts.
func workers(restarts ...int32) []pod {
	var pods []pod
	for _, count := range restarts {
		pods = append(pods, pod{Replica: "Worker", Phase: "Running", Restarts: []int32{count}})
	}
	return pods
}

func cases() []vector {
	var all []vector
	add := func(name string, limit *int32, policies map[string]string, pods []pod) {
		all = append(all, vector{Name: name, Limit: limit, Policies: policies, Pods: pods})
	}
	for _, limit := range limits {
		for _, policy := range []string{"OnFailure", "Always", "ExitCode", "Never"} {
			of := map[string]string{"Worker": policy}
			for restarts := range int32(7) {
				add("one pod", limit, of, workers(restarts))
			}
			add("pods are added up", limit, of, workers(1, 0, 2))
		}
		of := map[string]string{"Worker": "OnFailure"}
		for _, phase := range []string{"Pending", "Running", "Succeeded", "Failed", "Unknown"} {
			pods := append(workers(1), workers(4)...)
			pods[1].Phase = phase
			add("a pod that is "+phase, limit, of, pods)
		}
		pods := workers(1)
		pods[0].Init = []int32{2}
		add("init containers count", limit, of, pods)
		pods = workers(1)
		pods[0].Restarts = []int32{1, 2}
		add("containers of a pod are added up", limit, of, pods)
		add("no pod", limit, of, []pod{})
		pods = append(workers(2), pod{Replica: "Master", Phase: "Running", Restarts: []int32{1}})
		for _, master := range []string{"OnFailure", "ExitCode", "Never"} {
			both := map[string]string{"Master": master, "Worker": "OnFailure"}
			add("a Master with "+master+", a Worker with OnFailure", limit, both, pods)
		}
	}
	return all
}

// ask has the real function decide the case.
func ask(one vector) (bool, error) {
	replicas := map[kubeflow.ReplicaType]*kubeflow.ReplicaSpec{}
	for replica, policy := range one.Policies {
		replicas[kubeflow.ReplicaType(replica)] = &kubeflow.ReplicaSpec{
			RestartPolicy: kubeflow.RestartPolicy(policy)}
	}
	var pods []*corev1.Pod
	for _, said := range one.Pods {
		real := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{
			kubeflow.ReplicaTypeLabel: strings.ToLower(said.Replica)}}}
		real.Status.Phase = corev1.PodPhase(said.Phase)
		real.Status.InitContainerStatuses = statuses(said.Init)
		real.Status.ContainerStatuses = statuses(said.Restarts)
		pods = append(pods, real)
	}
	policy := &kubeflow.RunPolicy{BackoffLimit: one.Limit}
	return core.PastBackoffLimit("job", policy, replicas, pods, core.FilterPodsForReplicaType)
}

func statuses(restarts []int32) []corev1.ContainerStatus {
	var all []corev1.ContainerStatus
	for _, count := range restarts {
		all = append(all, corev1.ContainerStatus{RestartCount: count})
	}
	return all
}

func main() {
	logrus.SetOutput(io.Discard)
	out := bufio.NewWriter(os.Stdout)
	lines := json.NewEncoder(out)
	for _, one := range cases() {
		past, err := ask(one)
		if err != nil {
			log.Fatal(err)
		}
		one.Past = past
		if err := lines.Encode(one); err != nil {
			log.Fatal(err)
		}
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
}
