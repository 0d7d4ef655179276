#!/usr/bin/env bash
# `--policy-lib`: libraries that are none, and libraries that go wrong.
set -u
exec python3 tests/cli/library.py
