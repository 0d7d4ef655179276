#!/usr/bin/env bash
# `aftershock import`, `export` and `replay`: exit codes, whole files or none, sources untouched.
set -u
program=$AFTERSHOCK_EXECUTABLE
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
source "$(dirname "$0")/expect.bash"

base=$dir/base.json
cp scenarios/quickstart.json "$base"
printf '%s\r\n' time,kind,target,detail 1h,node_crash,node:gpu-7,lasts=2h \
  1.5h,node_crash,node:gpu-7,lasts=1h >"$dir/night.csv"
expect 0 '1 scripted fault, 1 merged into others' '' import "$dir/night.csv" --into "$base" \
  --out "$dir/night.json"
# One charge more than the scenario's three retries.
expect 1 '"fault": "night-2"' '' run "$dir/night.json" --json
expect 0 '"scripted": 1' '' import "$dir/night.csv" --into "$base" --json
expect 2 '' 'is there already' import "$dir/night.csv" --into "$base" --out "$base"
cmp "$base" scenarios/quickstart.json || failed=1
expect 1 'they do not agree' '' import "$dir/night.csv" --into "$base" --observed aborted@03:12
expect 2 '' 'did you mean failed' import "$dir/night.csv" --into "$base" --observed faild@03:12
expect 2 '' 'excludes|exclude' import "$dir/night.csv" --into "$base" --observed failed@03:12 --fit

printf 'time,kind,target\n' >"$dir/quiet.csv"
expect 0 '0 scripted faults' 'quiet.csv has nothing that happens to the scenario' \
  import "$dir/quiet.csv" --into "$base" --out "$dir/quiet.json"

# An import holds the faults that happened: a random fault could make an answer come out right by
# luck.
"$program" validate scenarios/reference_54_days.json --composed >"$dir/random.json"
expect 0 'taken out, as they are random: .* \(--keep-random keeps them\)' '' \
  import "$dir/night.csv" --into "$dir/random.json" --out "$dir/happened.json"
expect 0 'faults: 1 injected, 1 fired' '' run "$dir/happened.json" --set /expect=[]
expect 0 'scripted fault' '' import "$dir/night.csv" --into "$dir/random.json" --keep-random \
  --out "$dir/kept.json"
grep -q '"source"' "$dir/kept.json" || { echo 'FAILED: --keep-random keeps none'; failed=1; }
grep -q '"source"' "$dir/happened.json" && { echo 'FAILED: a random fault is left'; failed=1; }

# Machines of the site are nodes of the scenario, by --map or in the order of their names; the
# written scenario says which is which.
printf '%s\n' time,kind,target,detail 1h,node_crash,node:cn-18,lasts=2h \
  2h,accelerator_fault,accelerator:cn-17/3,code=xid:79 >"$dir/site.csv"
printf '\357\273\277host,node\r\ncn-17,gpu-7\r\ncn-18,2\r\ncn-19,gpu-0\r\n' >"$dir/names.csv"
expect 0 'machines, by names.csv: cn-18 is gpu-2, cn-17 is gpu-7' '' import "$dir/site.csv" \
  --into "$base" --map "$dir/names.csv" --out "$dir/mapped.json"
expect 0 '1 machine of .*names.csv not in it: cn-19' '' import "$dir/site.csv" \
  --into "$base" --map "$dir/names.csv" --out "$dir/mapped_too.json"
expect 0 'Machines of site.csv' 'machines, by names.csv' import "$dir/site.csv" --into "$base" \
  --map "$dir/names.csv"
grep -q '"Machines of site.csv (by names.csv): cn-18 is gpu-2, cn-17 is gpu-7"' \
  "$dir/mapped.json" ||
  { echo 'FAILED: the scenario does not say which machine is which node'; failed=1; }
grep -q '"target": *"accelerator:gpu-7/3"' "$dir/mapped.json" ||
  { echo 'FAILED: a machine is no node'; failed=1; }
