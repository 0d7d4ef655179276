#!/usr/bin/env bash
# Every command answers, with the exit code and on the stream that it says.
set -u
program=$AFTERSHOCK_EXECUTABLE
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

source tests/cli/expect.bash

scenario=scenarios/quickstart.json
expect 0 '^ray_train ' '' policies list
expect 0 '"profiles"' '' policies list --json
expect 0 '^llm completed' '' run $scenario
expect 0 '"verdict": "passed"' '' run $scenario --json
expect 0 '' '' run $scenario --quiet
expect 0 '"seed": 37' '' run $scenario --seed 37 --json --set /jobs/0/policy/config/max_failures=9
expect 1 'FAILED: exhausted' '' run $scenario --set /jobs/0/policy/config/max_failures=1 --set /expect/1/max=9
expect 1 '' 'quickstart.json: failed: 1 of 2 expectations failed' run $scenario --quiet --set /jobs/0/policy/config/max_failures=1
expect 2 '' 'whole number from 0' run $scenario --seed=-1
expect 2 '' 'whole number from 0' run $scenario --seed 18446744073709551616
expect 2 '' 'must not be empty' run $scenario --record ''
expect 2 '' 'must not be empty' run $scenario --policy ''
expect 2 '' 'profile is missing' run $scenario --policy ray_train@
# Without the module for SimGrid a program runs what does not share, and says what it lacks.
mkdir "$dir/bin"
cp "$program" "$dir/bin/aftershock"
whole_program=$program
program=$dir/bin/aftershock
expect 0 '' '' run $scenario --quiet
expect 2 '' 'takes SimGrid.*lib/aftershock/aftershock_simgrid.so' run $scenario --quiet --driver simgrid
root=$PWD
cd "$dir" || exit 1
expect 2 '' 'name one: aftershock scenarios FOLDER' scenarios
program=$whole_program
expect 0 '/scenarios/quickstart.json  ' '' scenarios
cd "$root" || exit 1
cp $scenario "$dir/mine.json"
expect 2 '' 'is the scenario as well' run "$dir/mine.json" --record "$dir/mine.json"
expect 2 '' 'does not have the name of a recording' run $scenario --record "$dir/run.txt"
cmp -s $scenario "$dir/mine.json" || { echo 'FAILED: --record changed the scenario'; failed=1; }
expect 2 '' 'unknown command "bogus"; the commands are: run' bogus
: >"$dir/empty.jsonl"
expect 2 '' 'holds no case' policies test ray_train "$dir/empty.jsonl"
expect 2 '' 'is a directory' policies test ray_train "$dir"
expect 4 'exit code 4\): fault spot-1 was required to cause a restart' '' run $scenario --policy ray_train:defaults
expect 0 'max_failures +3 of 3' '' run $scenario --policy ray_train
expect 2 '' 'has no preset "nun"; expected one of start, defaults' run $scenario --policy ray_train:nun
expect 2 '' 'did you mean "ray_train"' policies show ray
expect 2 '' 'an SQLite file, whatever it is called; expected another name, such as .*m.sqlite' \
  sweep $scenario --runs 2 --out "$dir/m.csv"
expect 2 '' 'a preset is missing behind the colon' run $scenario --policy ray_train:
expect 0 'start +\{"max_failures": 3\}: three failures' '' policies show ray_train
expect 0 '"name": "controller_failure_limit"' '' policies show ray_train --json
expect 0 '"presets": \[$' '' policies show torchrun --json
expect 2 '' 'makes a new key that nothing reads.*did you mean "/jobs/0/policy/config/fault-tolerance~1pod-retry-num"' \
  run scenarios/modelarts/npu_4096_sample_budgets.json \
  --set /jobs/0/policy/config/fault-tolerance/pod-retry-num=0
expect 2 '' 'a string: annotations are .* written as "~1"' run scenarios/modelarts/four_nodes.json \
  --set /jobs/0/policy/config/metadata/annotations/fault-tolerance/pod-retry-num=0
