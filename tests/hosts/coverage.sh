#!/usr/bin/env bash
# coverage.sh NAME [ARGS]: which lines and branches of the installed code `policies conform NAME
# ARGS` reaches, for a host in Python whose environment is there. The folders counted are those
# whose decisions the port follows. coverage.py is taken from the registry once, by the version
# pinned here.
set -euo pipefail
name=$1
shift
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=${AFTERSHOCK_EXECUTABLE:-build/bin/aftershock}
version=7.17.5
declare -A counted=(
  [ray_train]='ray/train/v2/_internal/execution/controller/* ray/train/v2/_internal/execution/failure_handling/* ray/train/v2/_internal/execution/scaling_policy/* ray/train/v2/_internal/execution/checkpoint/checkpoint_manager.py ray/train/v2/_internal/execution/worker_group/worker_group.py'
  [ray_tune]='ray/tune/execution/tune_controller.py ray/tune/experiment/trial.py'
  [torchrun]='torch/distributed/elastic/agent/server/api.py torch/distributed/elastic/rendezvous/dynamic_rendezvous.py torch/distributed/elastic/rendezvous/static_tcp_rendezvous.py'
  [nvrx]='nvidia_resiliency_ext/fault_tolerance/launcher.py nvidia_resiliency_ext/fault_tolerance/ft_rendezvous_barrier.py'
)
[[ -n ${counted[$name]:-} ]] || { echo "$name: is not a host in Python"; exit 2; }
environment=${name%%_*}
[[ $name == torchrun || $name == nvrx ]] && environment=torch
python=$(compgen -G "${XDG_CACHE_HOME:-$HOME/.cache}/aftershock/hosts/$environment-*/bin/python" |
  tail -n 1) || { echo "$name@installed has no environment; aftershock hosts setup $name makes it"
                  exit 2; }
tools=${XDG_CACHE_HOME:-$HOME/.cache}/aftershock/coverage-$version
[[ -d $tools ]] || "$python" -m pip install --quiet --target "$tools" "coverage==$version"
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
{
  printf '[run]\nbranch = true\nparallel = true\nsigterm = true\n'
  printf 'data_file = %s/data\ninclude =\n' "$made"
  for files in ${counted[$name]}; do printf '  */%s\n' "$files"; done
} >"$made/rc"
host="$python -m coverage run --rcfile=$made/rc policies/external/hosts/run.py $name"
"$program" policies conform "$name" "$@" --policy-cmd "$host" --policy-env "PYTHONPATH=$tools" \
  --policy-deadline 1min || true
export PYTHONPATH=$tools
"$python" -m coverage combine --quiet --rcfile="$made/rc" "$made"
"$python" -m coverage report --show-missing --rcfile="$made/rc" | sed 's|^/.*/site-packages/||'
