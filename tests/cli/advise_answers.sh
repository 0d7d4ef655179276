#!/usr/bin/env bash
# Answers of `aftershock advise`; see advise_answers.py.
set -u
exec python3 "$(dirname "$0")/advise_answers.py"
