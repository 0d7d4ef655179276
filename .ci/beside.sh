#!/usr/bin/env bash
# Sourced by dev: tests that other tests give way to.
set -euo pipefail

# run_beside DIR LABELS CTEST_ARGS...: the tests with these labels, and beside them those that the
# arguments choose, which give way to them. Their log comes last.
run_beside() {
  local log=$1/beside.log status=0 beside
  # A group of its own, so that an end of this one takes its tests along.
  set -m
  run_ctest "$1/tests" -L "$2" >"$log" 2>&1 </dev/null &
  set +m
  beside=$!
  # shellcheck disable=SC2064 # the process of now
  trap "kill -- -$beside 2>/dev/null || true" EXIT
  renice -n 19 $BASHPID >/dev/null
  run_ctest "$1" "${@:3}" || status=$?
  wait "$beside" || status=$?
  trap - EXIT
  cat "$log"
  return "$status"
}
