// Command volcano is Volcano's job controller as a policy of the simulator.
package main

import (
	"aftershock.dev/hosts/kubernetes/hosting"
	"aftershock.dev/hosts/kubernetes/volcano"
)

func main() { hosting.Main(volcano.Host()) }