expect 0 'ok' '' validate "$dir/mapped.json"
expect 0 'in the order of their names: cn-18 is gpu-1, cn-17 is gpu-0' '' \
  import "$dir/site.csv" --into "$base" --out "$dir/ordered.json"
grep -q '"Machines of site.csv (in the order of their names): cn-18 is gpu-1' \
  "$dir/ordered.json" || { echo 'FAILED: the order is not kept'; failed=1; }
expect 0 '"cn-18": "gpu-2"' '' import "$dir/site.csv" --into "$base" --map "$dir/names.csv" --json
printf 'node,down,up\ncn-19,1h,2h\ncn-17,3h,4h\n' >"$dir/away.csv"
expect 0 'by names.csv: cn-19 is gpu-0, cn-17 is gpu-7' '' import "$dir/away.csv" \
  --into "$base" --map "$dir/names.csv" --out "$dir/away.json"
# Rows that have the scenario's names stay beside others, which --map names.
{ cat "$dir/site.csv" && echo 3h,node_crash,node:gpu-5; } >"$dir/mixed.csv"
expect 0 'by names.csv: cn-18 is gpu-2, cn-17 is gpu-7$' '' import "$dir/mixed.csv" \
  --into "$base" --map "$dir/names.csv" --out "$dir/mixed.json"
grep -q '"target": *"node:gpu-5"' "$dir/mixed.json" ||
  { echo 'FAILED: a node of the scenario did not stay'; failed=1; }
expect 2 '' 'some machines of the incident, and no "cn-18"; expected .*--map'   import "$dir/mixed.csv" --into "$base"
printf 'cn-17,gpu-7\n' >"$dir/few.csv"
expect 2 '' 'few.csv: has no row for 1 of 2 machines: cn-18' import "$dir/site.csv" \
  --into "$base" --map "$dir/few.csv"
printf 'cn-17,gpu-7\ncn-18,gpu-7\n' >"$dir/twice.csv"
expect 2 '' 'twice.csv:2:7: gpu-7 is "cn-17" already' import "$dir/site.csv" \
  --into "$base" --map "$dir/twice.csv"
expect 2 '' '--map: names nodes of a scenario; expected --into' import "$dir/away.csv" \
  --map "$dir/names.csv"
expect 2 '' 'excludes|exclude' import "$dir/away.csv" --map "$dir/names.csv" --fit
expect 2 '' 'nowhere.csv: ' import "$dir/site.csv" --into "$base" --map "$dir/nowhere.csv"

printf 'time,kind,target,detail\n1h,node_crush,node:gpu-3,\n' >"$dir/wrong.csv"
expect 2 '' 'wrong.csv:2:4: .*did you mean "node_crash"\?' import "$dir/wrong.csv" --into "$base" \
  --out "$dir/wrong.json"
# A scenario made of a trace has lines of its own, which nobody has seen.
printf 'node,down,up\nb,1h,2h\na,5h\n' >"$dir/late.csv"
expect 0 'scripted' 'warning: .*late.csv:3:1: [^/]*never strikes' import "$dir/late.csv" \
  --out "$dir/late.json"
expect 2 '' 'No such file' import "$dir/night.csv" --into "$base" --out "$dir/none/night.json"
expect 2 '' 'none of the formats' import "$base"
expect 2 '' 'nowhere.csv: ' import "$dir/nowhere.csv"
expect 2 '' '--into SCENARIO' import "$dir/night.csv"

# Bytes that do not form a trace are told, whatever they are.
for bytes in '\xff\xfe\x00' 'node,down\n"' 'node,down\n\x00' '[{"node_id":' '[]' '[1]' \
  '0,add,a\n-1,add,b\n' '2021-12-11, 11:11:30, 1e9\n' 'node,down\nx,1e308\n'; do
  printf "$bytes" >"$dir/hostile"
  expect 2 '' hostile import "$dir/hostile" --out "$dir/hostile.json"
done
[ -z "$(find "$dir" -name '*.part' -o -name wrong.json -o -name hostile.json)" ] ||
  { echo 'FAILED: half an import was left behind'; failed=1; }

