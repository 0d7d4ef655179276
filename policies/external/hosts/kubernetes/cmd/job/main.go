// Command job is the Job controller of Kubernetes as a policy of the simulator.
package main

import (
	"aftershock.dev/hosts/kubernetes/hosting"
	"aftershock.dev/hosts/kubernetes/job"
)

func main() { hosting.Main(job.Host()) }
