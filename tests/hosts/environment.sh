#!/usr/bin/env bash
# To be sourced. The environments that hosts and live runs take their installed code from.
set -u

# make_environment NAME: makes that of the host NAME where there is none, which takes packages from
# the registry; of two tests that need it one makes it, and the other waits. Leaves its folder in
# $environment.
make_environment() {
  local listed
  environment=$("$AFTERSHOCK_EXECUTABLE" hosts setup "$1" | sed -n 's:^touch \(.*\)/ready$:\1:p')
  mkdir -p "$(dirname "$environment")"
  exec 9>"$environment.lock"
  flock 9
  listed=$("$AFTERSHOCK_EXECUTABLE" hosts list --json | tr -d '\n')
  if ! grep -q "\"name\": *\"$1\", *\"there\": *true" <<<"$listed"; then
    "$AFTERSHOCK_EXECUTABLE" hosts setup "$1" --yes 9>&-
  fi
  exec 9>&-
}
