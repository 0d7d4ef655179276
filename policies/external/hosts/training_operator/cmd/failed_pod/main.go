// Command failed_pod prints what one reconcile of the training operator makes of a PyTorchJob one
// of whose pods has failed, a line a case, as JSON.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	"github.com/go-logr/logr"
	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	"github.com/kubeflow/training-operator/pkg/common/util"
	"github.com/kubeflow/training-operator/pkg/controller.v1/common"
	"github.com/kubeflow/training-operator/pkg/controller.v1/control"
	"github.com/kubeflow/training-operator/pkg/controller.v1/expectation"
	"github.com/kubeflow/training-operator/pkg/controller.v1/pytorch"
	"github.com/sirupsen/logrus"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	clientfake "sigs.k8s.io/controller-runtime/pkg/client/fake"
)

// vector is a job of two workers, of which the first is Failed with an exit code, or without one as
// when it was evicted; it may be leaving, with an object that is being deleted.
type vector struct {
	Name    string `json:"name"`
	Limit   *int32 `json:"backoff_limit"`
	Policy  string `json:"restart_policy"`
	Exit    *int32 `json:"exit_code"`
	Leaving bool   `json:"leaving"`
	Failed  bool   `json:"failed"`
	Deleted int    `json:"deleted"`
}

func at(number int32) *int32 { return &number }

func cases() []vector {
	var all []vector
	for _, limit := range []*int32{nil, at(0), at(1), at(2)} {
		for _, policy := range []string{"OnFailure", "Always", "ExitCode", "Never"} {
			for _, exit := range []*int32{nil, at(1), at(127), at(128), at(137)} {
				one := vector{Limit: limit, Policy: policy, Exit: exit}
				one.Name = "a pod failed"
				all = append(all, one)
				one.Name, one.Leaving = "a pod failed while it was deleted", true
				all = append(all, one)
			}
		}
	}
	return all
}

func jobOf(one vector) *kubeflow.PyTorchJob {
	now := metav1.NewTime(time.Unix(0, 0))
	return &kubeflow.PyTorchJob{
		ObjectMeta: metav1.ObjectMeta{Name: "job", Namespace: "default", UID: "job-uid"},
		Spec: kubeflow.PyTorchJobSpec{
			RunPolicy: kubeflow.RunPolicy{BackoffLimit: one.Limit},
			PyTorchReplicaSpecs: map[kubeflow.ReplicaType]*kubeflow.ReplicaSpec{
				kubeflow.PyTorchJobReplicaTypeWorker: {
					Replicas:      at(2),
					RestartPolicy: kubeflow.RestartPolicy(one.Policy),
					Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
						Containers: []corev1.Container{{Name: "pytorch", Image: "image"}}}},
				}}},
		Status: kubeflow.JobStatus{
			StartTime: &now,
			ReplicaStatuses: map[kubeflow.ReplicaType]*kubeflow.ReplicaStatus{
				kubeflow.PyTorchJobReplicaTypeWorker: {Active: 2}}},
	}
}

func podsOf(one vector, job *kubeflow.PyTorchJob, labels map[string]string) []corev1.Pod {
	var pods []corev1.Pod
	for index := range 2 {
		pod := corev1.Pod{ObjectMeta: metav1.ObjectMeta{
			Name: fmt.Sprintf("job-worker-%d", index), Namespace: "default",
			Labels: map[string]string{
				kubeflow.ReplicaTypeLabel:  "worker",
				kubeflow.ReplicaIndexLabel: fmt.Sprint(index),
			},
			OwnerReferences: []metav1.OwnerReference{
				*metav1.NewControllerRef(job, kubeflow.SchemeGroupVersion.WithKind("PyTorchJob"))},
		}}
		for name, value := range labels {
			pod.Labels[name] = value
		}
		pod.Status.Phase = corev1.PodRunning
		if index == 0 {
			pod.Status.Phase = corev1.PodFailed
			if one.Exit != nil {
				pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "pytorch",
					State: corev1.ContainerState{
						Terminated: &corev1.ContainerStateTerminated{ExitCode: *one.Exit}}}}
			}
			if one.Leaving {
				now := metav1.NewTime(time.Unix(1, 0))
				pod.DeletionTimestamp = &now
				pod.Finalizers = []string{"hosts/held"} // else the fake refuses it
			}
		}
		pods = append(pods, pod)
	}
	return pods
}

// ask has the real reconciler look once at the job of the case.
func ask(one *vector, kinds *runtime.Scheme) error {
	kube := fake.NewSimpleClientset()
	recorder := &record.FakeRecorder{}
	operator := &pytorch.PyTorchJobReconciler{Scheme: kinds, Log: logr.Discard()}
	operator.JobController = common.JobController{
		Controller:     operator,
		Expectations:   expectation.NewControllerExpectations(),
		WorkQueue:      &util.FakeWorkQueue{},
		Recorder:       recorder,
		KubeClientSet:  kube,
		PodControl:     control.RealPodControl{KubeClient: kube, Recorder: recorder},
		ServiceControl: control.RealServiceControl{KubeClient: kube, Recorder: recorder},
	}
	common.GenNonGangSchedulerSetupFunc()(&operator.JobController)
	job := jobOf(*one)
	pods := podsOf(*one, job, operator.GenLabels(job.Name))
	objects := []client.Object{job}
	for index := range pods {
		objects = append(objects, &pods[index])
		if err := kube.Tracker().Add(pods[index].DeepCopy()); err != nil {
			return err
		}
	}
	operator.Client = clientfake.NewClientBuilder().WithScheme(kinds).WithObjects(objects...).
		WithStatusSubresource(job).Build()
	key := client.ObjectKeyFromObject(job)
	request := ctrl.Request{NamespacedName: key}
	if _, err := operator.Reconcile(context.Background(), request); err != nil {
		return err
	}
	if err := operator.Get(context.Background(), key, job); err != nil {
		return err
	}
	for _, condition := range job.Status.Conditions {
		if condition.Type == kubeflow.JobFailed && condition.Status == corev1.ConditionTrue {
			one.Failed = true
		}
	}
	for _, action := range kube.Actions() {
		if action.Matches("delete", "pods") {
			one.Deleted++
		}
	}
	return nil
}

func run(out io.Writer) error {
	kinds := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{scheme.AddToScheme, kubeflow.AddToScheme} {
		if err := add(kinds); err != nil {
			return err
		}
	}
	lines := json.NewEncoder(out)
	for _, one := range cases() {
		if err := ask(&one, kinds); err != nil {
			return fmt.Errorf("%s: %w", one.Name, err)
		}
		if err := lines.Encode(one); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	logrus.SetOutput(io.Discard)
	out := bufio.NewWriter(os.Stdout)
	if err := run(out); err != nil {
		log.Fatal(err)
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
}