printf '%s,fan\n' a,1h,3h a,9h,26h b,2h,4h b,5h,6h c,9h,9.5h c,11h,11.5h |
  sed '1i node,down,up,cause' >"$dir/fleet.csv"
expect 0 '"mtbf":' '' import "$dir/fleet.csv" --fit
expect 0 '"ks_distance"' '' import "$dir/fleet.csv" --fit --json
expect 0 '^cause,outages,of,law,length_h,shape' 'rather than exponential' import "$dir/fleet.csv" --fit --format csv
expect 0 '^\| fan \| 6 \| between \| ' 'rather than exponential' import "$dir/fleet.csv" --fit --format markdown
printf 'node,down,up\nn1,1h,2h\n' >"$dir/few.csv"
expect 0 ',between,,,,,' 'too few to fit times between' import "$dir/few.csv" --fit --format csv
expect 0 'cause' 'too few to fit times between' import "$dir/few.csv" --fit --format markdown
expect 2 '' '--format csv: a scenario has no table' import "$dir/fleet.csv" --format csv
# No rate is cut to one in a hundred years.
printf 'node,down,up\nn0,100d,100.1d\n' >"$dir/one.csv"
expect 0 '"mtbf":"200200d"' '' import "$dir/one.csv" --nodes 2000 --fit
printf 'node,down,up\nn0,0s,1d\nn1,1d,3d\nn1,2d,4d\n' >"$dir/edges.csv"
expect 0 '1 outage is under way when the trace begins: in no fit \(line 2\)' '' import "$dir/edges.csv" --fit
expect 0 '1 outage begins while the node is away for another \(line 4\)' '' import "$dir/edges.csv" --fit

recording=$dir/quick.aftershock
expect 0 '' '' run "$base" --quiet --record "$recording"
expect 0 'the same, ' '' replay "$recording"
expect 0 'runs to hash' '' export "$recording" --faults --out "$dir/script.json"
for scenario in base script; do
  "$program" run "$dir/$scenario.json" --json | grep '"hash"' >"$dir/$scenario.hash"
done
cmp "$dir/base.hash" "$dir/script.hash" || failed=1
sed '1s/"at":"5h"/"at":"6h"/' "$recording" >"$dir/other.aftershock"
expect 1 'another one from 05:00:00 on' '' replay "$dir/other.aftershock"
expect 1 '"same": false' '' replay "$dir/other.aftershock" --json
expect 2 '' 'check does not match' export "$dir/other.aftershock" --faults
expect 2 '' 'Exactly 1 option from \[--faults' export "$recording"
for form in perfetto chrome csv; do
  expect 0 'records' '' export "$recording" --$form --out "$dir/trace.$form"
  [ -s "$dir/trace.$form" ] || { echo "FAILED: $form is empty"; failed=1; }
done
python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$dir/trace.chrome" || failed=1
expect 2 '' '.' export "$recording" --chrome --csv
expect 2 '' '.' export "$recording"
expect 2 '' 'is there already' export "$recording" --csv --out "$recording"
expect 0 '' '' replay "$recording" --quiet

# A run whose policy came from elsewhere is made again with that policy.
mine=(--policy-cmd 'python3 policies/external/python/policy.py')
elsewhere=$dir/elsewhere.aftershock
expect 0 '' '' run "$base" --quiet --record "$elsewhere" "${mine[@]}"
expect 0 'the same, ' '' replay "$elsewhere" "${mine[@]}"
expect 1 'mine@1 decided then, and ray_train@2026-05 now: expected the --policy-cmd' '' \
  replay "$elsewhere"
expect 5 '' 'exit code 0 before it answered hello' replay "$elsewhere" --policy-cmd true
expect 0 'runs to hash' '' export "$elsewhere" --faults --out "$dir/mine.json" "${mine[@]}"
expect 2 '' 'is another one with this program' export "$elsewhere" --faults
expect 2 '' 'goes with --faults' export "$elsewhere" --csv "${mine[@]}"
expect 2 '' 'nobody is asked' replay --transcript "$elsewhere" "${mine[@]}"
exit $failed
