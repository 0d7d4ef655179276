#!/usr/bin/env bash
# Every rule of a policy is applied by some scenario, under some profile, or its README says why
# none can: a line that begins with "| `the.rule` |", under "Rules that no scenario reaches".
#   coverage_readme.sh [POLICY README SCENARIO...]
set -u
failed=0
cover() {
  local policy=$1 readme=$2 report
  shift 2
  report=$("$AFTERSHOCK_EXECUTABLE" policies coverage "$policy" "$@" 2>/dev/null) || failed=1
  grep -E 'rules applied' <<<"$report" || failed=1
  mapfile -t missing < <(sed -n 's/^applied under no profile  //p' <<<"$report" | sort)
  mapfile -t told < <(sed -n '/^## Rules that no scenario/,$s/^| `\([^`]*\)` |.*/\1/p' "$readme" |
    sort)
  if [[ ${missing[*]} != "${told[*]}" ]]; then
    echo "$policy: no scenario applies: ${missing[*]:-nothing}"
    echo "$policy: $readme says so of: ${told[*]:-nothing}"
    failed=1
  fi
}
if (($#)); then
  cover "$@"
else
  cover ray_tune scenarios/tune/README.md scenarios/tune/*.json
  cover ray_train_v1 scenarios/ray_v1/README.md scenarios/ray_v1/*.json
  for policy in modelarts torchrun kubeflow job jobset mindcluster volcano nvrx; do
    cover "$policy" "scenarios/$policy/README.md" "scenarios/$policy"/*.json
  done
fi
exit $failed
