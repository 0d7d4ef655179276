package volcano

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	admission "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
	api "volcano.sh/apis/pkg/apis/batch/v1alpha1"
	scheduling "volcano.sh/apis/pkg/apis/scheduling/v1beta1"
	listers "volcano.sh/apis/pkg/client/listers/scheduling/v1beta1"
	"volcano.sh/volcano/cmd/webhook-manager/app/options"
	"volcano.sh/volcano/pkg/webhooks/admission/jobs/mutate"
	"volcano.sh/volcano/pkg/webhooks/admission/jobs/validate"
	"volcano.sh/volcano/pkg/webhooks/router"

	"aftershock.dev/hosts/kubernetes/hosting"
	"aftershock.dev/hosts/kubernetes/messages"
)

// settings are a Volcano job's, as far as they can be known before it is submitted.
type settings struct {
	spec        api.JobSpec
	ranksPerPod uint32
	toleration  *int64 // seconds
	maxRetry    int32  // of the job as it is submitted
}

// ours are the members that scenarios have beside those of the API.
type ours struct {
	RanksPerPod       *uint32  `json:"ranksPerPod"`
	TolerationSeconds *float64 `json:"tolerationSeconds"`
}

// read takes the specification of a Volcano job, or the manifest that has it.
func read(policy messages.Policy) (settings, []messages.Issue) {
	read := settings{ranksPerPod: 1}
	rest, issues := read.takeOurs(policy.Config)
	if len(issues) > 0 {
		return read, issues
	}
	place, issues := hosting.ReadManifest(rest, "/config", "Job", &read.spec)
	if len(issues) == 0 {
		issues = unhosted(&read.spec, place)
	}
	if len(issues) == 0 {
		job, err := read.job(2 * read.ranksPerPod)
		if err != nil {
			return read, []messages.Issue{{Pointer: place, Message: err.Error(),
				Expected: "what Volcano's webhook takes"}}
		}
		read.maxRetry = job.Spec.MaxRetry
	}
	return read, issues
}

// takeOurs reads the scenario's own members, and gives what is left without them.
func (settings *settings) takeOurs(config json.RawMessage) (json.RawMessage, []messages.Issue) {
	var members map[string]json.RawMessage
	if json.Unmarshal(config, &members) != nil || members == nil {
		return config, nil // what is wrong with it is told where the rest is read
	}
	issues := []messages.Issue{}
	var own ours
	for name, into := range map[string]any{"ranksPerPod": &own.RanksPerPod,
		"tolerationSeconds": &own.TolerationSeconds} {
		text, there := members[name]
		delete(members, name)
		if there && json.Unmarshal(text, into) != nil {
			issues = append(issues, messages.Issue{Pointer: "/config/" + name,
				Message: string(text), Expected: "a number"})
		}
	}
	if own.RanksPerPod != nil {
		settings.ranksPerPod = max(1, *own.RanksPerPod)
	}
	if own.TolerationSeconds != nil {
		seconds := int64(math.Ceil(*own.TolerationSeconds))
		settings.toleration = &seconds
	}
	rest, err := json.Marshal(members)
	if err != nil {
		issues = append(issues, messages.Issue{Pointer: "/config", Message: err.Error()})
	}
	return rest, issues
}

// unhosted names what the API would take and a gang of whole attempts cannot be.
func unhosted(spec *api.JobSpec, place string) []messages.Issue {
	refused := hosting.Refusals{Place: place}
	if spec.Queue != "" && spec.Queue != queue {
		refused.Add("queue", spec.Queue, queue+", which is the only one here")
	}
	if len(spec.Volumes) > 0 {
		refused.Add("volumes", "claims of the job's own", "volumes in the templates of pods")
	}
	for at, task := range spec.Tasks {
		member := fmt.Sprintf("tasks/%d/", at)
		if task.DependsOn != nil {
			refused.Add(member+"dependsOn", "tasks that start one after the other",
				"tasks that start at once: a gang needs all its pods")
		}
		if restart := task.Template.Spec.RestartPolicy; restart != "" &&
			restart != corev1.RestartPolicyNever {
			refused.Add(member+"template/spec/restartPolicy", string(restart),
				"Never: containers that the kubelet restarts are not hosted")
		}
	}
	return refused.List
}

