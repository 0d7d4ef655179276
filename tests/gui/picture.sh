#!/usr/bin/env bash
# The picture that README.md shows is the one that the viewer takes; with --accept it becomes that.
# Another Qt than the picture's own draws other pixels: there the picture is only looked at.
set -eu
wanted=docs/viewer.png
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
taken=$folder/viewer.png
XDG_RUNTIME_DIR=$folder "$AFTERSHOCK_VIEWER" --screenshot "$taken" --size 1300x760 \
  --theme light --to=42h --at 18120.717072s --select job:llm/decisions scenarios/quickstart.json
if [ "${1:-}" = --accept ]; then
  cp "$taken" "$wanted"
  exit
fi

# Its size, and whether there is more on it than a few lines that repeat.
python3 - "$taken" <<'PYTHON'
import pathlib, struct, sys, zlib
data = pathlib.Path(sys.argv[1]).read_bytes()
packed, at = b"", 8
while at < len(data):
    size, kind = struct.unpack(">I4s", data[at:at + 8])
    if kind == b"IHDR":
        width, height = struct.unpack(">II", data[at + 8:at + 16])
    elif kind == b"IDAT":
        packed += data[at + 8:at + 8 + size]
    at += 12 + size
pixels = zlib.decompress(packed)
line = len(pixels) // height
different = len({pixels[begin:begin + line] for begin in range(0, len(pixels), line)})
if (width, height) != (1300, 760) or different < 200:
    sys.exit(f"FAILED: a picture of {width}x{height} with {different} lines that differ")
PYTHON

# The viewer writes into a picture which Qt drew it.
qt_of() { grep -aom1 'aftershock-viewer, Qt [0-9.]*' "$1" | grep -o 'Qt .*' || true; }
theirs=$(qt_of "$wanted")
ours=$(qt_of "$taken")
if [ -n "$theirs" ] && [ "$theirs" != "$ours" ]; then
  echo "skipped: $wanted was drawn by $theirs, not by $ours"
  exit 77
fi
if ! cmp "$taken" "$wanted"; then
  echo "FAILED: $wanted is not what the viewer shows; './dev picture' takes it anew" >&2
  exit 1
fi
