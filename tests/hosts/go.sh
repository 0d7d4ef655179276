#!/usr/bin/env bash
# The hosts in Go: their rooms by their own tests, each program on a scenario, and the vectors that
# unit tests hold ports to against what the real code answers. The first time some minutes pass,
# in which Kubernetes is compiled.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=${AFTERSHOCK_EXECUTABLE:-build/bin/aftershock}
built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT
failed=0
modfile=$(bash tests/hosts/modfile.sh)
go test -C policies/external/hosts/training_operator -trimpath ./... || failed=1
go test -C policies/external/hosts/kubernetes -modfile "$modfile" -trimpath ./... || failed=1
go build -C policies/external/hosts/kubernetes -modfile "$modfile" -trimpath -o "$built/" ./cmd/...
for host in job jobset volcano; do
  "$built/$host" --version
  scenario=scenarios/$host/$(sed -n 's|.*"scenarios/'"$host"'/\([^"]*\)".*|\1|p' \
    "policies/external/hosts/conform/$host.json" | head -n 1)
  "$program" run "$scenario" --policy-cmd "$built/$host" --set /expect=[] || {
    code=$?
    # 1: the job failed, as some scenarios have it.
    [[ $code == 1 ]] || { echo "$scenario under $host exits with $code"; failed=1; }
  }
done
for vectors in failed_pod kubelet_backoff past_backoff_limit; do
  go run -C policies/external/hosts/training_operator -trimpath "./cmd/$vectors" |
    diff -q - "tests/data/hosts/$vectors.ndjson" || failed=1
done
exit "$failed"
