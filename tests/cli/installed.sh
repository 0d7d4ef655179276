#!/usr/bin/env bash
# The installed library of policies: what the pages of it show, built and run as they say.
set -u
exec python3 "$(dirname "$0")/installed.py"
