#!/usr/bin/env bash
# `aftershock live` with drivers that play back facts: refusals, recordings, and drivers that break.
set -u
source "$(dirname "$0")/expect.bash"
program=$AFTERSHOCK_EXECUTABLE
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
facts=$PWD/tests/data/live

# player FILE EXIT_CODE [CALM]: a Python that has the package and whose driver tells the lines of
# FILE, or those of CALM where the plan has no faults.
player() {
  cat >"$dir/python" <<PLAYER
#!/bin/sh
if [ "\$1" = -c ]; then echo 2.15.0; exit; fi
read -r plan
case \$plan in *'"faults":[]'*) cat '${3:-$1}' ;; *) cat '$1' ;; esac
exit $2
PLAYER
  chmod +x "$dir/python"
}
live() { "$program" live "$@" --python "$dir/python"; }
fail() { echo "FAILED: $*"; failed=1; }
failed=0

player "$facts/torchrun_kill.facts.ndjson" 0
scenario=scenarios/live/torchrun/worker_killed.json

# A run that was told whole: a recording as any other, which is compared and not replayed.
live "$scenario" --backend torchrun --record "$dir/live.aftershock" --json >"$dir/out" ||
  fail "a whole run ends with $?"
grep -q '"outcome": "completed"' "$dir/out" || fail "no outcome"
grep -q '"torch": "2.15.0"' "$dir/out" || fail "no version"
"$program" why "$dir/live.aftershock" >"$dir/why" || fail "why ends with $?"
grep -q "worker_crash  *application  *will_restart" "$dir/why" || fail "why: $(cat "$dir/why")"
"$program" run "$scenario" --record "$dir/simulated.aftershock" --quiet
"$program" compare "$dir/simulated.aftershock" "$dir/live.aftershock" >"$dir/compared"
grep -q "to the decision" "$dir/compared" || fail "compare does not hold times against each other"
"$program" compare "$dir/live.aftershock" "$dir/simulated.aftershock" --json >"$dir/json"
grep -q '"backend": "torchrun"' "$dir/json" || fail "the order of the two matters"
if "$program" replay "$dir/live.aftershock" 2>"$dir/err"; then fail "a live run is replayed"; fi
grep -q "do not come again" "$dir/err" || fail "replay: $(cat "$dir/err")"

# Another scenario is told, and a live run that means nothing has no verdict on the model.
"$program" run "$scenario" --set /jobs/0/steps=48 --record "$dir/longer.aftershock" --quiet
"$program" compare "$dir/longer.aftershock" "$dir/live.aftershock" >/dev/null 2>"$dir/err"
grep -q "^warning: the scenarios differ in /jobs/0/steps$" "$dir/err" ||
  fail "compare: $(cat "$dir/err")"
live "$scenario" --backend torchrun --keep-facts "$dir/all" --quiet
head -n 12 "$dir/all" >"$dir/part"
"$program" live "$scenario" --backend torchrun --facts "$dir/part" --quiet \
  --record "$dir/cut.aftershock" 2>/dev/null
"$program" compare "$dir/simulated.aftershock" "$dir/cut.aftershock" >/dev/null 2>"$dir/err"
[ $? = 8 ] || fail "compare with an invalid run does not end with 8"
grep -q "the live run is invalid: " "$dir/err" || fail "compare: $(cat "$dir/err")"

# A run that is interrupted ends when it is, and so do its kept facts.
cat >"$dir/python" <<PLAYER
#!/bin/sh
if [ "\$1" = -c ]; then echo 2.15.0; exit; fi
read -r plan
head -n 2 '$facts/torchrun_kill.facts.ndjson'
read -r never
PLAYER
timeout -s INT 3 "$program" live "$scenario" --backend torchrun --python "$dir/python" \
  --keep-facts "$dir/interrupted" --json >"$dir/out"
