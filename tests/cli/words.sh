#!/usr/bin/env bash
# An error is told once, by the name that was given, with the accepted values and the nearest.
set -u
program=$AFTERSHOCK_EXECUTABLE
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

source tests/cli/expect.bash

scenario=scenarios/quickstart.json
paired=scenarios/paired.json

# one_line PATTERN ARGUMENTS...: refused in one line that has the pattern.
one_line() {
  expect 2 '' "$@"
  [ "$(wc -l <"$dir/err")" = 1 ] ||
    { echo "FAILED: more than a line: ${*:2}"; cat "$dir/err"; failed=1; }
}

# Commands and flags that are none.
one_line '^unknown command "nosuch"; the commands are: run, ' help nosuch
one_line '^unknown command "validat"; did you mean validate\?$' help validat
one_line '^unknown command "lst" of policies; did you mean list\?$' policies lst
expect 0 '^aftershock help COMMAND: ' '' help version
expect 0 '^aftershock version: ' '' help help
expect 2 '' 'not expected: --foo --bar 3 --sed$' run $scenario --foo --bar 3 --sed

# Targets without their kind.
target() { one_line "did you mean \"$2\"\\?$" validate $scenario --set "/faults/0/target=$1"; }
target gpu-3 node:gpu-3
target gpu-spare-0 node:gpu-spare-0
target gpu-3/5 accelerator:gpu-3/5
target gpu/2 rack:gpu/2
target gpu pool:gpu
target llm job:llm
one_line 'domain:POOL/INDEX or cluster$' validate $scenario --set /faults/0/target=gpu-99

# Which value of which place is refused, and where nothing that was varied is to blame by itself.
one_line '^the value "-1" of /cluster/pools/0/spares is refused: -1 is out of range; expected ' \
  compare $paired --vary rates=1 --vary /cluster/pools/0/spares=2,-1
one_line '^the value "b/c" of /name is refused: "b/c" cannot be a name' \
  compare $paired --vary /name=a,b/c
one_line '^the policy "nosuch" is refused: no policy ' compare $paired --policy nosuch
one_line 'racks for 2 nodes; .* \(where /cluster/pools/0/nodes is 1\)$' \
  compare $scenario --vary /cluster/pools/0/nodes=16,1
one_line '^no policy "nosuch" is shipped' policies show nosuch
XDG_CACHE_HOME=/no/such/folder one_line 'ray_train@installed has no environment yet; ' \
  run $scenario --set /jobs/0/policy/profile=installed
one_line '^the profile "installed" is modelarts itself' policies show modelarts@installed

# Numbers that no market has.
for number in 1e30 99999999999999999999 0.00000000000001 1000001 0 nan; do
  one_line 'expected a number above 0 and up to 1000000' \
    init --gpu 64 --spot --preemptions-per-day $number
done
one_line '^--notice "99999999d": expected a time from 0s to 30d$' \
  init --gpu 64 --spot --notice 99999999d
# Without notice there is none, and what follows from all numbers together may be no scenario.
expect 0 '' '' init --gpu 64 --spot --notice 0s --out "$dir/unsaid.json"
expect 0 ok '' validate "$dir/unsaid.json"
! grep -A3 '"market"' "$dir/unsaid.json" | grep -q notice ||
  { echo 'FAILED: a notice of no time'; failed=1; }
expect 2 '' 'these numbers make no scenario that can run' \
  init --gpu 64 --spot --preemptions-per-day 1000000
one_line '^--provision "31d": expected a time from 0s to 30d$' init --gpu 64 --spot --provision 31d

# The longer of two runs has more time to fail.
expect 0 . '^note: the cells are runs of other lengths, ' compare $paired --runs 2 --vary /until=5d,9d

# A word of goals is one wherever a metric is named.
expect 0 'useful_share (higher|lower)' '' compare $paired --runs 3 --goal useful --vary \
  /jobs/0/checkpoint/every=30min,10min
expect 0 '' '' sweep $paired --runs 2 --out "$dir/kept.sqlite" --keep worst:1:useful --quiet
one_line 'did you mean "useful"\?$' compare $paired --policy torchrun --goal usefull
# Settings that the runs do not depend on are named.
expect 0 '^  nothing in these runs depends on whether /question is ' '' \
  compare $paired --runs 2 --vary /question=a,b
# Cells that do not share their work are compared by what they do, and those of other machines meet
# faults of their own.
expect 0 . 'a step takes other times .*: useful_steps leads$' \
  compare $paired --runs 2 --vary /jobs/0/step=10s,20s
expect 0 . 'runs of other lengths.*: useful_accelerator_us leads$' \
  compare $paired --runs 2 --vary /jobs/0/submit=0s,4h
expect 3 '^  each cell has random faults of its own' . \
  compare $paired --runs 2 --vary /cluster/pools/0/spares=0,1