for unread in 'anotations/fault-tolerance~1pod-retry-num' annotations/foo labels/foo; do
  expect 2 '' "metadata/${unread%%/*}.*nothing reads it" run scenarios/modelarts/four_nodes.json \
    --set "/jobs/0/policy/config/metadata/$unread=0"
done
expect 2 '' 'trains until the horizon.*expected "steps"' matrix scenarios/ring16.json \
  --set /jobs/0/steps=null --set /until=1h
expect 0 '^aftershock [0-9]' '' version
expect 0 'usage: aftershock|Usage: aftershock|Subcommands' '' help
expect 0 'Usage: .*run' '' help run
expect 2 '' 'unknown command "bogus"; the commands are: run' help bogus
expect 2 '' 'did you mean validate' help validat
expect 2 '' 'did you mean list' help policies lst
expect 0 'Usage: .*list' '' help policies list
# Editors and shells of Windows put marks before a text.
{ printf '\xef\xbb\xbf'; cat $scenario; } >"$dir/marked.json"
expect 0 '^llm completed' '' run "$dir/marked.json"
iconv -f UTF-8 -t UTF-16 <$scenario >"$dir/wide.json"
expect 2 '' 'wide.json: begins with a byte order mark of UTF-16; expected UTF-8' run "$dir/wide.json"
printf '\xef\xbb\xbfnode,down,up\nn0,1h,2h\n' >"$dir/marked.csv"
expect 0 '"node:' '' import "$dir/marked.csv" --quiet
iconv -f UTF-8 -t UTF-16 <"$dir/marked.csv" >"$dir/wide.csv"
expect 2 '' 'mark of UTF-16; expected UTF-8' import "$dir/wide.csv" --quiet
printf 'node,down,up\nn0,20/11/2026 01:12,21/11/2026 01:12\n' >"$dir/dated.csv"
expect 2 '' '"20/11/2026 01:12" is not a date and time; expected a date and time by ISO 8601' \
  import "$dir/dated.csv"
echo '{"max_failures": 8}' >"$dir/config.json"
expect 0 'max_failures +3 of 8' '' run $scenario --policy ray_train@2026-05 --policy-config "$dir/config.json"
expect 2 '' 'goes with --policy' run $scenario --policy-config "$dir/config.json"
# A file without a setting asks for the defaults, with which the first failure ends the job.
printf '{}' >"$dir/defaults.json"
expect 4 'fault spot-1 was required to cause a restart' '' run $scenario \
  --policy ray_train@2026-05 --policy-config "$dir/defaults.json"
expect 2 '' 'ray_train' run $scenario --policy ray_trian
expect 2 '' 'max_failures' run $scenario --set /jobs/0/policy/config/max_failure=1
expect 2 '' 'missing.json' run missing.json
expect 2 '' 'did you mean --seed' run $scenario --sed 1
expect 2 '' 'did you mean validate' validat $scenario
expect 8 'stopped after 3 calendar entries' '' run $scenario --max-events 3
expect 2 '' 'whole number from 1' run $scenario --max-events 0
expect 2 '' 'whole number from 1' run $scenario --max-events 99999999999999999999
expect 2 '' 'must not be empty' run ''
# An empty value is refused by every option, which says what it expects; the text is the help's.
for words in 'sweep --until' 'sweep --where' 'sweep --keep' 'sweep --shard' 'sweep --runs' \
  'sweep --jobs' 'sweep --vary' 'sweep --metric' 'sweep --rare --job' 'matrix --cell' \
  'matrix --pair' 'matrix --for' 'explore --show' 'report --title' 'advise --goal' \
  'advise --choose' 'check --fresh' 'compare --goal' 'compare --pair' 'shrink --runs' \
  'init --name' 'why --job' 'import --within' 'run --set' 'scenarios'; do
  # shellcheck disable=SC2086  # a command and its option
  set -- $words
  command=$1
  shift
  expect 2 '' 'must not be empty: [a-zA-Z0-9/]' "$command" "$@" ''
