#!/usr/bin/env bash
# Output of commands has at most 100 columns, but for commands to copy.
set -u
exec python3 "$(dirname "$0")/width.py"
