#!/usr/bin/env bash
# The JSON Schema and the reader have the same opinion of scenarios.
set -u
/usr/bin/python3 -c 'import jsonschema' 2>/dev/null || {
  echo 'skipped: python3-jsonschema is not installed'
  exit 77
}
exec /usr/bin/python3 tests/cli/schema_agreement.py
