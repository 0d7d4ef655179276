#!/usr/bin/env bash
# `replay --transcript` of files that are not transcripts, or not any more.
set -u
exec python3 tests/cli/transcripts.py
