// Package rayjob is to come.
package rayjob

import (
	_ "github.com/ray-project/kuberay/ray-operator/controllers/ray"
)