done
expect 2 '' 'is not UTF-8' run $scenario --set $'/name=\xff'
expect 2 '' 'is a directory' run $scenario --policy ray_train --policy-config "$dir"
expect 2 '' 'no policy ""' run $scenario --policy @2026-05
expect 1 'at least 1 \(a number, and this is a string' '' run $scenario --set /expect/0/is=null --set /expect/0/min=1
expect 2 '"kind": "form"' 'unknown key' validate --json $scenario --set /sead=1
expect 2 '"kind": "meaning"' 'no node' validate --json $scenario --set /faults/0/target=node:gpu-99
expect 2 '"kind": "argument"' 'is not POINTER=VALUE' validate --json $scenario --set nonsense
expect 2 '"kind": "file"' 'is a device, not a file' validate --json /dev/zero
expect 2 '"kind": "file"' 'is a device, not a file' validate --json /dev/null
expect 2 '' 'is a device, not a file' policies test ray_train /dev/zero
expect 2 '' 'is a device, not a file' why /dev/zero
expect 2 '"ok": false' 'cannot be opened' validate --json "$dir/"$'\xff'.json
expect 0 '"seed": 5' '' validate --composed $scenario --seed 5
expect 8 'stopped after 1000 calendar entries' '' run scenarios/llama3_54_days.json --max-events 1000
expect 2 '' '^  run '
expect 2 '' 'FILE is required' view
expect 2 '' 'must not be empty' view ''
expect 2 '' 'a b c|c' view a b c
expect 2 '' '--view excludes --json|--json excludes --view' run $scenario --view --json
expect 2 '' 'missing.json' run missing.json --view
expect 2 '' 'does not have the name of a recording' run $scenario --view --record "$dir/run.txt"
expect 0 'usage|Usage' '' --help
expect 0 '^aftershock [0-9]+\.' '' --version

expect 0 '^llm completed' '' run $scenario --record "$dir/run.aftershock"
expect 0 'llm' '' why "$dir/run.aftershock"
expect 0 'llm' '' why "$dir/run.aftershock" --job llm
expect 2 '' 'llm' why "$dir/run.aftershock" --job lmm
expect 1 'FAILED' '' run $scenario --set /jobs/0/policy/config/max_failures=1 --record "$dir/dead.aftershock.zst"
expect 0 'fatal' '' why "$dir/dead.aftershock.zst"
head -n 200 "$dir/run.aftershock" >"$dir/cut.aftershock"
expect 0 'without' '' why "$dir/cut.aftershock"
expect 2 '' 'not a recording; `aftershock run SCENARIO --record FILE.aftershock` makes one' why $scenario
expect 2 '' 'No such file' why "$dir/nothing.aftershock"
expect 2 '' 'directory' run $scenario --record "$dir"
expect 2 '^llm completed' 'No space left' run $scenario --record /dev/full

expect 0 'quickstart.json: ok' '' validate $scenario
# A member of a file that nothing reads is warned of, with place and remedy; an argument is refused.
unread=/jobs/0/env='{"NCCL_TIMEOUT": "60", "PATH": "/bin"}'
expect 0 'quickstart.json: ok' 'warning: .*nothing reads NCCL_TIMEOUT' validate $scenario --set "$unread"
expect 2 '' 'error, by --strict: .*nothing reads NCCL_TIMEOUT' validate --strict $scenario --set "$unread"
expect 2 '' 'error, by --strict: .*nothing reads NCCL_TIMEOUT' run --strict $scenario --set "$unread"
expect 2 '' '/jobs/0/env/NCCL_TIMEOUT: nothing reads NCCL_TIMEOUT here: the job' \
  run $scenario --set '/jobs/0/env/NCCL_TIMEOUT="60"'
odd=(--set "$unread" --set /cluster/pools/0/accelerators/self_healing='{}'
  --set /jobs/0/checkpoint/every=90d)
