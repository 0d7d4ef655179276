#!/usr/bin/env bash
# coverage.sh NAME [ARGS]: which lines and branches of the installed code `policies conform NAME
# ARGS` reaches, for a host in Python whose environment is there; which blocks its scenarios reach,
# for one in Go, which is built for it. The folders counted are those whose decisions the port
# follows. coverage.py is taken from the registry once, by the version pinned here.
set -euo pipefail
set -f  # patterns of files are for coverage.py
name=$1
shift
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=${AFTERSHOCK_EXECUTABLE:-build/bin/aftershock}
version=7.17.5
train=ray/train/v2/_internal/execution
elastic=torch/distributed/elastic
tolerance=nvidia_resiliency_ext/fault_tolerance
case $name in
  ray_train) counted="$train/controller/* $train/failure_handling/* $train/scaling_policy/*
      $train/checkpoint/checkpoint_manager.py $train/worker_group/worker_group.py" ;;
  ray_tune) counted="ray/tune/execution/tune_controller.py ray/tune/experiment/trial.py" ;;
  torchrun) counted="$elastic/agent/server/api.py $elastic/rendezvous/dynamic_rendezvous.py
      $elastic/rendezvous/static_tcp_rendezvous.py" ;;
  nvrx) counted="$tolerance/launcher.py $tolerance/ft_rendezvous_barrier.py" ;;
  job | jobset | trainjob | rayjob | volcano)
    exec bash tests/hosts/coverage_go.sh "$name" "$program" "$@" ;;
  *) echo "$name: is not a host"; exit 2 ;;
esac
environment=${name%%_*}
[[ $name == torchrun || $name == nvrx ]] && environment=torch
set +f
python=$(compgen -G "${XDG_CACHE_HOME:-$HOME/.cache}/aftershock/hosts/$environment-*/bin/python" |
  tail -n 1) || { echo "$name@installed has no environment; aftershock hosts setup $name makes it"
                  exit 2; }
tools=${XDG_CACHE_HOME:-$HOME/.cache}/aftershock/coverage-$version
set -f
[[ -d $tools ]] || "$python" -m pip install --quiet --target "$tools" "coverage==$version"
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
{
  printf '[run]\nbranch = true\nparallel = true\nsigterm = true\n'
  printf 'data_file = %s/data\ninclude =\n' "$made"
  for files in $counted; do printf '  */%s\n' "$files"; done
} >"$made/rc"
host="$python -m coverage run --rcfile=$made/rc policies/external/hosts/run.py $name"
"$program" policies conform "$name" "$@" --policy-cmd "$host" --policy-env "PYTHONPATH=$tools" \
  --policy-deadline 1min || true
export PYTHONPATH=$tools
"$python" -m coverage combine --quiet --rcfile="$made/rc" "$made"
"$python" -m coverage report --show-missing --rcfile="$made/rc" | sed 's|^/.*/site-packages/||'
