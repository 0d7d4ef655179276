#!/usr/bin/env bash
# Memory that runs out is told, and ends a command with an exit code of its own.
set -u
program=$AFTERSHOCK_EXECUTABLE
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

# A sanitizer reserves more than any limit allows.
if grep -q __asan_init "$program"; then
  echo 'not tried: the program is sanitized'
  exit 0
fi

python3 - "$dir/many.json" <<'PYTHON'
import json, sys

scenario = json.load(open("scenarios/quickstart.json"))
job = scenario["jobs"][0]
scenario["jobs"] = [{**job, "name": f"j{i}"} for i in range(20_000)]
scenario["faults"], scenario["expect"] = [], []
json.dump(scenario, open(sys.argv[1], "w"))
PYTHON

# told COMMAND ARGS..: it ends with 9 and one line that names the command.
told() {
  (
    ulimit -v 120000
    exec "$program" "$@" >"$dir/out" 2>"$dir/err"
  )
  local got=$?
  local wanted='([0-9]+ bytes more were asked for, )?' limit='and .ulimit -v. allows 117 MiB'
  local words="aftershock $1: out of memory: $wanted[0-9]+ MiB are in use, $limit"
  if [ $got != 9 ] || [ "$(wc -l <"$dir/err")" != 1 ] || ! grep -qxE "$words" "$dir/err"; then
    echo "FAILED: aftershock $*: exit $got"
    head -n 5 "$dir/err"
    failed=1
  fi
}
told run "$dir/many.json" --quiet
told validate "$dir/many.json"
told sweep "$dir/many.json" --runs 2 --out "$dir/out.sqlite"
[ ! -e "$dir/out.sqlite" ] || { echo 'FAILED: a sweep that never began left its file'; failed=1; }
exit $failed
