#!/usr/bin/env bash
# Hosts without any package that they host: those there are, what they lack, how one is started.
set -u
program=$AFTERSHOCK_EXECUTABLE
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
unset VIRTUAL_ENV
export HOME=$dir XDG_CACHE_HOME=$dir/cache

source tests/cli/expect.bash

scenario=scenarios/ray/four_workers.json

expect 0 '^ray_train +not here: ray_train@installed has no environment yet' '' hosts list
expect 0 '^modelarts +not here: the service runs at its vendor' '' hosts list
expect 0 '^trainjob,false,,,trainjob@installed has no environment yet' '' \
  hosts list --format csv
expect 0 '"name": ?"ray_train", *' '' hosts list --format json
expect 0 '^ray_train,false,,ray_train@2026-11,' '' hosts list --format csv
expect 0 '^\| ray..?train' '' hosts list --format markdown

# The commands are shown, and nothing is run.
expect 0 "^python3 -m venv --clear $dir/cache/aftershock/hosts/ray-[0-9a-f]{16}\$" \
  '^nothing was run; --yes runs these commands$' hosts setup ray_train
[ ! -e "$dir/cache" ] || { echo "FAILED: setup without --yes made $dir/cache"; failed=1; }
expect 2 '' '^modelarts has no host: the service runs at its vendor; ' hosts setup modelarts
expect 2 '' '^"ray_trian" has no host; `aftershock hosts list` .*; did you mean "ray_train"\?$' \
  hosts setup ray_trian
# Hosts of one environment have the steps of all of them.
for host in nvrx torchrun; do
  for step in nvrx torchrun; do
    expect 0 "^$dir/cache/aftershock/hosts/torch-[0-9a-f]{16}/bin/python .*/$step/prepare.py\$" \
      '^nothing was run' hosts setup "$host"
  done
done
HOME='' XDG_CACHE_HOME=relative expect 2 '' 'name no folder for the environment$' \
  hosts setup ray_train --yes

# A host in Go is built, by a Go that is new enough.
mkdir -p "$dir/go"
cat >"$dir/go/go" <<TEXT
#!/bin/sh
[ "\$1" = env ] && exec echo "\$(cat "$dir/go/version")"
[ "\$1" = run ] && exit 0
while [ "\$1" != -o ]; do shift; done
printf '#!/bin/sh\\necho kubernetes 9.9\\n' >"\$2/job"
chmod +x "\$2/job"
TEXT
chmod +x "$dir/go/go"
expect 0 '^job +not here: job@installed has no environment yet' '' hosts list
echo go1.25.9 >"$dir/go/version"
PATH=$dir/go:$PATH expect 2 'go build ' \
  '^go 1\.26 or newer, where `go env GOVERSION` says go1\.25\.9, \(from ' hosts setup job --yes
[ ! -e "$dir/cache" ] || { echo "FAILED: setup without a Go made $dir/cache"; failed=1; }
echo go1.26.0 >"$dir/go/version"
built="^go build -C .*/kubernetes -trimpath -buildvcs=false '-ldflags=-s -w' -modfile=.*go\.mod -o "
PATH=$dir/go:$PATH expect 0 \
  "$built$dir/cache/aftershock/hosts/kubernetes-[0-9a-f]{16}/bin/ \./cmd/\.\.\.\$" '' \
  hosts setup job --yes
expect 0 '^job +kubernetes 9\.9, held to job@2026-08$' '' hosts list
expect 2 '' '^--policy: /jobs/0/policy/profile: job@installed is a program of Go, .*no --python$' \
  run $scenario --policy job@installed --python python3
rm -r "$dir/cache"

# A policy that cannot be hosted says why, and what helps.
installed='--policy ray_train@installed'
profile=(--set '/jobs/0/policy={"name": "ray_train", "profile": "installed"}')
expect 2 '' '^--policy: .*`aftershock hosts setup ray_train` makes it$' run $scenario $installed
expect 2 '' '^--set .*`aftershock hosts setup ray_train` makes it$' run $scenario "${profile[@]}"
expect 2 '' 'mindcluster has no host: its controller reads the clock directly' \
  run $scenario --policy mindcluster@installed
