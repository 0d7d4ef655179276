#!/usr/bin/env bash
# Ports beside a program in the place of the installed code: what differs, and whose fault it is.
set -u
program=$AFTERSHOCK_EXECUTABLE
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
unset VIRTUAL_ENV
export HOME=$dir XDG_CACHE_HOME=$dir/cache

source tests/cli/expect.bash

four=scenarios/ray/four_workers.json
lost=scenarios/ray/worker_node_lost.json
spot=scenarios/ray/preemption_spared.json
serve=(--policy-cmd "$program policies serve")
mine=(--policy-cmd 'python3 policies/external/python/policy.py')

# The shipped policies over the messages decide as they do when they are linked.
expect 0 '^ray_train@2026-05 fits .* policies serve$' '' \
  policies conform ray_train@2026-05 $four $lost "${serve[@]}"
expect 0 '^1 scenario, 3 runs, [1-9][0-9]* decisions, [1-9][0-9]* charges; 0 runs differ' '' \
  policies conform ray_train@2026-05 scenarios/quickstart.json --seeds 3 -j 2 \
  "${serve[@]}"

# Sequences of faults: the same for both, and one that differs is shown by another command.
ring=scenarios/ring16.json
expect 0 '^1 scenario, 12 runs, [1-9][0-9,]* decisions, [1-9][0-9]* charges; 0 runs differ' '' \
  policies conform ray_train@2026-05 $ring --sequences 12 "${serve[@]}"
expect 7 '^to see that sequence: aftershock explore .*ring16.json --policy ray_train@2026-09 --show' \
  '' policies conform ray_train@2026-09 $ring --sequences 4 "${serve[@]}"
expect 0 '"name": *"ring16' '' explore $ring --policy ray_train@2026-09 --show 3
expect 2 '' '^--sequences: stand in the place of --seeds$' \
  policies conform ray_train $ring --sequences 4 --seeds 3 "${serve[@]}"

# Cells of a matrix, too.
expect 0 '^1 scenario, [1-9][0-9,]* runs, .*; 0 runs differ' '' \
  policies conform ray_train@2026-05 $four --matrix "${serve[@]}"
expect 7 '^not listed: scenarios/ray/four_workers.json, [a-z_]*/F[0-9a-d]*/[a-z0-9-]*/' '' \
  policies conform ray_train@2026-09 $four --matrix "${serve[@]}"
expect 7 '^to see that cell: aftershock matrix .*four_workers.json --policy ray_train@2026-09' \
  '' policies conform ray_train@2026-09 $four --matrix "${serve[@]}"
expect 7 '"cell": *"training/F04/other-rank/entry"' '' \
  policies conform ray_train@2026-09 $four --matrix --json "${serve[@]}"
expect 2 '' '^--matrix: its cells stand in the place of --seeds and --sequences$' \
  policies conform ray_train $four --matrix --seeds 3 "${serve[@]}"
expect 2 '' 'tune/.*: it has no job$' \
  policies conform ray_tune scenarios/tune/deterministic_bug.json --matrix "${serve[@]}"

# Served without a profile it is the first; another one differs, and the first is named.
expect 7 '^  of the runs that are not listed ray_train@2026-05 agrees in 1 of 1$' '' \
  policies conform ray_train@2026-09 $spot "${serve[@]}"
expect 7 '^ray_train@2026-09 does not fit ' '' policies conform ray_train@2026-09 $spot \
  "${serve[@]}"

# A policy of another kind has no states of Ray's; its charges are its own.
expect 7 '^    port +"FINISHED"$' '' policies conform ray_train@2026-11 $four "${mine[@]}"
expect 7 '^not listed: scenarios/ray/worker_node_lost.json: .*charges' '' \
  policies conform ray_train@2026-11 $lost "${mine[@]}"
expect 7 '^outcome,1,0,scenarios/ray/four_workers.json,1,/outcome/job:llm/vendor_state,' '' \
  policies conform ray_train@2026-11 $four "${mine[@]}" --format csv
expect 7 '"fits": false' '' policies conform ray_train@2026-11 $four "${mine[@]}" --json
expect 7 '^\| kind' '' policies conform ray_train@2026-11 $four "${mine[@]}" --format markdown
expect 7 '' '' policies conform ray_train@2026-11 $four "${mine[@]}" --quiet

# Documented differences: of these kinds alone, or of any; one that is gone is told.
list() { printf '{"policy":"ray_train","profile":"2026-05","cases":[%s]}' "$1" >"$dir/list.json"; }
listed=(policies conform ray_train --list "$dir/list.json")
list '{"scenario":"'$four'","differs":"another policy"}'
expect 0 'fits .*, but for what is listed$' '' "${listed[@]}" "${mine[@]}"
expect 0 '^listed: scenarios/ray/four_workers.json: another policy$' '' "${listed[@]}" "${mine[@]}"
expect 7 '^does not differ any more, and is listed: scenarios/ray/four_workers.json: another' '' \
  "${listed[@]}" "${serve[@]}"
