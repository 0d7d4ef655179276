#!/usr/bin/env bash
# The two versions of the messages for external policies, and the environment of their program.
set -u
exec python3 "$(dirname "$0")/protocol.py"
