#!/usr/bin/env bash
# `replay --transcript` of what is no transcript, or is one no more.
set -u
exec python3 tests/cli/transcripts.py
