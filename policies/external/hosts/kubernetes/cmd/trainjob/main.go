// Command trainjob is Kubeflow Trainer's controller over those of JobSet and Kubernetes as a policy
// of the simulator.
package main

import (
	"aftershock.dev/hosts/kubernetes/hosting"
	"aftershock.dev/hosts/kubernetes/trainjob"
)

func main() { hosting.Main(trainjob.Host()) }
