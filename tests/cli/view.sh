#!/usr/bin/env bash
# `view` and `run --view` become the viewer that is beside the program, else the one in PATH, and
# hand it their arguments whole.
set -u
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
mkdir "$dir/bin" "$dir/path" "$dir/none"
cp "$AFTERSHOCK_EXECUTABLE" "$dir/bin/aftershock"
program=$dir/bin/aftershock
scenario=scenarios/quickstart.json

# stand_in FOLDER WORD: a viewer that says WORD and its arguments.
stand_in() {
  printf '#!/bin/sh\nprintf "%%s" "%s"; printf " [%%s]" "$@"; exit 3\n' "$2" >"$1/aftershock-viewer"
  chmod +x "$1/aftershock-viewer"
}

# expect CODE OUTPUT ARGUMENTS...: the output is standard output and error together.
expect() {
  local code=$1 wanted=$2 got
  shift 2
  got=$(PATH=$path "$program" "$@" 2>&1)
  local status=$?
  if [ "$status" != "$code" ] || [ "$got" != "$wanted" ]; then
    echo "FAILED: aftershock $*: exit $status, wanted $code: $got"
    failed=1
  fi
}

path=$dir/none
missing='aftershock-viewer is neither beside aftershock nor in PATH: the viewer is not installed'
expect 2 "$missing" view a.aftershock
expect 2 "$missing" run $scenario --view

stand_in "$dir/path" in_path
path=$dir/path
expect 3 'in_path [--] [a b.aftershock]' view 'a b.aftershock'
stand_in "$dir/bin" beside
expect 3 'beside [--] [a] [b]' view a b
record=$dir/r.aftershock
expect 3 "beside [--seed=7] [--set=/question=a b?] [--policy=ray_train] [--record=$record] [--verdict] [--]\
 [$scenario]" \
  run $scenario --view --policy ray_train --set '/question=a b?' --seed 7 --record "$record"

facts=tests/data/live/runs/torchrun/worker_killed-1.facts.ndjson.zst
live=scenarios/live/torchrun/worker_killed.json
expect 3 "beside [--seed=7] [--backend=torchrun] [--facts=$facts] [--record=$record] [--verdict] [--]\
 [$live]" \
  live $live --view --backend torchrun --facts $facts --seed 7 --record "$record"
expect 3 "beside [--set=/jobs/0/phases/launching=10s] [--set=/cluster/heartbeat/every=5s] [--backend=torchrun]\
 [--speed=5] [--verdict] [--] [$live]" \
  live $live --view --backend torchrun --speed 5 --set /jobs/0/phases/launching=10s \
  --set /cluster/heartbeat/every=5s
expect 2 "--backend \"slurm\": expected torchrun, ray or nvrx" live $live --view --backend slurm

# A viewer that cannot be started does not make it start another.
chmod -x "$dir/bin/aftershock-viewer"
expect 2 'aftershock-viewer cannot be started: Permission denied' view a
exit $failed
