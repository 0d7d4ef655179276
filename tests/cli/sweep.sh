#!/usr/bin/env bash
# The same rows however a sweep is run: one process or two, killed and resumed, in shards; and the
# rows are what `run` gives for their seeds.
set -u
exec python3 "$(dirname "$0")/sweep.py"