expect 0 ': /jobs/0/checkpoint/every: no checkpoint is due .*; save sooner, or leave' 'warning: ' \
  run $scenario "${odd[@]}" --set /expect='[]' --set /faults='[]' --json
odd+=(--set /jobs/0/checkpoint/blocking=90d --set /jobs/0/checkpoint/bytes=900000TB
  --set /jobs/0/phases/warming_up=91d --set /until=91d)
while read -r told; do
  expect 0 "^ +\".*: $told" "^warning: .*: $told" validate $scenario "${odd[@]}" --json
done <<'ROWS'
/jobs/0/env/NCCL_TIMEOUT: nothing reads NCCL_TIMEOUT here: the job's collective_timeout says
/jobs/0/checkpoint/every: no checkpoint is due .*; save sooner, or leave
/jobs/0/checkpoint/blocking: a save blocks training .*; save less often, or block for less
/jobs/0/checkpoint/bytes: an upload takes .*; save less often, or raise the storage's
/jobs/0/phases/warming_up: the job never trains: .*; shorten what takes so long, or raise
/cluster/pools/0/accelerators/self_healing: is empty, .*, or leave it out
ROWS
expect 0 '^llm completed' '' run --strict $scenario
expect 2 '' 'cluster.*' validate $scenario --set /clutser=1
expect 0 'draft/2020-12' '' schema
expect 0 'three_preemptions.json +Three spot nodes' '' scenarios
expect 2 '' 'nowhere' scenarios "$dir/nowhere"
expect 0 '^ray_train' '' policies list
expect 0 'ray_train.failure.retry' '' policies show ray_train@2026-05
expect 0 'ray_train.start.retry_uncounted' '' policies show ray_train@2.43
expect 2 '' '2026-05' policies show ray_train@2026-5
expect 0 '^node_crash' '' faults list
expect 2 '' 'did you mean "hang"' faults list hagn
expect 0 '^S07: a checkpoint that an earlier attempt wrote' '' invariants S07
expect 0 '^M9: ' '' invariants
expect 2 '' 'no invariant "S7"; expected S01 to S25' invariants S7
expect 2 '' 'did you mean "ascend"' faults list ascent
expect 0 '^80E01801 +hbm_multi_bit_ecc +RestartBusiness +minor +hardware$' '' faults list ascend
expect 0 '^RestartBusiness: the job is rescheduled without the device, or executes again' '' \
  faults list ascend --important
expect 0 '^  80E01801 +hbm_multi_bit_ecc +hardware +2 in 24 h -> ManuallySeparateNPU$' '' \
  faults list ascend --important
expect 0 '^91 codes; 835 more are left out: their class is unknown' '' faults list ascend --important
expect 0 '^gpu_reset: the GPU is reset' '' faults list xid --important
expect 0 '11 more are left out: NVIDIA' '' faults list xid --important
expect 2 '' 'go with a family of codes' faults list --important
for family in ascend xid; do
  for important in '' --important; do
    # shellcheck disable=SC2086  # one option, or none
    widest=$("$program" faults list $family $important | wc -L)
    [ "$widest" -le 100 ] || { echo "FAILED: faults list $family is $widest wide"; failed=1; }
  done
done
# One table for a program, a page or a spreadsheet; --json is the short form of --format json.
expect 0 '^code,name,subject,.*frequency.window_s' '' faults list ascend --format csv
expect 0 '^name,does,seen' '' faults list --format csv
expect 0 '"may_mislead"' '' faults list hang --json
expect 0 '^name,summary,profiles' '' policies list --format csv
expect 0 '^\| policy \| summary \| profiles \|$' '' policies list --format markdown
expect 0 '^file,question,ok' '' scenarios --format csv
expect 0 '^S07,.*,true,' '' invariants S07 --format csv
expect 0 '"sentence"' '' invariants S07 --json
expect 0 '^\| id \| invariant \| how \|$' '' invariants --format markdown
covered=(policies coverage ray_train $scenario)
expect 0 'rules applied under any profile$' '' "${covered[@]}"
expect 0 '^policy,rule,applied,scenario' '' "${covered[@]}" --format csv
expect 0 '^ray_train@2026-05,ray_train.failure.retry,true,' '' "${covered[@]}" --format csv
expect 0 '^\| policy \| rule \| applied by \|$' '' "${covered[@]}" --format markdown
expect 0 '"rule": "ray_train.failure.retry",?$' '' "${covered[@]}" --json
cmp -s <("$program" policies list --json) <("$program" policies list --format json) ||
  { echo 'FAILED: --format json is not --json'; failed=1; }
