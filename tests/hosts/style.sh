#!/usr/bin/env bash
# style.sh python: the hosts in Python and the drivers of live runs by ruff and mypy --strict.
# style.sh go: the hosts in Go by gofmt, vet and staticcheck, which compiles all that they host. The
# checkers are taken from the registries once, by the versions pinned here and in
# requirements-style.txt. AFTERSHOCK_NO_HOSTS=1 leaves it out.
set -euo pipefail
language=$1
staticcheck=honnef.co/go/tools/cmd/staticcheck@v0.8.2
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
if [[ ${AFTERSHOCK_NO_HOSTS:-} == 1 ]]; then
  echo "AFTERSHOCK_NO_HOSTS=1: the style of hosts is left out"
  exit 77
fi
failed=0

check_python() {
  pins=tests/hosts/requirements-style.txt
  key=$(sha256sum "$pins" | cut -c1-12)
  checkers=${XDG_CACHE_HOME:-$HOME/.cache}/aftershock/style-$key
  if [[ ! -e $checkers/ready ]]; then
    python3 -m venv --clear "$checkers"
    "$checkers/bin/pip" install --quiet --no-deps --require-hashes --only-binary=:all: -r "$pins"
    touch "$checkers/ready"
  fi
  # Packages that a host imports may not be there: what is taken from them is of any type.
  "$checkers/bin/ruff" check --isolated --no-cache --select E,F,W,B,UP --line-length 100 \
    policies/external/hosts tests/hosts live tests/live || failed=1
  MYPYPATH=policies/external/hosts "$checkers/bin/mypy" --strict --allow-subclassing-any \
    --ignore-missing-imports --explicit-package-bases --cache-dir=/dev/null \
    policies/external/hosts tests/hosts || failed=1
  "$checkers/bin/mypy" --strict --allow-subclassing-any --ignore-missing-imports \
    --explicit-package-bases --cache-dir=/dev/null live tests/live || failed=1
}

check_go() {
  [[ -x /usr/local/go/bin/go ]] && PATH=/usr/local/go/bin:$PATH
  checkers=${XDG_CACHE_HOME:-$HOME/.cache}/aftershock/${staticcheck##*@}
  # By itself: a module's own file is none of its business.
  GOBIN=$checkers go install "$staticcheck"
  for module in policies/external/hosts/*/go.mod; do
    folder=$(dirname "$module")
    unformatted=$(gofmt -l "$folder")
    if [[ -n $unformatted ]]; then
      echo "gofmt would change: $unformatted"
      failed=1
    fi
    # Flags of the builds, so that nothing is compiled twice.
    work=
    if [[ -d $folder/prepare ]]; then
      # staticcheck takes no -modfile: a workspace says the same.
      made=$(dirname "$(bash tests/hosts/modfile.sh)")
      work=$made/go.work
      printf 'go 1.26.0\n\nuse %s\n\nreplace volcano.sh/apis => %s\n' "$PWD/$folder" \
        "$made/volcano-apis" >"$work"
    fi
    (cd "$folder" && export GOWORK=$work GOFLAGS=-trimpath && go vet ./... &&
      "$checkers/staticcheck" ./...) ||
      failed=1
  done
}

case $language in
  python) check_python ;;
  go) check_go ;;
  *) echo "usage: style.sh python|go" >&2; exit 2 ;;
esac
exit "$failed"
