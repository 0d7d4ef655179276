#!/usr/bin/env bash
# What commands print on standard output has at most 100 columns, but for commands to copy.
set -u
exec python3 "$(dirname "$0")/width.py"
