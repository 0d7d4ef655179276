#!/usr/bin/env bash
# The installed code of a project beside its port: installed.sh NAME. Makes the host's environment
# where there is none, which takes packages from the registry. AFTERSHOCK_NO_HOSTS=1 leaves it out.
set -euo pipefail
name=$1
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
if [[ ${AFTERSHOCK_NO_HOSTS:-} == 1 ]]; then
  echo "AFTERSHOCK_NO_HOSTS=1: the host of $name is left out"
  exit 77
fi
unset VIRTUAL_ENV
listed=$("$AFTERSHOCK_EXECUTABLE" hosts list --json)
if ! grep -q "\"name\": *\"$name\", *\"there\": *true" <<<"$(tr -d '\n' <<<"$listed")"; then
  "$AFTERSHOCK_EXECUTABLE" hosts setup "$name" --yes
fi
"$AFTERSHOCK_EXECUTABLE" hosts list
"$AFTERSHOCK_EXECUTABLE" policies conform "$name"