// job is the object that is submitted, as Volcano's webhooks complete and take it.
func (settings settings) job(workers uint32) (*api.Job, error) {
	spec := settings.spec.DeepCopy()
	// They give pods services and variables, which the simulator's processes do not read.
	spec.Plugins = nil
	if len(spec.Tasks) == 0 {
		pods := (workers + settings.ranksPerPod - 1) / settings.ranksPerPod
		spec.Tasks = []api.TaskSpec{{Name: "worker",
			Replicas: int32(min(max(1, pods), math.MaxInt32))}}
	}
	for at := range spec.Tasks {
		settings.complete(&spec.Tasks[at].Template.Spec)
	}
	return admitted(&api.Job{
		TypeMeta:   metav1.TypeMeta{APIVersion: api.SchemeGroupVersion.String(), Kind: "Job"},
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: hosting.Namespace}, Spec: *spec})
}

// complete adds what a template has and a scenario leaves out.
func (settings settings) complete(pod *corev1.PodSpec) {
	if pod.RestartPolicy == "" {
		pod.RestartPolicy = corev1.RestartPolicyNever
	}
	if len(pod.Containers) == 0 {
		pod.Containers = []corev1.Container{{Name: "worker", Image: "worker"}}
	}
	if settings.toleration != nil {
		pod.Tolerations = append(pod.Tolerations, corev1.Toleration{
			Key: corev1.TaintNodeUnreachable, Operator: corev1.TolerationOpExists,
			Effect: corev1.TaintEffectNoExecute, TolerationSeconds: settings.toleration})
	}
}

// timeouts are the delays of its policies.
func (settings settings) timeouts() []time.Duration {
	policies := slices.Clone(settings.spec.Policies)
	for _, task := range settings.spec.Tasks {
		policies = append(policies, task.Policies...)
	}
	delays := []time.Duration{}
	for _, policy := range policies {
		if policy.Timeout != nil && !slices.Contains(delays, policy.Timeout.Duration) {
			delays = append(delays, policy.Timeout.Duration)
		}
	}
	return delays
}

// admitted is the job as the webhooks leave it, or why they refuse it.
func admitted(given *api.Job) (*api.Job, error) {
	text, err := json.Marshal(given)
	if err != nil {
		return nil, err
	}
	completed := mutate.Jobs(review(text))
	if !completed.Allowed {
		return nil, fmt.Errorf("%s", completed.Result.Message)
	}
	steps, err := jsonpatch.DecodePatch(completed.Patch)
	if err != nil {
		return nil, err
	}
	if text, err = steps.Apply(text); err != nil {
		return nil, err
	}
	if answer := checked(review(text)); !answer.Allowed {
		return nil, fmt.Errorf("%s", strings.TrimSpace(answer.Result.Message))
	}
	job := &api.Job{}
	return job, json.Unmarshal(text, job)
}

func review(text []byte) admission.AdmissionReview {
	return admission.AdmissionReview{Request: &admission.AdmissionRequest{
		Operation: admission.Create, Object: runtime.RawExtension{Raw: text},
		Resource: metav1.GroupVersionResource(jobs)}}
}

// checked asks the validating webhook, which looks for the job's queue.
func checked(of admission.AdmissionReview) *admission.AdmissionResponse {
	queues := cache.NewIndexer(cache.MetaNamespaceKeyFunc,
		cache.Indexers{router.QueueParentIndexName: router.QueueParentIndexFunc})
	answer := &admission.AdmissionResponse{Result: &metav1.Status{}}
	err := queues.Add(openQueue())
	if err == nil {
		err = router.ForEachAdmission(&options.Config{EnabledAdmission: "/jobs/validate"},
			func(service *router.AdmissionService) error {
				service.Config.QueueLister = listers.NewQueueLister(queues)
				answer = validate.AdmitJobs(of)
				return nil
			})
	}
	if err != nil {
		answer.Result.Message = err.Error()
	}
	return answer
}

// openQueue is the queue that Volcano makes where it is installed.
func openQueue() *scheduling.Queue {
	return &scheduling.Queue{ObjectMeta: metav1.ObjectMeta{Name: queue},
		Spec:   scheduling.QueueSpec{Weight: 1},
		Status: scheduling.QueueStatus{State: scheduling.QueueStateOpen}}
}
