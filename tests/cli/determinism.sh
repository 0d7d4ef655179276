#!/usr/bin/env bash
# A run is the same to the byte, however often and in whatever way it is made.
set -u
exec python3 "$(dirname "$0")/determinism.py"
