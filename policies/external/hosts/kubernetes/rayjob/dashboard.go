package rayjob

import (
	"context"
	"fmt"

	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/utils"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/utils/dashboardclient"
	answers "github.com/ray-project/kuberay/ray-operator/controllers/ray/utils/types"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// dashboard is Ray's dashboard as KubeRay asks it: about jobs, which the driver has. All that a
// RayJob never asks is not there.
type dashboard struct {
	dashboardclient.RayDashboardClientInterface
	run     *run
	cluster string
}

// GetDashboardClient gives the dashboard of a cluster.
func (run *run) GetDashboardClient(context.Context, manager.Manager) func(*rayv1.RayCluster,
	string) (dashboardclient.RayDashboardClientInterface, error) {
	return func(cluster *rayv1.RayCluster, _ string) (dashboardclient.RayDashboardClientInterface,
		error) {
		return dashboard{run: run, cluster: cluster.Name}, nil
	}
}

// GetHttpProxyClient is nobody's here: RayServices ask for it.
func (run *run) GetHttpProxyClient(manager.Manager) func(_, _, _ string,
	_ int) utils.RayHttpProxyClientInterface {
	return nil
}

// GetJobInfo tells of a job, or that there is none of that name.
func (dashboard dashboard) GetJobInfo(_ context.Context, id string) (*answers.RayJobInfo, error) {
	run := dashboard.run
	run.mutex.Lock()
	defer run.mutex.Unlock()
	for _, job := range run.driver.Jobs {
		if job.ID == id {
			info := &answers.RayJobInfo{JobId: id, SubmissionId: id, JobStatus: job.Status,
				Message: job.Message, StartTime: run.unixMs(job.StartUs)}
			if rayv1.IsJobTerminal(job.Status) {
				info.EndTime = run.unixMs(job.EndUs)
			}
			return info, nil
		}
	}
	return nil, apierrors.NewBadRequest(fmt.Sprintf("Job %s does not exist on the cluster", id))
}

// SubmitJob starts a job: HTTPMode's way.
func (dashboard dashboard) SubmitJob(_ context.Context, job *rayv1.RayJob) (string, error) {
	dashboard.run.mutex.Lock()
	defer dashboard.run.mutex.Unlock()
	dashboard.run.driver.submit(job.Status.JobId, dashboard.cluster)
	return job.Status.JobId, nil
}

// StopJob does nothing: a RayJob that is deleted takes its cluster along.
func (dashboard dashboard) StopJob(context.Context, string) error { return nil }

var _ utils.ClientProvider = (*run)(nil)
