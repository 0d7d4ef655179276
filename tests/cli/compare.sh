#!/usr/bin/env bash
# Policies, values, recordings and builds held against each other: what is said is what the runs
# have, pairing pays on the shipped example, and another build that fails is told of.
set -u
exec python3 "$(dirname "$0")/compare.py"
