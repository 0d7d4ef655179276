#!/usr/bin/env bash
# The whole program for aarch64, which qemu runs: recordings of quickstart and of each scenario
# that is named have the same bytes as those of the native build. By hand: packages of Debian for
# arm64 go into build-aarch64/root, and nothing of this machine changes.
#
#   bash tests/same_bytes/aarch64.sh [SCENARIO...]
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$PWD/build-aarch64
root=$folder/root
native=${AFTERSHOCK_EXECUTABLE:-build/bin/aftershock}
packages=(
  libc6-dev libstdc++-12-dev libsimgrid-dev libboost-dev libboost-graph-dev libboost-math-dev
  libboost-random-dev nlohmann-json3-dev libfmt-dev libcli11-dev librandom123-dev libsimdjson-dev
  libyaml-dev libzstd-dev libsqlite3-dev libmimalloc-dev
)
for tool in aarch64-linux-gnu-g++ qemu-aarch64 apt-get cmake ninja; do
  command -v "$tool" >/dev/null || { echo "aarch64.sh: $tool is missing"; exit 2; }
done
[ -x "$native" ] || { echo "aarch64.sh: $native is missing; ./dev build release makes it"; exit 2; }

# An apt of its own: it knows of no package that is installed, and so fetches all that one needs.
fetch_root() {
  mkdir -p "$folder"/apt/{lists,archives}/partial "$root"/usr/{lib,bin,sbin}
  : >"$folder/apt/status"
  printf '%s\n' 'APT::Architecture "arm64";' 'APT::Architectures { "arm64"; };' \
    'APT::Install-Recommends "false";' "Dir::State \"$folder/apt\";" \
    "Dir::State::status \"$folder/apt/status\";" "Dir::Cache \"$folder/apt\";" >"$folder/apt/conf"
  APT_CONFIG=$folder/apt/conf apt-get -q update
  APT_CONFIG=$folder/apt/conf apt-get -q -y --download-only install "${packages[@]}"
  local one
  for one in lib bin sbin; do ln -sfn usr/$one "$root/$one"; done
  for one in "$folder"/apt/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$one" | tar -x --keep-directory-symlink -C "$root"
  done
  # Links from the root on would lead into this machine's own.
  find "$root" -lname '/*' -printf '%p %l\n' | while read -r one target; do
    ln -sfn "$(realpath -m --relative-to="$(dirname "$one")" "$root$target")" "$one"
  done
  touch "$folder/fetched"
}

write_toolchain() {
  local libraries=$root/usr/lib/aarch64-linux-gnu
  cat >"$folder/toolchain.cmake" <<TOOLCHAIN
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_SYSROOT $root)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-aarch64;-L;$root")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} $root)
set(ENV{PKG_CONFIG_LIBDIR} $libraries/pkgconfig:$root/usr/share/pkgconfig)
TOOLCHAIN
}

[ -e "$folder/fetched" ] || fetch_root
write_toolchain
cmake -G Ninja -S . -B "$folder/build" -DCMAKE_TOOLCHAIN_FILE="$folder/toolchain.cmake" \
  -DCMAKE_BUILD_TYPE=Release '-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG' -DAFTERSHOCK_BATCH=36 \
  -DAFTERSHOCK_GUI=OFF -DAFTERSHOCK_TESTS=OFF >/dev/null
ninja -C "$folder/build" aftershock

failed=0
for scenario in scenarios/quickstart.json "$@"; do
  for kind in native aarch64; do
    run=("$native")
    [ $kind = native ] || run=(qemu-aarch64 -L "$root" "$folder/build/bin/aftershock")
    "${run[@]}" run "$scenario" --quiet --record "$folder/$kind.aftershock" >/dev/null 2>&1 || true
  done
  if cmp "$folder/native.aftershock" "$folder/aarch64.aftershock"; then
    echo "same: $scenario $(sha256sum <"$folder/native.aftershock" | cut -c1-16)"
  else
    failed=1
  fi
  rm -f "$folder"/{native,aarch64}.aftershock
done
exit $failed
