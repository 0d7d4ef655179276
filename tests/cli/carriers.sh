#!/usr/bin/env bash
# One policy decides alike over every carrier.
set -u
exec python3 "$(dirname "$0")/carriers.py"
