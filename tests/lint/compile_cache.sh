#!/usr/bin/env bash
# A checkout takes from the compiler's cache what another one, in another folder, has compiled: of a
# whole command line at least 95 %. Precompiled headers come from it, too. It gets the bytes that it
# would have compiled itself: a path that finds its way into a command or an object is seen here.
set -euo pipefail
if ! command -v ccache >/dev/null || ! git rev-parse --git-dir >/dev/null 2>&1; then
  echo 'skipped: it takes ccache and a git checkout'
  exit 77
fi
if [[ $(ccache --get-config disable) == true ]]; then
  echo 'skipped: the cache is disabled'
  exit 77
fi
least_percent=95
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CCACHE_BASEDIR
export CCACHE_STATSLOG=$dir/counted

# build_copy PLACE: copies the sources there, and builds the command line.
build_copy() {
  mkdir -p "$1"
  git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$1"
  : >"$CCACHE_STATSLOG"
  "$1/dev" build release aftershock || exit 1
  hits=$(grep -c '^direct_cache_hit$' "$CCACHE_STATSLOG" || true)
  misses=$(grep -c '^cache_miss$' "$CCACHE_STATSLOG" || true)
  echo "hits: $hits of $((hits + misses))"
  ((hits + misses > 0 && 100 * hits >= least_percent * (hits + misses)))
}

# This checkout may have been built by other options, or its results have left the cache: then the
# first copy puts them there for the second.
place=$dir/one
if ! build_copy "$place"; then
  rm -rf "$place"
  place=$dir/another/place
  if ! build_copy "$place"; then
    echo "FAILED: a path of the checkout is in a command or a source"
    exit 1
  fi
fi

# Batches of several rooms, HOT and not, and sources that are compiled alone: those that take the
# least.
compared='(aftershock_parts_of_runs_1|aftershock_scenario_words_1|simgrid\.dir/module|fit_laws)'
mapfile -t objects < <(ninja -C "$place/build" -t targets all |
  sed -nE "s,^(.*$compared\.cpp\.o): .*,\1,p")
((${#objects[@]} == 4)) || { echo "FAILED: to compare: ${objects[*]}"; exit 1; }
mv "$place/build" "$dir/cached"
CCACHE_DISABLE=1 "$place/dev" build release "${objects[@]}"
for object in "${objects[@]}"; do
  cmp "$dir/cached/$object" "$place/build/$object" ||
    { echo "FAILED: $object is another one without the cache"; exit 1; }
done

# Clang names in a precompiled header the headers that it holds, and refuses it where one of them
# has another length by now, be it by a comment that no preprocessor passes on. The cache serves
# what a checkout compiled after that checkout is gone.
if command -v clang++-19 >/dev/null; then
  objects=policies/parts/CMakeFiles/aftershock_parts.dir
  "$place/dev" build asan "$objects/decimal_seconds.cpp.o"
  mv "$place" "$dir/elsewhere"
  place=$dir/elsewhere
  rm -rf "$place/build-asan"
  echo '// Compiled here.' >>"$place/policies/parts/decimal_seconds.cpp"
  "$place/dev" build asan "$objects/decimal_seconds.cpp.o" ||
    { echo "FAILED: the precompiled header needs the checkout that made it"; exit 1; }
  sed -i 's|^// |// Once more: |' "$place/policies/precompiled.h"
  "$place/dev" build asan "$objects/decimal_seconds.cpp.o" ||
    { echo "FAILED: another precompiled header came from the cache"; exit 1; }
fi
