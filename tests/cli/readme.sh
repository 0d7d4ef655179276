#!/usr/bin/env bash
# What README shows is what the program prints, and the scenario that it gives runs.
set -u
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# The fenced block that follows the first line that matches $1.
block() { awk -v mark="$1" '$0 ~ mark {on=1; next} on==1 && /^```/ {on=2; next} on==2 && /^```/ {exit} on==2' README.md; }

block 'a test keeps it true' | sed 's/ simulated in .*/ simulated/' >"$dir/shown"
LC_ALL=C.UTF-8 "$AFTERSHOCK_EXECUTABLE" run scenarios/quickstart.json |
  sed 's/ simulated in .*/ simulated/' >"$dir/printed"
diff -u "$dir/shown" "$dir/printed" || exit 1

block 'a test runs this' >"$dir/mine.json"
[ -s "$dir/mine.json" ] || { echo "README shows no scenario"; exit 1; }
"$AFTERSHOCK_EXECUTABLE" validate "$dir/mine.json" || exit 1
"$AFTERSHOCK_EXECUTABLE" run "$dir/mine.json" --quiet || exit 1
"$AFTERSHOCK_EXECUTABLE" run "$dir/mine.json" --quiet --seed 7 \
  --set /jobs/0/policy/config/max_failures=20
