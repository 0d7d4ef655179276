#!/usr/bin/env bash
# The contract with policies of others: what is said is what the schema of the messages and the
# golden transcripts have.
set -u
/usr/bin/python3 -c 'import jsonschema' 2>/dev/null || {
  echo 'skipped: python3-jsonschema is not installed'
  exit 77
}
exec /usr/bin/python3 tests/cli/messages.py "$@"