expect 2 '' 'odd not in \{table,csv,json,markdown\}' policies list --format odd
expect 2 '' '--json excludes --format|--format excludes --json' policies list --format csv --json
expect 2 '' 'run prints no table, and has no --format; --json prints one' run $scenario --format csv
expect 2 '' 'schema prints no table' schema --format csv
expect 2 '' '--format csv: --rare has no table' sweep $scenario --rare --format csv
expect 0 '^24 codes$' '' faults list ascend --level RestartBusiness
expect 0 '^2 codes$' '' faults list ascend --class user
expect 2 '' 'no class "nobody"; expected one of unknown, user' faults list ascend --class nobody
expect 0 '^94 +contained_ecc .* restart_app$' '' faults list xid
expect 0 '"code": "xid:79"' '' faults list xid --class node_reboot --json
expect 0 '"window_s": 86400' '' faults list ascend --json
expect 2 '' 'did you mean "RestartNPU"' faults list ascend --level RestartMPU
expect 2 '' 'did you mean "hardware"' faults list ascend --class hardwear
expect 2 '' 'Xids have no handling level; expected --class with one of none' faults list xid --level RestartNPU
expect 2 '' 'did you mean "gpu_reset"' faults list xid --class gpu_rest
expect 2 '' 'go with a family of codes' faults list hang --level RestartNPU
expect 0 '^ascend:80E01801  hbm_multi_bit_ecc' '' faults show 80e01801
expect 0 'source: assumed from the level' '' faults show hbm_multi_bit_ecc
expect 0 '"source": "ours"' '' faults show xid:79 --json
expect 2 '' 'did you mean "hbm_multi_bit_ecc"' faults show hbm_multibit_ecc
expect 2 '' 'did you mean "ascend:80E01801".*handles a code that it does not list.*SeparateNPU' faults show 80E01802
expect 2 '' 'no device code "xid:9"; expected an Ascend event id' faults show xid:9

echo '{"events":[{"type":"job_submitted","workers":8}]}' >"$dir/batch"
input=$dir/batch expect 0 '"type":"start_attempt"' '' policies drive ray_train --config '{"max_failures":3}'
echo '{"events":[{"type":"job_submited"}]}' >"$dir/batch"
input=$dir/batch expect 2 '' '<stdin>:1: .*job_submitted' policies drive ray_train
head -c 3000000 /dev/zero >"$dir/batch"
input=$dir/batch expect 2 '' '<stdin>:1: longer than' policies drive ray_train
expect 2 '' 'not JSON' policies drive ray_train --config '{'
for cases in tests/conformance/ray_train/*.jsonl; do
  expect 0 '[1-9][0-9]* passed, 0 failed' '' policies test ray_train "$cases"
done
echo '{"name":"wrong","in":[{"events":[{"type":"job_submitted","workers":8}]}],"commands":["fail"]}' \
  >"$dir/wrong.jsonl"
expect 1 'FAILED wrong' '' policies test ray_train "$dir/wrong.jsonl"

# A reader that goes away, and a standard output that takes nothing.
"$program" faults list >/dev/full 2>"$dir/err"
[ $? = 2 ] && grep -q 'standard output' "$dir/err" ||
  { echo "FAILED: full standard output"; failed=1; }
"$program" run $scenario --json >&- 2>"$dir/err"
[ $? = 2 ] && grep -q 'standard output' "$dir/err" ||
  { echo "FAILED: closed standard output"; failed=1; }
exit $failed
