#!/usr/bin/env bash
# One policy over every carrier decides alike: linked, over stdio, as a shared object that is asked
# directly or by messages, and as a transcript.
set -u
program=$AFTERSHOCK_EXECUTABLE
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
library=$(dirname "$program")/../policies/external/shared_object/aftershock-policies.so

# The same without its door: it is asked by messages.
by_messages=$dir/by_messages.so
LC_ALL=C sed 's/aftershock_policy_direct/aftershock_policy_nodoor/g' "$library" >"$by_messages"
LC_ALL=C grep -q aftershock_policy_direct "$library" || { echo "FAILED: no door"; failed=1; }

hash_of() { "$program" run "$@" --json 2>"$dir/err" | sed -n 's/^ "hash": "\(.*\)",$/\1/p'; }

# Messages while the scenario is read are about the policy that it names, and in the summary.
reading='"r":"summary"\|"r":"end_of_run"'
count=0
for scenario in scenarios/quickstart.json scenarios/*/*.json; do
  linked=$(hash_of "$scenario" --record "$dir/linked.aftershock")
  [ -n "$linked" ] || continue
  count=$((count + 1))
  stdio=$(hash_of "$scenario" --policy-cmd "'$program' policies serve" \
    --transcript "$dir/talk.ndjson" --record "$dir/stdio.aftershock")
  if [ "$linked" != "$stdio" ]; then
    echo "FAILED: $scenario: hash $linked linked, $stdio over stdio"
    head -n 3 "$dir/err"
    failed=1
  elif ! diff -q <(grep -v "$reading" "$dir/linked.aftershock") \
    <(grep -v "$reading" "$dir/stdio.aftershock") >"$dir/differ"; then
    echo "FAILED: $scenario: another recording over stdio"
    failed=1
  fi
  "$program" replay --transcript "$dir/talk.ndjson" >"$dir/replayed" 2>&1 ||
    { echo "FAILED: $scenario: its transcript"; head -n 5 "$dir/replayed"; failed=1; }
  for shared in "$library" "$by_messages"; do
    hash=$(hash_of "$scenario" --policy-lib "$shared" --record "$dir/shared.aftershock")
    if [ "$linked" != "$hash" ]; then
      echo "FAILED: $scenario: another hash as ${shared##*/}"
      failed=1
    elif ! diff -q <(grep -v "$reading" "$dir/stdio.aftershock") \
      <(grep -v "$reading" "$dir/shared.aftershock") >"$dir/differ"; then
      echo "FAILED: $scenario: another recording as ${shared##*/}"
      failed=1
    fi
  done
done
[ $count -gt 5 ] || { echo "FAILED: only $count scenarios ran"; failed=1; }

# Worlds that are copied copy their policies. Only the title differs.
said() { "$program" "$@" --json 2>"$dir/err" | grep -v '^ "policy":'; }
same() {
  said "$@" --policy-lib "$library" >"$dir/direct.json"
  said "$@" --policy-lib "$by_messages" >"$dir/messages.json"
  [ "$(wc -l <"$dir/direct.json")" -gt 3 ] || { echo "FAILED: $*"; head -n 3 "$dir/err"; failed=1; }
  diff "$dir/direct.json" "$dir/messages.json" >"$dir/differ" ||
    { echo "FAILED: $*: asked directly it is another"; head -n 5 "$dir/differ"; failed=1; }
}
same matrix scenarios/ring16.json
same matrix scenarios/ring16_modelarts.json
rare=(sweep tests/validation/splitting_mixed.json --rare --effort 100 --repetitions 2)
same "${rare[@]}"
diff <(said "${rare[@]}") "$dir/direct.json" >"$dir/differ" ||
  { echo "FAILED: ${rare[*]}: asked directly it is another than linked"; failed=1; }
# There are not as many programs as worlds: each would take five files.
(ulimit -n 400 && said "${rare[@]}" --policy-cmd "'$program' policies serve") |
  diff - "$dir/direct.json" >"$dir/differ" ||
  { echo "FAILED: ${rare[*]}: over stdio it is another than linked"; failed=1; }
coverage=(scenarios/quickstart.json scenarios/ring16.json)
diff <("$program" policies coverage ray_train@2026-05 "${coverage[@]}") \
  <("$program" policies coverage "${coverage[@]}" --policy-cmd "'$program' policies serve") \
  >"$dir/differ" || { echo "FAILED: another coverage over stdio"; failed=1; }
exit $failed
