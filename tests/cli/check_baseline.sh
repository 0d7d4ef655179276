#!/usr/bin/env bash
# The baseline of a check: which run a line is about, what it may lack, how it is kept.
set -u
exec python3 "$(dirname "$0")/check_baseline.py"
