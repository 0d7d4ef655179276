#!/usr/bin/env bash
# What every command that runs scenarios says of a policy from elsewhere that fails.
set -u
exec python3 "$(dirname "$0")/policy_fails.py"
