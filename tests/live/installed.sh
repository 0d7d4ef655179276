#!/usr/bin/env bash
# installed.sh BACKEND ENVIRONMENT: the quick rows of tests/live/plans/BACKEND.json on real
# processes, with what `aftershock hosts setup ENVIRONMENT` installs. AFTERSHOCK_NO_HOSTS=1 leaves
# it out.
set -euo pipefail
backend=$1
environment=$2
if [[ ${AFTERSHOCK_NO_HOSTS:-} == 1 ]]; then
  echo "AFTERSHOCK_NO_HOSTS=1: runs on installed code are left out"
  exit 77
fi
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
unset VIRTUAL_ENV
listed=$("$AFTERSHOCK_EXECUTABLE" hosts list --json | tr -d '\n')
if ! grep -q "\"name\": *\"$environment\", *\"there\": *true" <<<"$listed"; then
  "$AFTERSHOCK_EXECUTABLE" hosts setup "$environment" --yes
fi
# The first command that would make the environment names its folder.
python=$("$AFTERSHOCK_EXECUTABLE" hosts setup "$environment" | sed -n 's/.* --clear //p' | head -1)
exec "$python/bin/python" -B tests/live/backend.py "$backend"
