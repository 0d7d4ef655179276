#!/usr/bin/env bash
# The installed library of policies: the controller of policies/README.md, built and run as it says.
set -u
exec python3 "$(dirname "$0")/installed.py"