expect 2 '' '"mine" has no host; `aftershock hosts list` says which have one$' \
  run $scenario --policy mine@installed
expect 2 '' '^--policy: /jobs/0/policy/profile: "rya_train" has no host; .* mean "ray_train"\?$' \
  run $scenario --policy rya_train@installed
expect 2 '' 'expected one of .*, or installed; did you mean "installed"\?$' \
  run $scenario --policy ray_train@instaled
expect 2 '' 'stands alone, without --policy-cmd$' run $scenario $installed --policy-cmd 'true'
expect 2 '' '--python: serves installed code, and the scenario has none; expected --policy NAME@' \
  run $scenario --python python3
expect 2 '' '--python: goes with installed code, and not with --policy-cmd$' \
  run $scenario --python python3 --policy-cmd true
expect 2 '' '/no/such/python: cannot be started: No such file or directory; expected a Python ' \
  run $scenario $installed --python /no/such/python

# A Python of the user's own: it has a version, and is started with the host's program.
python3=$(command -v python3)
cat >"$dir/python" <<TEXT
#!/bin/sh
[ "\$1" = -c ] && exec echo 9.9
echo "\$@" >"$dir/started"
exec $python3 policies/external/python/policy.py
TEXT
chmod +x "$dir/python"
expect 0 '^ray_train +ray 9\.9, held to ray_train@2026-11$' '' hosts list --python "$dir/python"
expect 0 '^llm under mine@1' '' run $scenario $installed --python "$dir/python" \
  --set /expect=[]
grep -q '/run.py ray_train$' "$dir/started" ||
  { echo "FAILED: started with: $(cat "$dir/started")"; failed=1; }
# A scenario that names it, a comparison with the port, and recordings know their policy.
expect 0 '^llm under mine@1' '' run $scenario "${profile[@]}" --python "$dir/python" \
  --set /expect=[]
expect 0 '^applied +mine.start ' '' \
  policies coverage ray_train@installed $scenario --python "$dir/python"
expect 0 '' '' compare $scenario --policy ray_train --policy ray_train@installed --runs 2 \
  --python "$dir/python" --quiet
expect 0 'ray_train@installed' '' compare $scenario --policy ray_train --runs 2 \
  --policy ray_train@installed --python "$dir/python"
sed 's/"profile": "2026-05"/"profile": "installed"/' $scenario >"$dir/mine.json"
expect 0 '^  ray_train: max_failures [0-9]+ \(the scenario' '' compare "$dir/mine.json" \
  --policy ray_train --policy ray_train@installed --python "$dir/python" --runs 2
expect 0 '' '' run $scenario $installed --python "$dir/python" --set /expect=[] --quiet \
  --record "$dir/one.aftershock" --transcript "$dir/one.ndjson"
expect 0 'the same, ' '' replay "$dir/one.aftershock" --python "$dir/python"
expect 0 'the same, ' '' replay --transcript "$dir/one.ndjson"
expect 2 '' '`aftershock hosts setup ray_train` makes it$' replay "$dir/one.aftershock"
mkdir "$dir/other"
cp policies/external/python/*.py "$dir/other"
sed -i 's/"profile": "1"/"profile": "2"/' "$dir/other/policy.py"
sed "s|policies/external/python/|$dir/other/|" "$dir/python" >"$dir/other/python"
chmod +x "$dir/other/python"
expect 2 '' 'one.aftershock: mine@1 decided then, and mine@2 would now; expected that version' \
  replay "$dir/one.aftershock" --python "$dir/other/python"

# A program and installed code beside each other, and advice about installed code.
mine=(--policy-cmd "$python3 policies/external/python/policy.py")
expect 0 'ray_train@installed' '' compare $scenario "${mine[@]}" --policy ray_train@installed \
  --python "$dir/python" --runs 2
expect 1 '^No choice is almost certain' 'nothing fails at random' advise $scenario $installed \
  --python "$dir/python" --choose max_failures=1,2 --runs 2
mkdir -p "$dir/venv/bin"
ln -s "$dir/python" "$dir/venv/bin/python"
VIRTUAL_ENV=$dir/venv expect 0 'ray 9\.9' '' hosts list

exit $failed
