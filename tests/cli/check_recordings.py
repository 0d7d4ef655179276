"""`aftershock check` of recordings; see check_recordings.sh."""
import json
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True

import expecting
from expecting import PROGRAM, check, failures, has

QUICK = "tests/data/check/quick.json"
BUDGET = "/jobs/0/policy/config/max_failures"
FACTS = "tests/data/live/runs/torchrun/worker_killed-1.facts.ndjson.zst"


def run(*words, **more):
    return expecting.run("check", *words, **more)


def recordings_are_judged_as_they_are(folder):
    passed, failed = folder / "passed.aftershock", folder / "failed.aftershock.zst"
    expecting.run("run", QUICK, "--record", passed, "--quiet")
    expecting.run("run", QUICK, "--set", f"{BUDGET}=2", "--record", failed, "--quiet", code=1)
    live = folder / "live.aftershock"
    expecting.run("live", "scenarios/live/torchrun/worker_killed.json", "--backend", "torchrun",
                  "--facts", FACTS, "--record", live, "--quiet")
    has(run(passed, live).stdout, "2 runs of 2 scenarios: 2 passed")
    red = run(passed, failed, QUICK, code=1).stdout
    has(red, f"failed: {failed}, ray_train@2026-05, seed 36\n", "failed: /",
        f"  aftershock why {failed}\n", f"  aftershock view {failed}\n",
        "6 runs of 3 scenarios: 5 passed, 1 not passed")
    check("aftershock run" not in red, "a recording is not run again")
    # The same words as of the run itself, but for what a recording is not asked.
    told, made = (json.loads(run(*words, "--json", code=1).stdout)["runs"][0]
                  for words in ((failed,), (QUICK, "--set", f"{BUDGET}=2")))
    for key in ("policy", "seed", "verdict", "reason", "outcome", "hash"):
        check(told[key] == made[key], f"{key}: {told[key]} for {made[key]}")
    cut = [folder / "cut.aftershock", folder / "without_end.aftershock"]
    cut[0].write_bytes(passed.read_bytes()[:20_000])
    cut[1].write_bytes(passed.read_bytes().rstrip().rpartition(b"\n")[0] + b"\n")
    edited = folder / "edited.aftershock"
    edited.write_bytes(passed.read_bytes().replace(b"completed", b"complete_", 1))
    text = folder / "text.aftershock"
    text.write_text("no recording\n")
    has(run(*cut, text, edited, passed, code=2).stderr, *(f"{one}: is cut off" for one in cut),
        f"{text} is not a recording", f"{edited} is corrupt")
    rows = [
        (["--baseline", folder / "b.json", "--update-baseline"], "--baseline: goes with scenarios"),
        (["--fresh", "1", "--against", PROGRAM], "--fresh: goes with scenarios"),
        (["--tag", "ci"], "--tag: goes with scenarios"),
        (["--set", "/seed=3"], "--set: goes with scenarios"),
        (["--junit", passed], "is a recording as well"),
    ]
    before = passed.read_bytes()
    for words, message in rows:
        has(run(passed, *words, code=2).stderr, message)
    check(before == passed.read_bytes(), "a recording is as it was")


def main():
    with tempfile.TemporaryDirectory() as name:
        recordings_are_judged_as_they_are(pathlib.Path(name))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
