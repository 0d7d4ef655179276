#!/usr/bin/env bash
# Prints the file that stands in for the go.mod of the hosts in Go, beside what Volcano's is built
# with: the module's `prepare` makes both, once for each state of the module, in the user's cache.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../policies/external/hosts/kubernetes"
key=$(cat go.mod go.sum prepare/main.go | sha256sum | cut -c1-12)
folder=${XDG_CACHE_HOME:-$HOME/.cache}/aftershock/modules-$key
mkdir -p "$folder"
exec 9>"$folder/lock"
flock 9
if [[ ! -e $folder/ready ]]; then
  go run -trimpath ./prepare "$folder" >&2
  touch "$folder/ready"
fi
echo "$folder/go.mod"