"$program" live "$scenario" --backend torchrun --facts "$dir/interrupted" --json >"$dir/again"
grep -qE '"wall_us": [123][0-9]{6},' "$dir/out" || fail "interrupted: $(grep wall_us "$dir/out")"
grep -q '"verdict_reason": "interrupted"' "$dir/out" || fail "interrupted: no word"
cmp <(grep wall_us "$dir/out") <(grep wall_us "$dir/again") || fail "kept facts end elsewhere"
player "$facts/torchrun_kill.facts.ndjson" 0

# said CODE TEXT ARGUMENTS...: ends with the code, and a word that has the text.
said() {
  local code=$1 text=$2
  shift 2
  live "$@" >"$dir/out" 2>"$dir/err"
  local got=$?
  [ "$got" = "$code" ] || fail "live $*: exit code $got, expected $code"
  cat "$dir/out" "$dir/err" | tr '\n' ' ' | grep -qF -- "$text" ||
    fail "live $*: says $(cat "$dir/out" "$dir/err")"
}
said 2 "expected torchrun, ray or nvrx" "$scenario" --backend slurm
said 2 "its controllers are hosted only" "$scenario" --backend kubernetes
said 2 "/jobs/0/policy/name" "$scenario" --backend ray
said 2 "/cluster/pools/0/nodes: 17 nodes" scenarios/ring16.json --backend ray
said 2 "--record" "$scenario" --backend torchrun --record "$dir/live.txt"
said 2 "/jobs/0/phases/launching: 5 s at --speed 10 is 0.5 s" \
  "$scenario" --backend torchrun --speed 10
said 2 "/cluster/heartbeat/every: 1 s at --speed 2 is 0.5 s" \
  "$scenario" --backend torchrun --speed 2

# A run at another speed says so, and its times are multiplied by it.
live "$scenario" --backend torchrun --set /jobs/0/phases/launching=10s \
  --set /cluster/heartbeat/every=5s --speed 5 --quiet --record "$dir/fast.aftershock" ||
  fail "a run at speed 5 ends with $?"
"$program" compare "$dir/simulated.aftershock" "$dir/fast.aftershock" >"$dir/compared"
grep -q "multiplied by 5" "$dir/compared" || fail "speed: $(cat "$dir/compared")"

# Kept facts make the same recording, without a driver; of another plan, cut off or beside a driver
# they are refused.
kept=$dir/kept.facts.ndjson.zst
live "$scenario" --backend torchrun --record "$dir/told.aftershock" --keep-facts "$kept" --quiet ||
  fail "a run that is kept ends with $?"
"$program" live "$scenario" --backend torchrun --facts "$kept" --record "$dir/again.aftershock" \
  --quiet || fail "kept facts end with $?"
cmp "$dir/told.aftershock" "$dir/again.aftershock" || fail "kept facts make another recording"
live "$scenario" --backend torchrun --keep-facts "$dir/plain" --quiet
cmp <(tail -n +2 "$dir/plain") "$facts/torchrun_kill.facts.ndjson" ||
  fail "facts are not kept as they came"
head -c 1000 "$kept" >"$dir/cut.zst"
refused() {
  local text=$1
  shift
  "$program" live "$@" >"$dir/out" 2>"$dir/err"
  local got=$?
  [ "$got" = 2 ] || fail "live $*: exit code $got, expected 2"
  grep -qF -- "$text" "$dir/err" || fail "live $*: says $(cat "$dir/err")"
}
refused "/faults/0/" scenarios/live/torchrun/worker_raises.json --backend torchrun --facts "$kept"
refused "in the scenario's" "$scenario" --backend torchrun --facts "$kept" --speed 5 \
  --set /jobs/0/phases/launching=10s --set /cluster/heartbeat/every=5s
