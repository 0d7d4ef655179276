#!/usr/bin/env bash
# `report` from outside: what it takes, what it refuses, and that the same files give the same page.
set -u
source "$(dirname "$0")/expect.bash"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
program=$AFTERSHOCK_EXECUTABLE
scenario=scenarios/quickstart.json

fail() {
  echo "FAILED: $*"
  failed=1
}
# has FILE TEXT: a page that says so.
has() { grep -qF -- "$2" "$1" || fail "$1 does not say: $2"; }

"$program" run $scenario --quiet --record "$dir/a.aftershock"
"$program" run $scenario --quiet --record "$dir/b.aftershock.zst" --policy modelarts 2>"$dir/err"

expect 0 '^.*/a\.html: [0-9]+ KB' '' report "$dir/a.aftershock"
has "$dir/a.html" 'llm completed after 2d 20:33:55'
has "$dir/a.html" 'Passed. 2 of 2 expectations met.'
has "$dir/a.html" 'ray_<wbr>train.<wbr>failure.<wbr>retry'
has "$dir/a.html" "aftershock view $dir/a.aftershock"
cp "$dir/a.html" "$dir/first.html"
expect 0 '' '' report "$dir/a.aftershock" --quiet
cmp "$dir/a.html" "$dir/first.html" || fail 'the same recording gives another page'
! grep -oE '(src|href)="[^#"][^"]*"|url\([^#)]*\)|@import' "$dir/a.html" ||
  fail 'it needs more files'

# A share is one number: the page has each of those in the text, the smallest, too.
shares=0
while read -r share; do
  shares=$((shares + 1))
  has "$dir/a.html" "$share %"
done < <("$program" run $scenario | sed -n '/where the time went/,/lost progress/p' |
  grep -oE '[0-9.]+ %' | cut -d ' ' -f 1)
[ $shares -gt 5 ] || fail 'the text of the run has no shares'
! grep -qE '\b0\.0 %|>0\.1 %<.*finalizing' "$dir/a.html" || fail 'a small share is rounded away'

# A scenario is run; its page is that of its recording, but for the command that shows it: the
# scenario may be another one by then, and the page says what to know that by.
expect 0 '' '' report $scenario --quiet --out "$dir/s.html"
sed '/aftershock view/d; /name="source"/d' "$dir/a.html" >"$dir/a.body"
sed '/name="source"/d; /aftershock run .* --view/d; /<p>It runs/d' "$dir/s.html" >"$dir/s.body"
cmp "$dir/s.body" "$dir/a.body" ||
  fail 'the page of a scenario is not that of its recording'
has "$dir/s.html" "aftershock run $scenario --view"
has "$dir/s.html" 'as it is then, and shows this run if the hash is '
# Runs of one scenario have pages of their own.
cp $scenario "$dir/q.json"
expect 0 'q\.html' '' report "$dir/q.json"
expect 0 'q-seed-2\.html' '' report "$dir/q.json" --seed 2
has "$dir/q-seed-2.html" 'q.json --seed 2 --view'
expect 0 'q-ray_train@2026-05-spares=2\.html' '' \
  report "$dir/q.json" --policy ray_train@2026-05 --set /cluster/pools/0/spares=2
mkdir "$dir/sub"
cp "$dir/a.aftershock" "$dir/sub/a.aftershock"
expect 0 'a_against_sub_a\.html' '' report "$dir/a.aftershock" "$dir/sub/a.aftershock"
has "$dir/a_against_sub_a.html" 'Both are the same run, event by event'
expect 0 '"report": ".*/m\.html"' '' report $scenario --policy modelarts --json --out "$dir/m.html"
has "$dir/m.html" 'modelarts'

expect 0 'a_against_b\.html' '' report "$dir/a.aftershock" "$dir/b.aftershock.zst"
has "$dir/a_against_b.html" 'Comparison of two runs'
has "$dir/a_against_b.html" 'answered otherwise'
has "$dir/a_against_b.html" 'The first decision that differs'
has "$dir/a_against_b.html" 'Settings that differ'
expect 0 '' '' report "$dir/a.aftershock" $scenario --quiet --title 'A & B' --out "$dir/t.html"
has "$dir/t.html" '<title>A &amp; B</title>'

