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

# expect CODE PATTERN-IN-STDOUT PATTERN-IN-STDERR ARGUMENTS...
# An empty pattern wants an empty stream.
expect() {
  local code=$1 out=$2 err=$3
  shift 3
  timeout 20 "$program" "$@" >"$dir/out" 2>"$dir/err" </dev/null
  local got=$? ok=1
  [ "$got" = "$code" ] || ok=0
  for stream in out err; do
    if [ -z "${!stream}" ]; then
      [ ! -s "$dir/$stream" ] || ok=0
    else
      grep -qE -- "${!stream}" "$dir/$stream" || ok=0
    fi
  done
  if [ $ok = 0 ]; then
    echo "FAILED: aftershock-viewer $*: exit $got, wanted $code, /$out/ on stdout, /$err/ on stderr"
    head -n 5 "$dir/out" "$dir/err"
    failed=1
  fi
}

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
expect 2 '' 'cannot be written' --screenshot "$dir/none/a.png" scenarios/quickstart.json
expect 2 '' 'no such lane' --screenshot "$dir/a.png" --select node:x scenarios/quickstart.json
expect 2 '' 'not a time' --screenshot "$dir/a.png" --at noon scenarios/quickstart.json
expect 2 '' 'is not before' --screenshot "$dir/a.png" --from 2d --to 1d scenarios/quickstart.json
expect 2 '' 'not a size' --screenshot "$dir/a.png" --size 640 scenarios/quickstart.json
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
exit $failed
