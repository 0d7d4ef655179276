#!/usr/bin/env bash
# The picture that README.md shows is the one that the viewer takes; with --accept it becomes that.
set -eu
wanted=docs/viewer.png
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
XDG_RUNTIME_DIR=$folder "$AFTERSHOCK_VIEWER" --screenshot "$folder/viewer.png" --size 1300x760 \
  --theme light --to=42h --at 18121.306136s --select job:llm/decisions scenarios/quickstart.json
if [ "${1:-}" = --accept ]; then
  cp "$folder/viewer.png" "$wanted"
elif ! cmp "$folder/viewer.png" "$wanted"; then
  echo "FAILED: $wanted is not what the viewer shows; './dev picture' takes it anew" >&2
  exit 1
fi
