// Command rayjob is KubeRay's controller of RayJobs as a policy of the simulator.
package main

import (
	"aftershock.dev/hosts/kubernetes/hosting"
	"aftershock.dev/hosts/kubernetes/rayjob"
)

func main() { hosting.Main(rayjob.Host()) }
