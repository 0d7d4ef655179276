#!/usr/bin/env bash
# What `aftershock advise` answers; see advise_answers.py.
set -u
exec python3 "$(dirname "$0")/advise_answers.py"
