#!/usr/bin/env bash
# The harness that goes looking for trouble: matrix, explore, shrink.
set -u
exec python3 "$(dirname "$0")/chaos.py"
