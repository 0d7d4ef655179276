#!/usr/bin/env bash
# Recordings among the paths of a check: judged as they are, and neither run nor compared.
set -u
exec python3 "$(dirname "$0")/check_recordings.py"
