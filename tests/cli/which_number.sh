#!/usr/bin/env bash
# Two numbers rank two policies differently, in every row of docs/which-number.md.
set -u
exec python3 "$(dirname "$0")/which_number.py"
