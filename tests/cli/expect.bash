#!/usr/bin/env bash
set -u
# Sourced by tests of command lines. They set `program`, a folder `dir` and `failed=0`; `input` may
# name a file for standard input, `time_limit` seconds after which it hangs.

# expect CODE PATTERN-IN-STDOUT PATTERN-IN-STDERR ARGUMENTS...
# An empty pattern wants an empty stream.
expect() {
  local code=$1 out=$2 err=$3
  shift 3
  timeout "${time_limit:-600}" "$program" "$@" >"$dir/out" 2>"$dir/err" <"${input:-/dev/null}"
  local got=$? ok=1 stream
  [ "$got" = "$code" ] || ok=0
  for stream in out err; do
    if [ -z "${!stream}" ]; then
      [ ! -s "$dir/$stream" ] || ok=0
    else
      grep -qE -- "${!stream}" "$dir/$stream" || ok=0
    fi
  done
  if [ $ok = 0 ]; then
    echo "FAILED: ${program##*/} $*: exit $got, wanted $code, /$out/ on stdout, /$err/ on stderr"
    head -n 5 "$dir/out" "$dir/err"
    # A sanitizer's report begins below what the program said.
    grep -A 60 -m 1 -E 'ERROR: [A-Za-z]*Sanitizer|runtime error:' "$dir/err"
    failed=1
  fi
}
