#!/usr/bin/env bash
# Imports that nobody should have to wait for: huge, cut off, or no trace at all.
set -u
exec python3 "$(dirname "$0")/hostile_imports.py"
