#!/usr/bin/env bash
# The words of every command that runs scenarios about an external policy that fails.
set -u
exec python3 "$(dirname "$0")/policy_fails.py"
