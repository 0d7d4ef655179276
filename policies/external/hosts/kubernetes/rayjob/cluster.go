package rayjob

import (
	"context"

	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/common"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"aftershock.dev/hosts/kubernetes/hosting"
	"aftershock.dev/hosts/kubernetes/world"
)

var (
	rayJobs     = rayv1.SchemeGroupVersion.WithResource("rayjobs")
	rayClusters = rayv1.SchemeGroupVersion.WithResource("rayclusters")
	services    = corev1.SchemeGroupVersion.WithResource("services")
)

// tend does what the controller of RayClusters, the kubelet of the submitter's pod and the
// submitter itself do. True: there was something to do.
func (run *run) tend() bool {
	acted := false
	for _, object := range run.store.All(rayClusters, hosting.Namespace) {
		acted = run.ready(object.(*rayv1.RayCluster)) || acted
	}
	for _, pod := range run.store.PodsOf(hosting.Namespace) {
		acted = run.submitter(pod) || acted
	}
	return acted
}

// ready has the cluster Ready, with the service of its head: the time that its pods take is that of
// the attempt, which asks for nodes.
func (run *run) ready(cluster *rayv1.RayCluster) bool {
	//lint:ignore SA1019 the reconciler of RayJobs looks at no other field
	if cluster.Status.State == rayv1.Ready || cluster.DeletionTimestamp != nil {
		return false
	}
	service, err := common.BuildServiceForHeadPod(context.Background(), *cluster, nil, nil)
	hosting.Must(err)
	service.OwnerReferences = []metav1.OwnerReference{{Kind: "RayCluster", Name: cluster.Name,
		APIVersion: rayv1.SchemeGroupVersion.String(), UID: cluster.UID}}
	_, err = run.store.Give(services, service, hosting.Namespace)
	hosting.Must(err)
	_, err = run.store.Change(rayClusters, hosting.Namespace, cluster.Name,
		func(object world.Object) {
			//lint:ignore SA1019 as above
			object.(*rayv1.RayCluster).Status.State = rayv1.Ready
		})
	hosting.Must(err)
	return true
}

// submitter runs the pod of the submitter's Job: it submits the Ray job unless that is known, and
// ends without an error when the Ray job has ended, however that did: `ray job logs` tells its end
// by no exit code.
func (run *run) submitter(pod *corev1.Pod) bool {
	kubelet := world.Kubelet{Store: run.store, Namespace: hosting.Namespace}
	job, is := run.store.Find(rayJobs, hosting.Namespace, name).(*rayv1.RayJob)
	switch {
	case pod.DeletionTimestamp != nil:
		if !world.IsTerminal(pod) {
			kubelet.End(pod.Name, 143)
		}
		kubelet.Remove(pod.Name)
		return true
	case !is || world.IsTerminal(pod):
		return false
	case pod.Spec.NodeName == "":
		kubelet.Bind(pod.Name, "node")
		kubelet.Run(pod.Name)
		run.mutex.Lock()
		run.driver.submit(job.Status.JobId, job.Status.RayClusterName)
		run.mutex.Unlock()
		return true
	case !run.driver.runs():
		kubelet.End(pod.Name, 0)
		return true
	}
	return false
}

// changed wakes the reconciler for the RayJob and for what it owns, and writes down what it did.
func (run *run) changed(before, after world.Object) {
	object := after
	if object == nil {
		object = before
	}
	switch object := object.(type) {
	case *rayv1.RayJob:
		if after != nil {
			run.fresh = append(run.fresh, object.DeepCopy())
		}
	case *rayv1.RayCluster:
		if after == nil || object.DeletionTimestamp != nil {
			run.gone = append(run.gone, object.Name)
		}
	case *batchv1.Job:
	default:
		return
	}
	run.news <- about()
}