refused "compressed data" "$scenario" --backend torchrun --facts "$dir/cut.zst"
refused "not the plan" "$scenario" --backend torchrun --facts "$facts/torchrun_kill.facts.ndjson"
refused "is a directory" "$scenario" --backend torchrun --facts "$dir"
(head -6 "$dir/plain"; echo '{"fact":"step"}') >"$dir/wrong"
"$program" live "$scenario" --backend torchrun --facts "$dir/wrong" >"$dir/out" 2>&1
[ $? = 4 ] || fail "a wrong fact in a file: exit code"
grep -qF "$dir/wrong: line 7: " "$dir/out" || fail "a wrong fact in a file: $(cat "$dir/out")"
grep -v '"fact":"rules"' "$dir/plain" >"$dir/wrong"
"$program" live "$scenario" --backend torchrun --facts "$dir/wrong" >"$dir/out" 2>&1
[ $? = 4 ] || fail "no rules in a file: exit code"
grep -qF 'line 3: expected the fact "rules"' "$dir/out" || fail "no rules: $(cat "$dir/out")"
# Facts in no order, and those of another backend.
unordered() {
  local text=$1
  "$program" live "$scenario" --backend torchrun --facts "$dir/wrong" --quiet >"$dir/out" 2>&1
  [ $? = 4 ] || fail "facts in no order: exit code"
  grep -qF -- "$text" "$dir/out" || fail "facts in no order: $(cat "$dir/out")"
}
(cat "$dir/plain"; tail -n 1 "$dir/plain") >"$dir/wrong"
unordered "the run has ended before this fact"
sed '2s/"backend":"torchrun"/"backend":"ray"/' "$dir/plain" >"$dir/wrong"
unordered "line 2: these facts are not of --backend torchrun"
sed '/"what":"struck"/p' "$dir/plain" >"$dir/wrong"
unordered "is told for the second time"
sed 's/"what":"struck"/"what":"over"/' "$dir/plain" >"$dir/wrong"
unordered "is over, and has not struck"
refused "--policy-cmd" "$scenario" --backend torchrun --facts "$kept" --policy-cmd decider
refused "--keep-facts" "$scenario" --backend torchrun --facts "$kept" --keep-facts "$dir/more"
refused "is there already" "$scenario" --backend torchrun --keep-facts "$kept"

# A process that is killed leaves what had come.
cat >"$dir/python" <<PLAYER
#!/bin/sh
if [ "\$1" = -c ]; then echo 2.15.0; exit; fi
head -100 '$facts/torchrun_kill.facts.ndjson'
touch '$dir/told'
exec sleep 60
PLAYER
"$program" live "$scenario" --backend torchrun --record "$dir/killed.aftershock" \
  --keep-facts "$dir/killed" --python "$dir/python" --quiet &
running=$!
for _ in $(seq 100); do [ -e "$dir/told" ] && break; sleep 0.1; done
sleep 1
kill -9 "$running"
wait "$running" 2>/dev/null
[ "$(wc -l <"$dir/killed")" -gt 50 ] || fail "facts of a killed run: $(wc -l <"$dir/killed") lines"
"$program" why "$dir/killed.aftershock" >"$dir/why" 2>&1
grep -q worker_crash "$dir/why" || fail "why of a killed run: $(cat "$dir/why")"

# Drivers that break: the run means nothing, and the word says why.
half=$dir/half
head -20 "$facts/torchrun_kill.facts.ndjson" >"$half"
player "$half" 0
said 4 "without a word about the end" "$scenario" --backend torchrun
player "$half" 3
said 4 "the driver" "$scenario" --backend torchrun
(head -5 "$facts/torchrun_kill.facts.ndjson"; echo '{"fact":"step"}') >"$half"
player "$half" 0
said 4 "line 6 of the driver" "$scenario" --backend torchrun
echo 'no JSON' >"$half"
player "$half" 0
said 4 "line 1 of the driver" "$scenario" --backend torchrun

# Lengths of phases, and where they go. A fault that nobody told of makes the run mean nothing.
grep -v '"fault":0' "$facts/torchrun_kill.facts.ndjson" >"$half"
player "$facts/torchrun_kill.facts.ndjson" 0 "$half"
said 0 '"phases": {"launching": "' "$scenario" --backend torchrun --calibrate
said 0 "these go into /jobs/0" "$scenario" --backend torchrun --calibrate
said 0 "on real processes under torchrun (python" "$scenario" --backend torchrun
player "$half" 0
said 4 "was due, and the driver did not tell of it" "$scenario" --backend torchrun
said 0 "never struck" "$scenario" --backend torchrun --set /faults/0/at_step=24
exit "$failed"