# A variable that nothing in the simulation reads is none to vary, to choose or to set: a script of
# the user's own, which might read it, does not run here.
foo=/jobs/0/env/RAY_TRAIN_HEALTH_CHECK_INTERVL_S
one_line 'of /jobs/0/env/FOO is refused: nothing reads "FOO" here; expected one that' \
  compare $paired --runs 2 --vary '/jobs/0/env/FOO="1","2"'
one_line 'nothing reads "FOO" here' advise $paired --runs 2 --choose '/jobs/0/env/FOO="1","2"'
one_line 'nothing reads "FOO" here; expected .* such as RAY_TRAIN_HEALTH_CHECK_INTERVAL_S; ' \
  run $paired --set '/jobs/0/env/FOO="1"'
one_line 'did you mean "RAY_TRAIN_HEALTH_CHECK_INTERVAL_S"' run $paired --set "$foo=\"1\""
expect 0 '' '' run $paired --quiet --set '/jobs/0/env/RAY_TRAIN_HEALTH_CHECK_INTERVAL_S="2"'

# Pods that start in no time are an assumption.
assumed='^assumed: the pods of job llm under modelarts start without time for image, each'
expect 0 "$assumed" 'hang restart' compare $paired --runs 2 --policy modelarts --policy torchrun
expect 0 "$assumed" 'hang restart' run $paired --policy modelarts
expect 0 '^assumed: the pods of job llm under jobset start without time for image, which' '' \
  run $paired --policy jobset --set /jobs/0/pods/each=1s
expect 0 '^taken as given: the pods of job llm under jobset start with each 1 s \(/jobs/0/pods\)' '' \
  run $paired --policy jobset --set /jobs/0/pods/each=1s
! "$program" run $paired | grep -q assumed || { echo 'FAILED: Ray Train makes no pods'; failed=1; }

# With --strict a fault that never struck is an error; the run is told all the same.
cat >"$dir/never.json" <<JSON
{"extends": "$PWD/$scenario", "expect": [], "faults": [{"id": "late", "kind": "node_crash",
  "target": "node:gpu-1", "when": {"enter": "backing_off", "job": "llm"}}]}
JSON
expect 0 'late never struck' '' run "$dir/never.json"
never_in='warning: a scripted fault never struck in 2 of 2 runs, .*, seed 36; why is told by: '
expect 0 . "$never_in"'aftershock run .*never.json --seed 36$' sweep "$dir/never.json" --runs 2 \
  --out "$dir/never.db"
expect 0 . "$never_in"'aftershock run .*never.json --set /check/seeds=2 --seed 36$' \
  check "$dir/never.json" --set '/check/seeds=2'
expect 0 '' '' check "$dir/never.json" --set '/check/seeds=2' --quiet
expect 0 . 'never struck in 4 of 4 runs, .* --set /jobs/0/policy/config/max_failures=3 --seed 36$' \
  compare "$dir/never.json" --runs 2 --vary /jobs/0/policy/config/max_failures=3,4
# Of a run that failed before it the failure is told.
expect 4 . '' sweep $scenario --runs 1 \
  --vary /jobs/0/policy/config/max_failures=0 --out "$dir/died.db"
! grep -q 'never struck' "$dir/err" || { echo 'FAILED: a dead run is told twice'; failed=1; }
expect 0 '' '' report "$dir/never.json" --quiet --out "$dir/never.html"
grep -qF 'late never struck: job llm never entered' "$dir/never.html" &&
  grep -qF '; 1 never struck' "$dir/never.html" ||
  { echo 'FAILED: the page does not tell that a fault never struck'; failed=1; }
expect 4 '1 never struck' '^error, by --strict: fault late never struck: job llm never entered' \
  run "$dir/never.json" --strict

# Words about standard input, and about lines that an import leaves out and keeps.
"$program" run $scenario --quiet --record "$dir/run.aftershock"
input=$dir/run.aftershock expect 0 'llm' '' why -
expect 2 '' '^cannot read standard input: ' why -
printf 'time,kind,target,detail\n3600,hang,job:llm,lasts=10min\n%s\n%s\n' \
  4000,recovered,job:llm, 9000,recovered,node:gpu-3, >"$dir/night.csv"
export input=$dir/night.csv
expect 0 '^standard input: incident' '' import - --into $paired --out "$dir/a.json"
expect 0 '^  1 row: a recovery that changes nothing: "lasts" or an earlier row ends the fault' '' \
  import - --into $paired --out "$dir/b.json"
expect 0 '^  1 row: a recovery of what is not known to ail \(line 4\)' '' \
  import - --into $paired --out "$dir/c.json"
expect 0 '^  kept beside them, by --keep-random: crash$' '' \
  import - --into $paired --keep-random --out "$dir/d.json"
expect 2 '' 'standard input is given twice' import - --into -
exit $failed
