#!/usr/bin/env bash
# Every rule of every version of Ray Train V2 is applied by a scenario that CI is for, but for those
# that no scenario can reach; scenarios/ray/README.md says why.
set -u
failed=0
mapfile -t scenarios < <(grep -lE '"tags": \[[^]]*"ci"' -r scenarios/ray --include='*.json' | sort)
((${#scenarios[@]} > 50)) || { echo "only ${#scenarios[@]} scenarios for CI"; exit 1; }

# check POLICY UNREACHABLE...
check() {
  local policy=$1 listed missing expected
  shift
  listed=$("$AFTERSHOCK_EXECUTABLE" policies coverage "$policy" "${scenarios[@]}") ||
    { failed=1; return; }
  missing=$(sed -n 's/^not applied  //p' <<<"$listed" | sort)
  expected=$(printf '%s\n' "$@" | sort)
  [[ $missing == "$expected" ]] || {
    echo "$policy: rules that no scenario applies (<), and those that none can (>):"
    diff <(echo "$missing") <(echo "$expected")
    failed=1
  }
}

check ray_train@2.43
check ray_train@2.49
check ray_train@2.55
check ray_train@2026-05
check ray_train@2026-09
check ray_train@2026-11
exit $failed
