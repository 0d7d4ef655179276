#!/usr/bin/env bash
# Every shipped scenario that CI is for meets its expectations, and rules that none of them applies
# are listed.
set -u
failed=0
mapfile -t scenarios < <(grep -lE '"tags": \[[^]]*"ci"' -r scenarios --include='*.json' | sort)
((${#scenarios[@]} > 50)) || { echo "only ${#scenarios[@]} scenarios for CI"; exit 1; }
for scenario in "${scenarios[@]}"; do
  "$AFTERSHOCK_EXECUTABLE" run "$scenario" --quiet
  code=$?
  # Conditions on many seeds are `check`'s to judge: the one of the file may be stuck.
  if ((code != 0)) && ! { ((code == 3)) && grep -qE '"check": *\{[^}]*"that"' "$scenario"; }; then
    failed=1
  fi
done
mapfile -t of_ray < <(printf '%s\n' "${scenarios[@]}" | grep -E '/(ray|ray_v1|tune)/')
for policy in ray_train@2026-05 ray_train_v1@2026-05 ray_tune@2026-05; do
  "$AFTERSHOCK_EXECUTABLE" policies coverage "$policy" "${of_ray[@]}" 2>/dev/null |
    grep -E 'not applied|rules applied' || failed=1
done
exit $failed
