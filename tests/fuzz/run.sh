#!/usr/bin/env bash
# run.sh FUZZER DICTIONARY CORPUS INPUTS...: fuzzes for $AFTERSHOCK_FUZZ_SECONDS (20). Its findings
# lie beside the corpus; new inputs that are worth keeping go into it.
set -euo pipefail
fuzzer=$1 dictionary=$2 corpus=$3
shift 3
options=(-max_total_time="${AFTERSHOCK_FUZZ_SECONDS:-20}" -rss_limit_mb=2048 -timeout=10
  -max_len=65536 -print_final_stats=1 -artifact_prefix="$corpus.found-")
if [[ -e $dictionary ]]; then options+=(-dict="$dictionary"); fi
exec "$fuzzer" "${options[@]}" "$corpus" "$@"
