#!/usr/bin/env bash
# `aftershock advise` as its users run it; see advise.py.
set -u
exec python3 "$(dirname "$0")/advise.py"
