#!/usr/bin/env bash
# Published figures that one run cannot show; see published.py.
set -u
exec python3 "$(dirname "$0")/published.py"
