// Command prepare makes what a build of Volcano's host needs beside this module, in a folder that
// is not in its tree: `go build -modfile FOLDER/go.mod ./cmd/...` takes it from there.
//
// The API of Volcano 1.15 is not to be had as a module. That of 1.14 lacks one constant which the
// job controller is compiled with, and never reads.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

const (
	apis = "volcano.sh/apis"
	had  = "v1.14.0"
	gate = `package v1beta1

// QueueAllocationGateKey is the scheduling gate of pods that wait for their queue.
const QueueAllocationGateKey = GroupName + "/queue-allocation-gate"
`
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: prepare FOLDER, in the folder of the module")
		os.Exit(2)
	}
	if err := prepare(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func prepare(folder string) error {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	from, err := downloaded()
	if err != nil {
		return err
	}
	copied := filepath.Join(folder, "volcano-apis")
	if err := os.RemoveAll(copied); err != nil {
		return err
	}
	if err := os.CopyFS(copied, os.DirFS(from)); err != nil {
		return err
	}
	group := filepath.Join(copied, "pkg", "apis", "scheduling", "v1beta1")
	if err := os.WriteFile(filepath.Join(group, "gate.go"), []byte(gate), 0o644); err != nil {
		return err
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o644); err != nil {
			return err
		}
	}
	_, err = run("mod", "edit", "-replace", apis+"="+copied, filepath.Join(folder, "go.mod"))
	return err
}

// downloaded is the folder of the API's module in the cache of modules.
func downloaded() (string, error) {
	text, err := run("mod", "download", "-json", apis+"@"+had)
	if err != nil {
		return "", err
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(text, &module); err != nil {
		return "", err
	}
	return module.Dir, nil
}

func run(words ...string) ([]byte, error) {
	command := exec.Command("go", words...)
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, os.Stderr
	err := command.Run()
	return out.Bytes(), err
}