# A recording that is cut off, plain and compressed.
head -c 60000 "$dir/a.aftershock" >"$dir/cut.aftershock"
"$program" run $scenario --quiet --record "$dir/c.aftershock.zst"
head -c 14000 "$dir/c.aftershock.zst" >"$dir/cut.aftershock.zst"
for cut in "$dir/cut.aftershock" "$dir/cut.aftershock.zst"; do
  expect 0 '' '' report "$cut" --quiet --out "$dir/cut.html"
  has "$dir/cut.html" 'This recording is partial'
  has "$dir/cut.html" 'No verdict'
  has "$dir/cut.html" 'Cost so far'
done

"$program" sweep $scenario --out "$dir/r.sqlite" --runs 5 --vary 'policy=ray_train,modelarts' \
  --quiet
expect 0 'r\.html' '' report "$dir/r.sqlite"
has "$dir/r.html" '--policy modelarts'
# A setting of all cells is in the commands, too.
"$program" sweep $scenario --out "$dir/set.sqlite" --runs 2 --set /cluster/pools/0/spares=2 --quiet
expect 0 '' '' report "$dir/set.sqlite" --quiet
has "$dir/set.html" "aftershock run $scenario --set /cluster/pools/0/spares=2 --seed 36"
expect 0 '' '' report "$dir/r.sqlite" --quiet --out "$dir/again.html"
cmp "$dir/r.html" "$dir/again.html" || fail 'the same results give another page'

# Cut within its header a recording holds no run.
head -c 300 "$dir/a.aftershock" >"$dir/header.aftershock"
expect 2 '' 'ends within its header: nothing of its run' report "$dir/header.aftershock"
[ ! -e "$dir/header.html" ] || fail 'a page of nothing was written'
for form in --csv --chrome --perfetto --faults; do
  expect 2 '' 'header' export "$dir/header.aftershock" $form --out "$dir/header.out"
  [ ! -e "$dir/header.out" ] || fail "$form exported nothing into a file"
done

# A page that nobody named takes the place of nothing but an older page of the same.
"$program" sweep $scenario --out "$dir/q.sqlite" --runs 2 --quiet
cp "$dir/q.html" "$dir/q.first"
expect 2 '' 'q\.html: is there already, and no page of "q\.sqlite".*--out' report "$dir/q.sqlite"
cmp "$dir/q.html" "$dir/q.first" || fail 'the page of another input is gone'
expect 0 'q\.html' '' report "$dir/q.json"
expect 0 '' '' report "$dir/q.sqlite" --quiet --out "$dir/q.html"
expect 2 '' 'no page of "q\.json"' report "$dir/q.json"
expect 0 'q\.html' '' report "$dir/q.sqlite"
echo 'theirs' >"$dir/b.html"
expect 2 '' 'b\.html: exists and is not a report' report "$dir/b.aftershock.zst"
[ "$(cat "$dir/b.html")" = theirs ] || fail 'a file of somebody else is gone'

# Inputs that are not taken.
echo 'mine' >"$dir/mine.html"
expect 2 '' 'mine\.html: exists and is not a report' \
  report "$dir/a.aftershock" --out "$dir/mine.html"
[ "$(cat "$dir/mine.html")" = mine ] || fail 'a file of somebody else is gone'
expect 2 '' 'does not have the name of a page' report "$dir/a.aftershock" --out "$dir/page.txt"
expect 2 '' 'none/x\.html: No such file' report "$dir/a.aftershock" --out "$dir/none/x.html"
expect 2 '' 'missing\.aftershock: cannot be opened: No such file' report "$dir/missing.aftershock"
expect 2 '' 'is a directory' report "$dir"
expect 2 '' 'is a recording, in which --seed' report "$dir/a.aftershock" --seed 3
expect 2 '' 'is a file of results, in which' report "$dir/r.sqlite" --seed 3
expect 2 '' 'is a file of results, which has a page of its own' \
  report "$dir/a.aftershock" "$dir/r.sqlite"
expect 2 '' 'did you mean --title' report "$dir/a.aftershock" --titel x
echo 'nothing' >"$dir/text"
expect 2 '' 'text is not a recording' report "$dir/text"
: >"$dir/empty.aftershock"
expect 2 '' 'empty\.aftershock' report "$dir/empty.aftershock"
echo '{"name": "x"}' >"$dir/bad.json"
expect 2 '' 'bad\.json:1:' report "$dir/bad.json"
head -c 5000 "$dir/r.sqlite" >"$dir/torn.sqlite"
expect 2 '' 'torn\.sqlite' report "$dir/torn.sqlite"
find "$dir" -name '*.part' | grep . && fail 'parts of pages are left'
exit $failed
