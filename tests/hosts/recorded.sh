#!/usr/bin/env bash
# A port beside what the installed code gave when it was recorded: recorded.sh NAME [VERSION], an
# older version by its own list. It needs no package; a record of another version than the pinned
# one is told, and fails.
set -euo pipefail
name=$1
version=${2:-}
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
hosts=policies/external/hosts
folder=tests/data/hosts${version:+/$version}
asked=("$name${version:+@$version}")
[[ ! $version ]] || asked+=(--list "$hosts/conform/$name-$version.json")
record=$folder/$name.ndjson
installed=$(sed -n '1s/.*"installed":"\([^"]*\)".*/\1/p' "$record")
found=${installed##* }
if ! grep -qsE "^${installed% *}==$found( |\$)" "$hosts"/requirements-*.txt &&
  ! grep -qsE "^_VERSION = \"$found\"\$" "$hosts/$name/prepare.py" &&
  ! grep -qsE " v?$found( |\$)" "$hosts"/*/go.mod; then
  echo "$record is of $installed, which $hosts no longer pins: record it anew by"
  echo "aftershock policies conform ${asked[*]} --record $folder"
  exit 1
fi
"$AFTERSHOCK_EXECUTABLE" policies conform "${asked[@]}" --recorded "$folder"
