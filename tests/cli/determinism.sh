#!/usr/bin/env bash
# Same scenario, seed and version: the same recording to the byte, and the same hash. For every
# scenario: twice, with the other variants of the C library's arithmetic, compressed, inside SimGrid
# where nothing can contend, and with a debug build ($AFTERSHOCK_DEBUG_EXECUTABLE).
set -u
program=$AFTERSHOCK_EXECUTABLE
debug=${AFTERSHOCK_DEBUG_EXECUTABLE:-}
# The names that glibc 2.33 and later take (2.26 to 2.32 have FMA_Usable and AVX2_Usable).
tunables=glibc.cpu.hwcaps=-FMA,-AVX2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

fail() {
  echo "FAILED: $*"
  failed=1
}

# record NAME PROGRAM ARGUMENTS...: leaves $dir/NAME, $dir/NAME.json and $dir/NAME.hash.
record() {
  local name=$1 executable=$2 code
  shift 2
  "$executable" run "$@" --json --record "$dir/$name" >"$dir/$name.json" 2>"$dir/err"
  code=$?
  [ -s "$dir/$name" ] || fail "run $*: exit $code and no recording: $(head -n 3 "$dir/err")"
  { echo "exit $code"; grep '"hash"' "$dir/$name.json"; } >"$dir/$name.hash"
}

# same WHAT NAME: it is as the first recording.
same() {
  cmp -s "$dir/first.aftershock" "$dir/$2" || fail "$1: another recording, $(
    cmp "$dir/first.aftershock" "$dir/$2" 2>&1)"
  cmp -s "$dir/first.aftershock.hash" "$dir/$2.hash" || fail "$1: another exit code or hash, $(
    diff "$dir/first.aftershock.hash" "$dir/$2.hash"
    head -n 20 "$dir/err")"
}

# Whether the tunables do anything: awk computes with the C library's double exp.
digits() { awk 'BEGIN {for (i = 1; i < 20000; ++i) printf "%.17g ", exp(i / 300)}' | cksum; }
if [ "$(digits)" = "$(GLIBC_TUNABLES=$tunables digits)" ]; then
  echo "note: here $tunables changes nothing in exp(), so it is no test"
fi
[ -n "$debug" ] ||
  echo "note: AFTERSHOCK_DEBUG_EXECUTABLE is not set: no comparison with a debug build"

scenarios=$(find scenarios -name '*.json' ! -name '*.schema.json' | sort)
[ -n "$scenarios" ] || fail "no scenarios"
simgrid=0
for scenario in $scenarios; do
  record first.aftershock "$program" "$scenario"
  record second.aftershock "$program" "$scenario"
  same "$scenario, second run" second.aftershock

  GLIBC_TUNABLES=$tunables record plain.aftershock "$program" "$scenario"
  same "$scenario, $tunables" plain.aftershock

  # Transfers of one job never share a way.
  if [ "$(grep -c '"vendor_state"' "$dir/first.aftershock.json")" = 1 ]; then
    record simgrid.aftershock "$program" "$scenario" --driver simgrid
    same "$scenario, inside SimGrid" simgrid.aftershock
    simgrid=$((simgrid + 1))
  fi

  record packed.aftershock.zst "$program" "$scenario"
  if command -v zstd >/dev/null; then
    zstd -dqf "$dir/packed.aftershock.zst" -o "$dir/packed.aftershock" || fail "$scenario: zstd"
    cp "$dir/packed.aftershock.zst.hash" "$dir/packed.aftershock.hash"
    same "$scenario, compressed" packed.aftershock
  else
    for form in first.aftershock packed.aftershock.zst; do
      "$program" why "$dir/$form" >"$dir/$form.why" || fail "$scenario: why $form"
    done
    cmp -s "$dir/first.aftershock.why" "$dir/packed.aftershock.zst.why" ||
      fail "$scenario, compressed: another story"
  fi

  if [ -n "$debug" ]; then
    # The tracer of LeakSanitizer now and then faults itself ("Tracer caught signal 11"), which is
    # another exit code. This test is about bytes; those of the code look for leaks.
    ASAN_OPTIONS=detect_leaks=0 record debug.aftershock "$debug" "$scenario"
    # The header names the commit that each was built from.
    for name in first debug; do
      sed -i '1s/"commit":"[^"]*"/"commit":""/' "$dir/$name.aftershock"
    done
    same "$scenario, debug build" debug.aftershock
  fi
done
[ $simgrid -gt 0 ] || fail "no scenario without contention"
exit $failed
