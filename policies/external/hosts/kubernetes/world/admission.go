package world

import (
	"context"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/batch"
	_ "k8s.io/kubernetes/pkg/apis/batch/install" // conversions and defaults of Jobs
	_ "k8s.io/kubernetes/pkg/apis/core/install"  // and of pods
	strategy "k8s.io/kubernetes/pkg/registry/batch/job"
)

// Jobs is the resource of Jobs.
var Jobs = batchv1.SchemeGroupVersion.WithResource("jobs")

// Admit completes Jobs and pods as the API server does when they are created: defaults, selector
// and labels of a Job, and the phase of a pod. It refuses what the API server refuses of a Job.
func Admit(object Object) error {
	switch object := object.(type) {
	case *batchv1.Job:
		return AdmitJob(object).ToAggregate()
	case *corev1.Pod:
		legacyscheme.Scheme.Default(object)
		object.Status = corev1.PodStatus{Phase: corev1.PodPending}
	}
	return nil
}

// AdmitJob completes the Job in place, by the API server's own strategy. Errors have their place in
// the object.
func AdmitJob(job *batchv1.Job) field.ErrorList {
	legacyscheme.Scheme.Default(job)
	inner := &batch.Job{}
	if err := legacyscheme.Scheme.Convert(job, inner, nil); err != nil {
		return field.ErrorList{field.InternalError(nil, err)}
	}
	strategy.Strategy.PrepareForCreate(context.Background(), inner)
	if errors := strategy.Strategy.Validate(context.Background(), inner); len(errors) > 0 {
		return errors
	}
	if err := legacyscheme.Scheme.Convert(inner, job, nil); err != nil {
		return field.ErrorList{field.InternalError(nil, err)}
	}
	return nil
}
