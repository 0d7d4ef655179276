#!/usr/bin/env bash
# The draws of tests/data/chance/vectors.txt, made by another compiler or for another processor.
# usage: vectors.sh COMPILER[,FLAG...] [RUNNER...], where the first RUNNER that is there runs the
# program; without one the machine does. Exit 77: what it takes is absent.
set -euo pipefail

IFS=, read -ra compiler <<<"$1"
shift
absent() {
  echo "absent: $*" >&2
  exit 77
}
command -v "${compiler[0]}" >/dev/null || absent "${compiler[0]}"
runner=()
for each in "$@"; do
  if command -v "$each" >/dev/null; then
    runner=("$each")
    break
  fi
done
(($# == 0)) || ((${#runner[@]})) || absent "$*"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# One source, which takes a compiler a third of the time. Headers of the machine stand behind those
# of another processor: what is taken of them is Random123.
printf '#include "%s"\n' sim/chance/*.cpp tests/same_bytes/vectors.cpp >"$folder/vectors.cpp"
"${compiler[0]}" -std=c++20 -O2 -ffp-contract=off "${compiler[@]:1}" -I. \
  -idirafter "${RANDOM123:-/usr/include}" -o "$folder/vectors" "$folder/vectors.cpp"
"${runner[@]}" "$folder/vectors" | diff tests/data/chance/vectors.txt -
