// Command jobset is JobSet's controller over the Job controller of Kubernetes as a policy of the
// simulator.
package main

import (
	"aftershock.dev/hosts/kubernetes/hosting"
	"aftershock.dev/hosts/kubernetes/jobset"
)

func main() { hosting.Main(jobset.Host()) }
