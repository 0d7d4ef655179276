#!/usr/bin/env bash
# The viewer's command line: what cannot be shown is said on standard error, before any window, with
# exit code 2.
set -u
program=$AFTERSHOCK_VIEWER
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
export XDG_CONFIG_HOME=$dir XDG_DATA_HOME=$dir XDG_CACHE_HOME=$dir XDG_RUNTIME_DIR=$dir
chmod 0700 "$dir"
unset DISPLAY WAYLAND_DISPLAY QT_QPA_PLATFORM

time_limit=20
source tests/cli/expect.bash

expect 0 'aftershock-viewer \[OPTIONS\]' '' --help
expect 0 '^aftershock-viewer [0-9]+\.' '' --version
expect 2 '' 'did you mean --theme' --teme dark
expect 2 '' 'README.md: is text' README.md
expect 2 '' 'No such file' scenarios/quickstart.json missing.aftershock
expect 2 '' 'directory' "$dir"
expect 2 '' 'there is no screen' scenarios/quickstart.json

# A picture needs none, and ends the program.
expect 0 '' '' --screenshot "$dir/a.png" --at 1d --select job:llm --size 640x400 \
  scenarios/quickstart.json
head -c 8 "$dir/a.png" | grep -q PNG || { echo "FAILED: no picture"; failed=1; }
expect 0 '' '' --screenshot "$dir/b.png" --at 1d --select job:llm --size 640x400 \
  scenarios/quickstart.json
cmp "$dir/a.png" "$dir/b.png" || { echo "FAILED: two pictures of one view differ"; failed=1; }
for size in 1x1 220x120 640x400 1281x801; do
  expect 0 '' '' --screenshot "$dir/b.png" --size $size scenarios/quickstart.json
  # Width and height stand behind the signature and the first chunk's head.
  drawn=$(od -An -j16 -N8 -tu1 "$dir/b.png" | awk '{print $3 * 256 + $4 "x" $7 * 256 + $8}')
  [ "$drawn" = $size ] || { echo "FAILED: a picture of $size is $drawn"; failed=1; }
done
expect 2 '' 'cannot be written' --screenshot "$dir/none/a.png" scenarios/quickstart.json
expect 2 '' 'no such lane' --screenshot "$dir/a.png" --select node:x scenarios/quickstart.json
expect 2 '' 'not a time' --screenshot "$dir/a.png" --at noon scenarios/quickstart.json
expect 2 '' 'is not before' --screenshot "$dir/a.png" --from 2d --to 1d scenarios/quickstart.json
expect 2 '' 'not a size' --screenshot "$dir/a.png" --size 640 scenarios/quickstart.json
expect 2 '' 'each from 1 to 16384 pixels' --size 99999x1 scenarios/quickstart.json
expect 2 '' 'the run ends at 2d20h33min55s21ms968us' --screenshot "$dir/a.png" --at 4d \
  scenarios/quickstart.json
expect 2 '' 'the run ends at' --screenshot "$dir/a.png" --from 4d scenarios/quickstart.json
expect 2 '' 'the run ends at' --screenshot "$dir/a.png" --range 4d..5d scenarios/quickstart.json
expect 2 '' 'not a range of time' --range 1d scenarios/quickstart.json
expect 0 '' '' --screenshot "$dir/b.png" --range 1d..2d --size 640x400 scenarios/quickstart.json
cmp -s "$dir/a.png" "$dir/b.png" && { echo "FAILED: a selected range is not seen"; failed=1; }

# A user who asks for the verdict gets that of the run, beside the picture.
fails=(--set /jobs/0/policy/config/max_failures=1 scenarios/quickstart.json)
expect 0 '' 'expectation' --screenshot "$dir/b.png" "${fails[@]}"
expect 1 '' 'expectation' --verdict --screenshot "$dir/b.png" "${fails[@]}"
expect 0 '' '' --verdict --screenshot "$dir/b.png" scenarios/quickstart.json
expect 2 '' 'no FILE' --screenshot "$dir/a.png"

# With a screen it shows a scenario, and has nothing to complain of, until it is ended.
export QT_QPA_PLATFORM=offscreen
timeout 3 "$program" --theme light scenarios/quickstart.json >"$dir/out" 2>"$dir/err"
status=$?
# Only Qt's word about its own lack of a window manager is to be expected.
grep -v 'This plugin does not support' "$dir/err" >"$dir/complaints"
if [ $status != 124 ] || [ -s "$dir/complaints" ]; then
  echo "FAILED: exit $status, wanted to be ended after 3 s without a complaint"
  head -n 5 "$dir/complaints"
  failed=1
fi

# A file that cannot be shown is said in a window, too, where there is one.
timeout 3 "$program" "$dir/missing.aftershock" >"$dir/out" 2>"$dir/err"
status=$?
if [ $status != 124 ] || ! grep -q 'No such file' "$dir/err"; then
  echo "FAILED: exit $status, wanted a window that says what is wrong"
  failed=1
fi
exit $failed
