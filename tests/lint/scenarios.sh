#!/usr/bin/env bash
# Every scenario is valid, asks a question, and is named after its file.
set -u
failed=0
fail() {
  echo "$1:1: $2"
  failed=1
}

scenarios=$(find scenarios tests/validation -name '*.json' ! -name '*.schema.json' | sort)
[ -n "$scenarios" ] || { echo "no scenarios"; exit 1; }
for scenario in $scenarios; do
  "$AFTERSHOCK_EXECUTABLE" validate "$scenario" || fail "$scenario" "not valid"
  grep -qE '^ *"question": "[^"]{20,}' "$scenario" || fail "$scenario" "asks no question"
  name=$(grep -o '"name": "[^"]*"' "$scenario" | head -n 1 | cut -d '"' -f 4)
  [ "$name" = "$(basename "$scenario" .json)" ] ||
    fail "$scenario" "its name is \"$name\": the file's name"
done
exit $failed
