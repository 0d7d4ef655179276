#!/usr/bin/env bash
# "-" is a scenario that comes from standard input, for whoever takes the file of one.
set -u
program=$AFTERSHOCK_EXECUTABLE
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

source tests/cli/expect.bash

scenario=scenarios/quickstart.json
budget=/jobs/0/policy/config/max_failures
input=$scenario
expect 0 '^llm completed' '' run -
expect 0 '^standard input: ok' '' validate -
expect 0 '"file": "standard input"' '' validate - --json
expect 0 'quickstart: 4 runs of 2 cells' '' sweep - --out "$dir/a.sqlite" --runs 2 --vary $budget=3,4
expect 0 'the same faults for all' '' compare - --runs 2 --vary $budget=3,4
expect 2 '' 'its run does not fail|has faults that come by chance' shrink -
# Without an end there is nothing to break, which is said of what was read.
expect 2 '' '^standard input: job llm trains until the horizon' \
  matrix - --set /jobs/0/steps=null --set /until=1h
expect 2 '' '^standard input: job llm trains until the horizon' \
  explore - --out "$dir/found.sqlite" --set /jobs/0/steps=null --set /until=1h
expect 1 '' '^standard input: failed: ' run - --quiet --set $budget=1
expect 1 'aftershock run - ' 'exit code 1' compare - --runs 2 --vary $budget=3,1
printf 'node,down,up\ngpu-1,1h,2h\n' >"$dir/trace.csv"
expect 0 'node:gpu-1' '' import "$dir/trace.csv" --into - --pool gpu --keep-random --quiet

# The file that it extends lies beside its reader.
echo '{"extends": "scenarios/quickstart.json", "seed": 3}' >"$dir/extends.json"
input=$dir/extends.json expect 0 'seed 3,' '' run -
# A pipe's text can be read more than once.
"$program" compare - --runs 2 --vary $budget=3,4 < <(cat $scenario) >"$dir/out" ||
  { echo 'FAILED: a pipe'; failed=1; }

echo '{"seed": true' >"$dir/broken.json"
input=$dir/broken.json expect 2 '' '^standard input:2:1: ' run -
expect 2 '' 'standard input is given twice' validate - -
expect 2 '' 'two recordings are compared' compare - -
expect 2 '' 'a baseline finds a scenario by its path' check -
expect 2 '' 'the viewer reads files' view -
expect 2 '' 'the viewer runs the scenario by itself' run - --view
expect 2 '' 'a page has the name of its file' report -
expect 2 '' 'another build reads the scenario as well' compare - --against "$program"
exit $failed
