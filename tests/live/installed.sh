#!/usr/bin/env bash
# installed.sh BACKEND HOST: the quick rows of tests/live/plans/BACKEND.json on real processes, with
# what `aftershock hosts setup HOST` installs. AFTERSHOCK_NO_HOSTS=1 leaves it out.
set -euo pipefail
backend=$1
host=$2
if [[ ${AFTERSHOCK_NO_HOSTS:-} == 1 ]]; then
  echo "AFTERSHOCK_NO_HOSTS=1: runs on installed code are left out"
  exit 77
fi
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
unset VIRTUAL_ENV
. tests/hosts/environment.sh
make_environment "$host"
exec "$environment/bin/python" -B tests/live/backend.py "$backend"