list '{"scenario":"'$four'","differs":{"why":"another policy","kinds":["time"]}}'
expect 7 '^not listed: scenarios/ray/four_workers.json: outcome, decisions, commands, time$' '' \
  "${listed[@]}" "${mine[@]}"
list '{"scenario":"'$four'","seeds":2},{"scenario":"'$lost'"}'
expect 0 '^2 scenarios, 3 runs, ' '' "${listed[@]}" "${serve[@]}"
expect 0 '^1 scenario, 2 runs, ' '' "${listed[@]}" $four "${serve[@]}"

# Kept, and compared later without the program; changed scenarios and others are not in it.
conform=(policies conform ray_train@2026-05)
expect 0 'fits' '' "${conform[@]}" $four $spot "${serve[@]}" --record "$dir/kept"
expect 0 '^ray_train@2026-05 beside .* policies serve, recorded$' '' \
  "${conform[@]}" $four $spot --recorded "$dir/kept"
expect 7 'agrees in 1 of 1$' '' \
  policies conform ray_train@2026-09 $four $spot --recorded "$dir/kept"
cp -r "$dir/kept" "$dir/again"
expect 0 'fits' '' "${conform[@]}" $four $spot "${serve[@]}" --record "$dir/again" -j 1
cmp "$dir/kept/ray_train.ndjson" "$dir/again/ray_train.ndjson" || failed=1
expect 2 '' '^scenarios/ray/2026-05/healthy.json: was not recorded; --record records it$' \
  "${conform[@]}" scenarios/ray/2026-05/healthy.json --recorded "$dir/kept"
sed -i 's/"digest":"[0-9a-f]*/"digest":"0/' "$dir/again/ray_train.ndjson"
expect 2 '' 'four_workers.json: is another scenario than was recorded; --record' \
  "${conform[@]}" $four --recorded "$dir/again"
sed -i '1s/"host":""/"host":"0"/' "$dir/kept/ray_train.ndjson"
expect 0 'fits' '^warning: .*ray_train.ndjson: is older than the host that is here; ' \
  "${conform[@]}" $four --recorded "$dir/kept"
expect 2 '' 'ray_train.ndjson: cannot be opened: No such file or directory$' \
  "${conform[@]}" $four --recorded "$dir/none"
expect 2 '' '^--recorded: stands alone, ' \
  "${conform[@]}" $four --recorded "$dir/kept" "${serve[@]}"

# Nothing to compare, or not as it stands.
list '{"scenario":"'$four'","kinds":[]}'
expect 2 '' 'list.json: /cases/0/kinds: is unknown; expected one of scenario, seeds, sequences, differs$' \
  "${listed[@]}" "${serve[@]}"
list '{"scenario":"'$four'"}'
expect 2 '' 'list.json: is about "ray_train", and "torchrun" is compared$' \
  policies conform torchrun --list "$dir/list.json" "${serve[@]}"
expect 2 '' '^ray_train@installed has no environment yet; ' policies conform ray_train $four
expect 2 '' '^modelarts: has no list of scenarios to compare; expected --list FILE, or scenarios$' \
  policies conform modelarts "${serve[@]}"
printf '{"policy":"ray_train",\n"profile":' >"$dir/cut.json"
expect 2 '' '^.*cut.json: line 2, column 11: ' policies conform ray_train --list "$dir/cut.json" \
  "${serve[@]}"
# Another profile than the scenario's own is the list's, or that of NAME@PROFILE, asked for.
older=scenarios/ray/2026-05/healthy.json
expect 0 'fits' "^warning: $older: its profile 2026-05 is not used, the port has 2026-11; " \
  policies conform ray_train $older "${serve[@]}"
expect 0 'fits' '' policies conform ray_train@2026-11 $older "${serve[@]}"
# A version with a list of its own: each of its scenarios is one that the version can run.
expect 7 '^ray_train@2.55 beside ' '' policies conform ray_train@2.55 "${serve[@]}"
# Hosted, and nobody has ported it, or ported, and nobody hosts it: who asks has made no mistake.
for words in modelarts kubeflow "modelarts scenarios/modelarts/pod_rescheduling.json"; do
  expect 0 "^${words%% *}: no installed code to compare with: .*; --policy-cmd PROGRAM " '' \
    policies conform $words
done
for name in trainjob rayjob; do
  expect 0 "^$name: no port to compare\$" '' policies conform $name
done
expect 2 '' '^jobset: is a policy, and one is compared at a time; expected scenarios behind job$' \
  policies conform job jobset
expect 2 '' 'did you mean "ray_train"' policies conform ray_trian $four "${serve[@]}"
expect 2 '' '^--seeds "0": expected a whole number from 1 ' \
  policies conform ray_train $four --seeds 0 "${serve[@]}"
expect 2 '' 'no_such.json: ' policies conform ray_train scenarios/no_such.json "${serve[@]}"
expect 5 '' '^scenarios/ray/four_workers.json' \
  policies conform ray_train $four --policy-cmd 'python3 tests/cli/misbehave.py unknown_rule'

exit $failed
