package trainjob

import (
	"context"
	"fmt"
	"strings"

	configapi "github.com/kubeflow/trainer/v2/pkg/apis/config/v1alpha1"
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	jobruntime "github.com/kubeflow/trainer/v2/pkg/runtime"
	"github.com/kubeflow/trainer/v2/pkg/runtime/core"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	sets "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"aftershock.dev/hosts/kubernetes/hosting"
	"aftershock.dev/hosts/kubernetes/job"
	"aftershock.dev/hosts/kubernetes/jobset"
	"aftershock.dev/hosts/kubernetes/messages"
	"aftershock.dev/hosts/kubernetes/objects"
	"aftershock.dev/hosts/kubernetes/world"
)

// kinds are all that Trainer, JobSet and Kubernetes have.
var kinds = hosting.Kinds(sets.AddToScheme, trainer.AddToScheme)

// admitted completes objects as the webhooks of their projects do.
func admitted(object world.Object) error {
	if set, is := object.(*sets.JobSet); is {
		jobset.Default(set)
	}
	return world.Admit(object)
}

// runtimesOver are Trainer's own runtimes, of which each makes the objects of a TrainJob.
func runtimesOver(client *objects.Client) (map[string]jobruntime.Runtime, error) {
	return core.New(context.Background(), client, client, &configapi.Configuration{})
}

// give creates the runtime's object.
func (settings settings) give(store *world.Store) error {
	object, namespace := settings.runtimeObject()
	of := trainer.SchemeGroupVersion.WithResource("clustertrainingruntimes")
	if namespace != "" {
		of.Resource = "trainingruntimes"
	}
	_, err := store.Give(of, object, namespace)
	return err
}

// plan is the set that Trainer would make for so many workers.
func (settings settings) plan(workers uint32) (*sets.JobSet, []messages.Issue, error) {
	store := world.NewStore(kinds, nil, nil)
	client := objects.New(store, kinds)
	runtimes, err := runtimesOver(client)
	if err != nil {
		return nil, nil, err
	}
	if err := settings.give(store); err != nil {
		return nil, nil, err
	}
	wanted := settings.trainJob(workers)
	key := jobruntime.RuntimeRefToRuntimeRegistryKey(wanted.Spec.RuntimeRef)
	runtime, known := runtimes[key]
	if !known {
		return nil, []messages.Issue{{Pointer: "/config/trainJob/runtimeRef", Message: key,
			Expected: "a TrainingRuntime or a ClusterTrainingRuntime"}}, nil
	}
	if _, errs := runtime.ValidateObjects(context.Background(), nil, wanted); len(errs) > 0 {
		return nil, hosting.Issues(errs, ""), nil
	}
	made, err := store.Give(jobs, wanted, hosting.Namespace)
	if err != nil {
		return nil, nil, err
	}
	configurations, err := runtime.NewObjects(context.Background(), made.(*trainer.TrainJob))
	if err != nil {
		return nil, nil, err
	}
	for _, one := range configurations {
		if err := client.Apply(context.Background(), one); err != nil {
			return nil, nil, err
		}
	}
	set, is := store.Find(jobset.Sets, hosting.Namespace, name).(*sets.JobSet)
	if !is {
		return nil, nil, fmt.Errorf("the runtime makes no JobSet")
	}
	jobset.Default(set)
	return set, nil, nil
}

// admit holds what Trainer would make to the webhooks and to the API server's own code.
func (settings settings) admit(place string) []messages.Issue {
	set, issues, err := settings.plan(2)
	if err != nil {
		return []messages.Issue{{Pointer: place, Message: err.Error(),
			Expected: "what Trainer can make a JobSet of"}}
	}
	for at := range issues {
		if !strings.HasPrefix(issues[at].Pointer, "/config") {
			issues[at].Pointer = place + issues[at].Pointer
		}
	}
	if len(issues) > 0 {
		return issues
	}
	issues = jobset.Unhosted(&set.Spec, "/config/runtime/template/spec")
	for at, given := range set.Spec.ReplicatedJobs {
		spot := patched(at)
		hosted := given.Template.Spec.DeepCopy()
		if hosted.Template.Spec.RestartPolicy == corev1.RestartPolicyOnFailure {
			hosted.Template.Spec.RestartPolicy = corev1.RestartPolicyNever
		}
		issues = append(issues, job.Unhosted(hosted, spot)...)
		tried := &batchv1.Job{Spec: *given.Template.Spec.DeepCopy(),
			ObjectMeta: metav1.ObjectMeta{Name: "job", Namespace: hosting.Namespace, UID: "uid"}}
		issues = append(issues, hosting.Issues(world.AdmitJob(tried), spot)...)
	}
	return issues
}
