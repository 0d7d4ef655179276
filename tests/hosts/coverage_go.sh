#!/usr/bin/env bash
# coverage_go.sh NAME AFTERSHOCK [ARGS]: blocks of the hosted code that a host in Go reaches in its
# scenarios, run with ARGS: a row a file, and the functions that are never entered. Called by
# coverage.sh.
set -euo pipefail
name=$1
program=$2
shift 2
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
[[ -x /usr/local/go/bin/go ]] && PATH=/usr/local/go/bin:$PATH
job=k8s.io/kubernetes/pkg/controller/job
jobset=sigs.k8s.io/jobset/pkg/controllers
trainer=github.com/kubeflow/trainer/v2/pkg
case $name in
  job) packages=$job files='/(job_controller|backoff_utils|indexed_job_utils|pod_failure_policy)' ;;
  jobset) packages=$jobset files='/(jobset_controller|failure_policy|success_policy)' ;;
  trainjob)
    packages=$trainer/controller,$trainer/runtime/core,$trainer/runtime/framework/plugins/jobset
    files='/(trainjob_controller|trainingruntime|clustertrainingruntime|jobset|builder)' ;;
  rayjob)
    packages=github.com/ray-project/kuberay/ray-operator/controllers/ray files=/rayjob_controller ;;
  volcano)
    packages=volcano.sh/volcano/pkg/controllers/job,volcano.sh/volcano/pkg/controllers/job/state
    files='/(job_controller|state/)' ;;
esac
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
mkdir "$made/data"
modfile=$(bash tests/hosts/modfile.sh)
# Nothing is written where the main package is not counted, too.
go build -C policies/external/hosts/kubernetes -modfile "$modfile" -trimpath -buildvcs=false \
  -cover "-coverpkg=$packages,aftershock.dev/hosts/kubernetes/cmd/$name" -o "$made/host" \
  "./cmd/$name"
hosts=policies/external/hosts
if [[ -f $hosts/conform/$name.json ]]; then
  list=$hosts/conform/$name.json
  mapfile -t scenarios < <(grep -o '"scenario": "[^"]*"' "$list" | cut -d'"' -f4)
else
  scenarios=("$hosts/scenarios/$name"/*.json)
fi
# One after the other: of several at once some would end before they have written.
for scenario in "${scenarios[@]}"; do
  "$program" run "$scenario" --policy-cmd "$made/host" --policy-env "GOCOVERDIR=$made/data" \
    --policy-deadline 1min --json "$@" >/dev/null || true
done
go tool covdata textfmt "-i=$made/data" -o "$made/profile"
tail -n +2 "$made/profile" | grep -E "$files[a-z_]*\.go:" | sort -u | awk '
  { split($1, at, ":"); file = at[1]; block = $1; seen[block] = file; reached[block] += $3 }
  END {
    for (block in seen) { all[seen[block]]++; if (reached[block] > 0) met[seen[block]]++ }
    for (file in all) printf "%s: %d of %d blocks\n", file, met[file], all[file]
  }' | sort
echo "never entered:"
go tool covdata func "-i=$made/data" | grep -E "$files[a-z_]*\.go:" |
  awk '$NF == "0.0%" { sub(/^.*\//, "", $1); print "  " $1, $2 }'
