#!/usr/bin/env bash
# policy_crash with --policy-cmd: the program itself is killed, and started again.
set -u
exec python3 "$(dirname "$0")/policy_crash.py"
