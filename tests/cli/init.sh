#!/usr/bin/env bash
# `aftershock init`: what it prints is a scenario that validates and passes, the same each time, and
# what cannot be made is said.
set -u
program=$AFTERSHOCK_EXECUTABLE
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
source "$(dirname "$0")/expect.bash"

for policy in ray_train ray_train@2.43 ray_train@2026-09 ray_train_v1 modelarts ray_tune \
  job jobset mindcluster torchrun kubeflow volcano nvrx; do
  for kind in npu gpu; do
    for many in 8 1024; do
      file=$dir/$policy-$kind-$many.json
      expect 0 '' '' init --$kind $many --policy $policy --out "$file"
      expect 0 'ok' '' validate "$file"
      expect 0 '"verdict": "passed"' '' run "$file" --json
      expect 0 '"notes"' '' init --$kind $many --policy $policy
      cmp -s "$dir/out" "$file" ||
        { echo "FAILED: $file is another one on standard output"; failed=1; }
    done
  done
done

expect 0 '' '' init --npu 64 --policy modelarts --days 7 --name mine --out "$dir/week.json"
expect 0 '^llm is still running after 7d 00:00:00' '' run "$dir/week.json"
grep -q '"until": "7d"' "$dir/week.json" || { echo "FAILED: a week is no week"; failed=1; }

expect 2 '' 'is there already' init --npu 64 --policy modelarts --out "$dir/week.json"
expect 2 '' 'No such file' init --npu 64 --policy modelarts --out "$dir/none/week.json"
expect 2 '' '--gpu N or --npu N is missing' init --policy ray_train
expect 2 '' 'expected one of the two' init --gpu 8 --npu 8 --policy ray_train
expect 2 '' '--policy NAME\[@PROFILE\] is missing' init --gpu 8
expect 2 '' 'the nearest are 96 and 104' init --gpu 100 --policy ray_train
expect 2 '' 'the nearest is 8' init --gpu 3 --policy ray_train
expect 2 '' 'a whole number from 1' init --gpu 0 --policy ray_train
expect 2 '' 'a whole number from 1' init --gpu many --policy ray_train
expect 2 '' 'did you mean ray_train\?' init --gpu 8 --policy ray_trian
expect 2 '' 'has no profile "2026-04"' init --gpu 8 --policy ray_train@2026-04
expect 2 '' 'a profile is missing' init --gpu 8 --policy ray_train@
expect 2 '' '--days' init --gpu 8 --policy ray_train --days 0
expect 2 '' 'cannot be a name' init --gpu 8 --policy ray_train --name a/b

# The largest that is made, and the smallest, run too.
expect 0 '' '' init --gpu 65536 --policy ray_train --days 2 --out "$dir/large.json"
expect 0 '"verdict": "passed"' '' run "$dir/large.json" --json
exit $failed
