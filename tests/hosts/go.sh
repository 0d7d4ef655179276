#!/usr/bin/env bash
# The hosts in Go: their rooms by their own tests, and the vectors that unit tests hold ports to
# against what the real code answers. The first time some minutes pass, in which Kubernetes is
# compiled. AFTERSHOCK_NO_HOSTS=1 leaves it out.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
if [[ ${AFTERSHOCK_NO_HOSTS:-} == 1 ]]; then
  echo "AFTERSHOCK_NO_HOSTS=1: the rooms of hosts in Go are left out"
  exit 77
fi
[[ -x /usr/local/go/bin/go ]] && PATH=/usr/local/go/bin:$PATH
failed=0
modfile=$(bash tests/hosts/modfile.sh)
go test -C policies/external/hosts/training_operator -trimpath ./... || failed=1
go test -C policies/external/hosts/kubernetes -modfile "$modfile" -trimpath ./... || failed=1
for vectors in failed_pod kubelet_backoff past_backoff_limit; do
  go run -C policies/external/hosts/training_operator -trimpath "./cmd/$vectors" |
    diff -q - "tests/data/hosts/$vectors.ndjson" || failed=1
done
exit "$failed"
