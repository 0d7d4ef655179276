#!/usr/bin/env bash
# A recording whose writer was killed opens, and says where it ends.
set -u
command -v python3 >/dev/null || { echo 'skipped: there is no python3'; exit 77; }
exec python3 tests/cli/kill.py
