#!/usr/bin/env bash
# A port beside what the installed code gave when it was recorded: recorded.sh NAME. It needs no
# package; a record of another version than the pinned one is told, and fails.
set -euo pipefail
name=$1
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
record=tests/data/hosts/$name.ndjson
installed=$(sed -n '1s/.*"installed":"\([^"]*\)".*/\1/p' "$record")
version=${installed##* }
hosts=policies/external/hosts
if ! grep -qsE "^${installed% *}==$version( |\$)" "$hosts"/requirements-*.txt &&
  ! grep -qsE "^_VERSION = \"$version\"\$" "$hosts/$name/prepare.py" &&
  ! grep -qsE " v?$version( |\$)" "$hosts"/*/go.mod; then
  echo "$record is of $installed, which $hosts no longer pins: record it anew by"
  echo "aftershock policies conform $name --record tests/data/hosts"
  exit 1
fi
"$AFTERSHOCK_EXECUTABLE" policies conform "$name" --recorded tests/data/hosts
