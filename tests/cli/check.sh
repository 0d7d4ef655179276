#!/usr/bin/env bash
# The gate: what a changed policy turns red, what it leaves green, and what is said of it.
set -u
exec python3 "$(dirname "$0")/check.py"
