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
has "$dir/a.html" 'llm completed after 2d 20:34:00'
has "$dir/a.html" 'Passed. 2 of 2 expectations met.'
has "$dir/a.html" 'ray_<wbr>train.<wbr>failure.<wbr>retry'
has "$dir/a.html" "aftershock view $dir/a.aftershock"
cp "$dir/a.html" "$dir/first.html"
expect 0 '' '' report "$dir/a.aftershock" --quiet
cmp "$dir/a.html" "$dir/first.html" || fail 'the same recording gives another page'
! grep -oE '(src|href)="[^#"][^"]*"|url\([^#)]*\)|@import' "$dir/a.html" ||
  fail 'it needs more files'

# A scenario is run; its page is that of its recording, but for the path.
expect 0 '' '' report $scenario --quiet --out "$dir/s.html"
sed "s|$dir/a.aftershock|$scenario|g" "$dir/a.html" | cmp - "$dir/s.html" ||
  fail 'the page of a scenario is not that of its recording'
expect 0 '"report": ".*/m\.html"' '' report $scenario --policy modelarts --json --out "$dir/m.html"
has "$dir/m.html" 'modelarts'

expect 0 'a_against_b\.html' '' report "$dir/a.aftershock" "$dir/b.aftershock.zst"
has "$dir/a_against_b.html" 'Comparison of two runs'
has "$dir/a_against_b.html" 'answered otherwise'
expect 0 '' '' report "$dir/a.aftershock" $scenario --quiet --title 'A & B' --out "$dir/t.html"
has "$dir/t.html" '<title>A &amp; B</title>'

# A recording that is cut off, plain and compressed.
head -c 60000 "$dir/a.aftershock" >"$dir/cut.aftershock"
"$program" run $scenario --quiet --record "$dir/c.aftershock.zst"
head -c 9000 "$dir/c.aftershock.zst" >"$dir/cut.aftershock.zst"
for cut in "$dir/cut.aftershock" "$dir/cut.aftershock.zst"; do
  expect 0 '' '' report "$cut" --quiet --out "$dir/cut.html"
  has "$dir/cut.html" 'This recording is partial'
  has "$dir/cut.html" 'No verdict'
done

"$program" sweep $scenario --out "$dir/r.sqlite" --runs 5 --vary 'policy=ray_train,modelarts' \
  --quiet
expect 0 'r\.html' '' report "$dir/r.sqlite"
has "$dir/r.html" '--policy modelarts'
expect 0 '' '' report "$dir/r.sqlite" --quiet --out "$dir/again.html"
cmp "$dir/r.html" "$dir/again.html" || fail 'the same results give another page'

# What is not taken.
echo 'mine' >"$dir/mine.html"
expect 2 '' 'mine\.html: is there already and is no report' \
  report "$dir/a.aftershock" --out "$dir/mine.html"
[ "$(cat "$dir/mine.html")" = mine ] || fail 'a file of somebody else is gone'
expect 2 '' 'no page by its name' report "$dir/a.aftershock" --out "$dir/page.txt"
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
