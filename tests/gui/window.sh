#!/usr/bin/env bash
# The real program in a real window, with a window manager, keys from outside and a screen reader's
# view of it: see window.py.
set -eu
for tool in dbus-run-session xvfb-run openbox xdotool; do
  command -v "$tool" >/dev/null || {
    echo "FAILED: $tool is not installed; './dev test' installs it, and python3-pyatspi" >&2
    exit 1
  }
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
chmod 0700 "$dir"
export XDG_CONFIG_HOME=$dir/config XDG_DATA_HOME=$dir/data XDG_CACHE_HOME=$dir/cache
export XDG_RUNTIME_DIR=$dir HOME=$dir LC_ALL=C.UTF-8 TZ=UTC
export QT_QPA_PLATFORM=xcb QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1
unset WAYLAND_DISPLAY QT_SCALE_FACTOR QT_STYLE_OVERRIDE QT_QPA_PLATFORMTHEME
# A server that resets when its last client goes refuses the next one in that moment.
screen='-screen 0 1600x1000x24 -noreset'
# pyatspi belongs to the system's Python, whichever comes first in PATH.
timeout 200 dbus-run-session -- xvfb-run -a -s "$screen" \
  /usr/bin/python3 tests/gui/window.py "$dir"
