#!/usr/bin/env bash
# Results and recordings that were made to do harm: each is refused with its place, in bounded time.
set -u
exec python3 "$(dirname "$0")/hostile_files.py"
