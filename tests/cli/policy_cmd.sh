#!/usr/bin/env bash
# `--policy-cmd`: a policy in another process, and all the ways in which one goes wrong.
set -u
exec python3 "$(dirname "$0")/policy_cmd.py"
