#!/usr/bin/env bash
# Outputs that take nothing, or not everything: a clear error, exit 2, and nothing that looks whole.
set -u
program=$AFTERSHOCK_EXECUTABLE
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
scenario=scenarios/quickstart.json

fail() {
  echo "FAILED: $*"
  head -n 5 "$dir/err"
  failed=1
}

"$program" run $scenario --quiet --record "$dir/whole.aftershock" || fail 'recording'
echo '{"events":[{"type":"job_submitted","workers":8}]}' >"$dir/batch"

# Every command that prints, without a standard output to print to.
while read -r -a arguments; do
  for output in full closed gone; do
    case $output in
      full) "$program" "${arguments[@]}" >/dev/full 2>"$dir/err" <"$dir/batch" ;;
      closed) "$program" "${arguments[@]}" >&- 2>"$dir/err" <"$dir/batch" ;;
      gone)
        # The other end of the pipe is closed before anything is written.
        mkfifo "$dir/pipe"
        : <"$dir/pipe" &
        (
          exec >"$dir/pipe"
          sleep 0.1
          exec "$program" "${arguments[@]}" 2>"$dir/err" <"$dir/batch"
        ) ;;
    esac
    got=$?
    if [ $output = gone ]; then
      # A reader that stops early, as `head` does, has seen enough: nothing went wrong.
      wait
      rm "$dir/pipe"
      [ $got = 0 ] || fail "standard output $output: aftershock ${arguments[*]}: exit $got"
      grep -q 'standard output' "$dir/err" &&
        fail "standard output $output: aftershock ${arguments[*]}: complains"
      continue
    fi
    [ $got = 2 ] || fail "standard output $output: aftershock ${arguments[*]}: exit $got"
    grep -q '^standard output did not take everything: ' "$dir/err" ||
      fail "standard output $output: aftershock ${arguments[*]}: says nothing"
  done
done <<TEXT
run $scenario
run $scenario --json
why $dir/whole.aftershock
validate $scenario
validate $scenario --json
validate $scenario --composed
schema
scenarios
scenarios --json
policies list
policies show ray_train
policies drive ray_train
policies test ray_train tests/conformance/ray_train/errors.jsonl
faults list
faults list ascend
faults list xid --json
faults show xid:94
--help
run --help
--version
TEXT

# A text that cannot be printed does not end up in the recording.
"$program" run $scenario --record "$dir/other.aftershock" >&- 2>"$dir/err"
[ $? = 2 ] || fail 'a closed standard output beside a recording'
cmp "$dir/whole.aftershock" "$dir/other.aftershock" ||
  fail 'a recording under a closed standard output'
"$program" run $scenario --record "$dir/other.aftershock" 2>&- >"$dir/out" <&-
cmp "$dir/whole.aftershock" "$dir/other.aftershock" || fail 'a recording without standard streams'

# With nothing to print there is nothing to complain about.
"$program" run $scenario --quiet >&- 2>"$dir/err" || fail 'a quiet run needs no standard output'

# partial FILE: it opens, and says that it is not whole and where it ends.
partial() {
  "$program" why "$1" >"$dir/out" 2>"$dir/err" || fail "$1 does not open"
  grep -qE '^The recording ends at .* \(line [1-9][0-9]*\)' "$dir/out" ||
    fail "$1 does not say where it ends"
}

# refused FILE WORDS: a run that cannot record there says so and ends with 2.
refused() {
  "$program" run $scenario --quiet --record "$1" >"$dir/out" 2>"$dir/err"
  local got=$?
  [ $got = 2 ] || fail "--record $1: exit $got"
  grep -q "$2" "$dir/err" || fail "--record $1: does not say '$2'"
}

# Targets that cannot be written at all.
refused "$dir/no/such/folder/run.aftershock" 'No such file or directory'
refused "$dir" 'Is a directory'
refused "$dir/whole.aftershock/run.aftershock" 'Not a directory'
refused "$dir/$(printf 'x%.0s' {1..300}).aftershock" 'File name too long'
refused /dev/full 'No space left on device'
ln -s loop.aftershock "$dir/loop.aftershock"
refused "$dir/loop.aftershock" 'Too many levels of symbolic links'
if [ $EUID != 0 ]; then
  mkdir -m 555 "$dir/locked"
  refused "$dir/locked/run.aftershock" 'Permission denied'
else
  echo 'not tried as root: a folder without permission to write'
fi
cp $scenario "$dir/mine.json"
ln -s mine.json "$dir/mine.aftershock"
"$program" run "$dir/mine.json" --quiet --record "$dir/mine.aftershock" 2>"$dir/err"
[ $? = 2 ] && grep -q 'is the scenario as well' "$dir/err" && cmp -s $scenario "$dir/mine.json" ||
  fail 'a recording by another name of the scenario'

ln -s "$dir/whole.aftershock" "$dir/link.aftershock"
cp "$dir/whole.aftershock" "$dir/before.aftershock"
refused "$dir/link.aftershock" 'is a link; expected the recording itself'
cmp "$dir/before.aftershock" "$dir/whole.aftershock" || fail 'a recording behind a link'

# A verdict that could not be printed is one that nobody has seen.
"$program" sweep $scenario --runs 2 --out "$dir/red.sqlite" --set /expect/0/is=failed \
  >/dev/full 2>"$dir/err"
[ $? = 2 ] || fail 'a sweep of runs that fail, to a full device'

# A device keeps nothing that could be lost; a file does.
"$program" export "$dir/whole.aftershock" --csv --out /dev/null >"$dir/out" 2>"$dir/err" ||
  fail 'an export to nowhere'
"$program" export "$dir/whole.aftershock" --csv --out "$dir/before.aftershock" 2>"$dir/err"
[ $? = 2 ] && grep -q 'is there already' "$dir/err" || fail 'an export over a file'

# A file that may not grow, in KiB; the whole ones have about 200 and 20.
for limit in 64:limited.aftershock 8:limited.aftershock.zst; do
  file=$dir/${limit#*:}
  (
    ulimit -f "${limit%:*}"
    refused "$file" "File too large (the file ends after $((${limit%:*} * 1024)) bytes)"
    exit $failed
  ) || failed=1
  partial "$file"
done

# A full disk.
mkdir "$dir/disk"
if unshare -rm true 2>/dev/null; then
  export -f refused partial fail
  export program scenario dir failed
  unshare -rm bash -c '
    mount -t tmpfs -o size=64k none "$dir/disk" || exit 77
    refused "$dir/disk/run.aftershock" \
      "No space left on device (the file ends after [1-9][0-9]* bytes)"
    partial "$dir/disk/run.aftershock"
    rm "$dir/disk/run.aftershock"
    head -c 61440 /dev/zero >"$dir/disk/ballast"
    refused "$dir/disk/run.aftershock.zst" \
      "No space left on device (the file ends after [1-9][0-9]* bytes)"
    partial "$dir/disk/run.aftershock.zst"
    exit $failed' </dev/null
  case $? in
    0) ;;
    77) echo 'not tried: a full disk, because a tmpfs cannot be mounted here' ;;
    *) failed=1 ;;
  esac
else
  echo 'not tried: a full disk, because there is no mount namespace to be had here'
fi
exit $failed
