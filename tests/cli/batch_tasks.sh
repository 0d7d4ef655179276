#!/usr/bin/env bash
# Tasks of a batch system end as docs/scenarios.md says; see batch_tasks.py.
set -u
exec python3 "$(dirname "$0")/batch_tasks.py"
