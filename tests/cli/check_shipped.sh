#!/usr/bin/env bash
# The shipped scenarios come to what their baseline says. Where this is red on purpose:
#   aftershock check scenarios --tag ci --baseline tests/baselines/ci.json --update-baseline
set -u
exec "$AFTERSHOCK_EXECUTABLE" check scenarios --tag ci --baseline tests/baselines/ci.json --strict
