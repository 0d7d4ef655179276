#!/usr/bin/env bash
# The installed code of a project beside its port: installed.sh NAME, or with another script of this
# folder: installed.sh NAME SCRIPT. Makes the host's environment where there is none.
# AFTERSHOCK_NO_HOSTS=1 leaves it out.
set -euo pipefail
name=$1
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
if [[ ${AFTERSHOCK_NO_HOSTS:-} == 1 ]]; then
  echo "AFTERSHOCK_NO_HOSTS=1: the host of $name is left out"
  exit 77
fi
unset VIRTUAL_ENV
[[ -x /usr/local/go/bin/go ]] && PATH=/usr/local/go/bin:$PATH
. tests/hosts/environment.sh
make_environment "$name"
"$AFTERSHOCK_EXECUTABLE" hosts list
if [[ -n ${2:-} ]]; then
  exec /usr/bin/env python3 -B "tests/hosts/$2" "$AFTERSHOCK_EXECUTABLE" "$name"
fi
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
"$AFTERSHOCK_EXECUTABLE" policies conform "$name" --record "$made"
# The head line has a digest of the host, which may change without changing what it does.
if ! cmp -s <(tail -n +2 "$made/$name.ndjson") <(tail -n +2 "tests/data/hosts/$name.ndjson"); then
  echo "tests/data/hosts/$name.ndjson differs from what this build and the installed code say now:"
  diff <(tail -n +2 "tests/data/hosts/$name.ndjson") <(tail -n +2 "$made/$name.ndjson") |
    sed -n 's/^> \({"scenario":"[^"]*","seed":[0-9]*\).*/  \1}/p' | head -n 5 || true
  echo "Where that is meant: aftershock policies conform $name --record tests/data/hosts"
  exit 1
fi
