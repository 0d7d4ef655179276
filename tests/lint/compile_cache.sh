#!/usr/bin/env bash
# A checkout takes what another one in another folder has compiled, and gets the bytes that it would
# have compiled itself: a path that finds its way into a command or an object is seen here. The
# precompiled headers come from the cache, too.
set -euo pipefail
if ! command -v ccache >/dev/null || ! git rev-parse --git-dir >/dev/null 2>&1; then
  echo 'skipped: it takes ccache and a git checkout'
  exit 77
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export CCACHE_DIR=$dir/cache
unset CCACHE_BASEDIR CCACHE_DISABLE

objects=()
for target in policies/device_codes/aftershock_device_codes gui/lod/aftershock_viewer_lod \
  reports/statistics/aftershock_statistics reports/json/aftershock_json; do
  objects+=("${target%/*}/CMakeFiles/${target##*/}.dir/Unity/unity_0_cxx.cxx.o")
done

# counted NAME...: the sum of these of ccache's counters.
counted() {
  local name pattern=
  for name; do pattern+="|$name"; done
  ccache --print-stats |
    awk -F'\t' -v names="^(${pattern#|})\$" '$1 ~ names { sum += $2 } END { print sum + 0 }'
}

for checkout in "$dir/one" "$dir/another/place"; do
  mkdir -p "$checkout"
  git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$checkout"
  ccache --zero-stats >/dev/null
  "$checkout/dev" build release "${objects[@]}"
done
hits=$(counted direct_cache_hit preprocessed_cache_hit)
misses=$(counted cache_miss)
echo "hits: $hits of $((hits + misses))"
if ((hits < ${#objects[@]} || misses != 0)); then
  echo "FAILED: a path of the checkout is in a command or a source"
  exit 1
fi

mv "$dir/another/place/build" "$dir/cached"
CCACHE_DISABLE=1 "$dir/another/place/dev" build release "${objects[@]}"
for object in "${objects[@]}"; do
  cmp "$dir/cached/$object" "$dir/another/place/build/$object" ||
    { echo "FAILED: $object is another one without the cache"; exit 1; }
done
