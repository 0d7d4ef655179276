"""Sweeps as their users run them; see sweep.sh."""
import json
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True

from expecting import PROGRAM, begun, check, children, failures, has, run

QUICK = "scenarios/quickstart.json"
LONG = "scenarios/reference_54_days.json"
BUDGET = "/jobs/0/policy/config/max_failures"


def rows(path):
    with sqlite3.connect(path) as database:
        return (database.execute("select * from run order by cell, replica").fetchall(),
                database.execute("select * from cell order by cell").fetchall(),
                database.execute("select complete from sweep").fetchall())


def start(*words):
    return subprocess.Popen([PROGRAM, *map(str, words)], stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True)


def sizes_do_not_matter(folder):
    vary = ["--vary", "/jobs/0/policy/config/max_failures=1..3", "--runs", 20]
    run("sweep", QUICK, "--out", folder / "one", "-j", 1, *vary, code=1)
    run("sweep", QUICK, "--out", folder / "four", "-j", 4, *vary, code=1)
    for shard in (1, 2, 3):
        run("sweep", QUICK, "--out", folder / f"s{shard}", "--shard", f"{shard}/3", *vary, code=1)
    run("sweep", "merge", folder / "merged", *(folder / f"s{k}" for k in (3, 1, 2)), code=1)
    expected = rows(folder / "one")
    check(len(expected[0]) == 60, "60 runs")
    check(rows(folder / "four") == expected, "four processes give the rows of one")
    check(rows(folder / "merged") == expected, "three shards give the rows of one")
    again = run("sweep", "merge", folder / "bad", folder / "s1", folder / "s1", code=2)
    check("so is" in again.stderr, "a shard twice is refused")
    missing = run("sweep", "merge", folder / "bad", folder / "s1", folder / "s2", code=2)
    check("shard 3 of 3 is missing" in missing.stderr, "a missing shard is named")
    check(not (folder / "bad").exists(), "what could not be merged leaves no file")
    run("sweep", QUICK, "--out", folder / "other", "--shard", "2/3", "--runs", 20, code=1)
    for words, message in (
            ([folder / "s1", folder / "s2", folder / "s3"],
             "is there already, and merge makes a new file; expected `aftershock sweep merge OUT"),
            ([folder / "bad", folder / "s1", folder / "other"],
             "other: is a shard of another sweep than"),
            ([folder / "bad", folder / "one", folder / "s1"], "the number of shards differs")):
        said = run("sweep", "merge", *words, code=2).stderr
        check(message in said, f"{message!r} in {said!r}")


def quiet_is_loud_where_it_is_red(folder):
    words = ["--out", folder / "quiet", "--runs", 20, "--quiet"]
    done = run("sweep", QUICK, *words, "--vary", f"{BUDGET}=3,1", code=1)
    check(done.stdout == "" and done.stderr.count("\n") == 1, done.stderr)
    check(done.stderr.startswith("quickstart: max_failures=3, seed ") and
          ": exit code 1, as " in done.stderr, f"why it is red: {done.stderr}")
    green = run("sweep", LONG, "--out", folder / "green", "--runs", 2, "--quiet")
    check(green.stdout == green.stderr == "", f"nothing of what is well: {green.stderr}")


def parameters_have_one_form(folder):
    with sqlite3.connect(folder / "one") as database:
        kept = [row[0] for row in database.execute("select parameters from cell order by cell")]
    check([json.loads(text) for text in kept] == [{BUDGET: f"{n}"} for n in (1, 2, 3)], f"{kept}")


def nothing_random_has_no_interval(folder):
    scripted = "scenarios/incidents/three_preemptions.json"
    shown = run("sweep", scripted, "--out", folder / "scripted", "--runs", 3).stdout
    check(shown.count("the runs do not differ") == 1 and "+-" not in shown and "% (" not in shown,
          f"nothing was measured: {shown}")


def rows_are_runs(folder):
    with sqlite3.connect(folder / "one") as database:
        got = database.execute("select seed, hash, ettr, attempts from run where cell = 2 and "
                               "replica = 5").fetchone()
    single = json.loads(run("run", QUICK, "--seed", got[0], "--json", "--set",
                            "/jobs/0/policy/config/max_failures=3").stdout)
    job = single["jobs"][0]
    check(got[1:] == (single["hash"], job["ettr"], job["attempts"]),
          "a row is what `run` gives for its seed")


def kills_cost_nothing(folder):
    words = ["sweep", LONG, "--runs", 250, "-j", 2]
    run(*words, "--out", folder / "whole")
    killed = 0
    for nth in range(3):
        process = start(*words, "--out", folder / "killed", *(["--resume"] if nth else []))
        begun(folder / "killed", process)
        time.sleep(0.1)
        alive = process.poll() is None
        process.kill()
        process.communicate()
        killed += alive
        if alive:
            reading = run("sweep", "merge", folder / "never", folder / "killed", code=2)
            check("is not complete" in reading.stderr or "not a file of results" in reading.stderr,
                  f"what was killed can be read, and says so: {reading.stderr}")
    check(killed > 0, "a sweep was killed before its end")
    worker_killed = start(*words, "--out", folder / "killed", "--resume")
    begun(folder / "killed", worker_killed)
    time.sleep(0.1)
    for child in children(worker_killed.pid)[:1]:
        os.kill(child, signal.SIGKILL)
    worker_killed.communicate()
    check(worker_killed.returncode == 0, "a killed worker costs nothing but time")
    run(*words, "--out", folder / "killed", "--resume")
    check(rows(folder / "killed") == rows(folder / "whole"),
          "killed three times and resumed gives the same rows")


def an_interrupt_ends_cleanly(folder):
    words = ["sweep", LONG, "--runs", 5000, "-j", 2, "--out", folder / "interrupted"]
    process = start(*words)
    begun(folder / "interrupted", process)
    time.sleep(0.5)
    workers = children(process.pid)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    check(process.returncode == 8, f"an interrupted sweep is inconclusive: {process.returncode}")
    check("go on with --resume" in errors, "it says how to go on")
    check(workers and not any(os.path.exists(f"/proc/{pid}") for pid in workers),
          "no worker is left")
    check(rows(folder / "interrupted")[2] == [(0,)], "its file says that it is not complete")
    fewer = run(*words[:3], 100, *words[4:], "--resume", code=2)
    check("fewer are asked for" in fewer.stderr, "a sweep does not shrink")


def a_rule_stops_at_the_same_run(folder):
    rule = ["--until", "ettr.ci95 < 0.01", "--vary", "/jobs/0/policy/config/max_failures=2,3"]
    run("sweep", QUICK, "--out", folder / "until1", "-j", 1, *rule, code=1)
    run("sweep", QUICK, "--out", folder / "until3", "-j", 3, *rule, code=1)
    expected = rows(folder / "until1")
    check(rows(folder / "until3") == expected, "a stop rule stops where it stops with one process")
    check(64 <= len(expected[0]) < 4000, f"it stopped: {len(expected[0])} rows")


def recordings_are_kept(folder):
    done = run("sweep", QUICK, "--out", folder / "kept", "--runs", 20, "--keep", "worst:2",
               "--metric", "/jobs/0/checkpoints", code=2)
    check("--metric" in done.stderr, "an unknown place of the summary is refused")
    run("sweep", QUICK, "--out", folder / "kept", "--runs", 20, "--keep", "worst:2", code=1)
    files = sorted((folder / "kept.recordings").iterdir())
    check(len(files) == 2 and all(file.name.endswith(".aftershock.zst") for file in files),
          f"two recordings are kept: {files}")
    with sqlite3.connect(folder / "kept") as database:
        worst = database.execute("select replica, hash from run order by useful_share "
                                 "limit 2").fetchall()
        kept = database.execute("select replica, path from recording").fetchall()
    check({replica for replica, _ in worst} == {replica for replica, _ in kept},
          "those with the least useful work")
    for _, path in kept:
        check(run("why", path).stdout != "", "a kept recording opens")
    run("sweep", QUICK, "--out", folder / "kept", "--runs", 22, "--keep", "all", "--resume", code=1)
    with sqlite3.connect(folder / "kept") as database:
        paths = [path for path, in database.execute("select path from recording")]
    check(len(paths) == 22 and all(os.path.exists(path) for path in paths),
          "of a sweep that kept some all are recorded when it goes on")


def what_is_asked_for_is_shown(folder):
    done = run("sweep", QUICK, "--out", folder / "shown", "--runs", 20, "--metric",
               "/jobs/0/lost/steps", "--metric", "/jobs/0/lost/us", "--metric",
               "/jobs/0/budgets/0/used", code=1)
    with sqlite3.connect(folder / "shown") as database:
        mean, lost = database.execute('select avg("/jobs/0/lost/steps"), avg(lost_us) '
                                      "from run").fetchone()
    check(f"/jobs/0/lost/steps: {mean:.6g}; /jobs/0/lost/us: " in " ".join(done.stdout.split())
          and lost > 0
          and "/jobs/0/budgets/0/used: no number in any run" in " ".join(done.stdout.split()),
          f"the table has what was asked for: {done.stdout}")
    check('"/jobs/0/budgets/0/used": the first run has no number there' in done.stderr
          and done.stderr.count("no number there") == 1, f"and it is warned: {done.stderr}")


def keeps_no_more_than_asked_for(folder):
    def kept(name):
        with sqlite3.connect(folder / name) as database:
            listed = database.execute("select cell, replica from recording").fetchall()
            worst = database.execute("select cell, replica from run order by useful_share, cell, "
                                     "replica limit 2").fetchall()
        return sorted(listed), sorted(worst)

    def files(name):
        return sorted(file.name for file in (folder / f"{name}.recordings").iterdir())

    words = ["sweep", QUICK, "--out", folder / "fewer", "--keep", "worst:2"]
    run(*words, "--runs", 4)
    (folder / "fewer.recordings/mine.txt").write_text("mine")
    first = files("fewer")
    run(*words, "--runs", 60, "--resume", code=1)
    listed, worst = kept("fewer")
    check(listed == worst, f"those of the whole sweep: {listed}, not {worst}")
    check(files("fewer") != first, "other runs are the worst now")
    names = sorted(f"cell-{cell}-run-{replica}.aftershock.zst" for cell, replica in listed)
    check(files("fewer") == [*names, "mine.txt"], f"what is not ours is left: {files('fewer')}")
    for shard in (1, 2):
        run("sweep", QUICK, "--out", folder / f"k{shard}", "--shard", f"{shard}/2", "--runs", 60,
            "--keep", "worst:2", code=1)
    run("sweep", "merge", folder / "kmerged", folder / "k1", folder / "k2", code=1)
    check(kept("kmerged") == (worst, worst), f"two of all shards: {kept('kmerged')}")


def a_shard_that_lacks_a_row_is_refused(folder):
    vary = ["--vary", "/jobs/0/policy/config/max_failures=1..3", "--runs", 20]
    for shard in (1, 2):
        run("sweep", QUICK, "--out", folder / f"l{shard}", "--shard", f"{shard}/2", *vary, code=1)
    with sqlite3.connect(folder / "l2") as database:
        database.execute("delete from run where cell = 1 and replica = 7")
    done = run("sweep", "merge", folder / "lacking", folder / "l1", folder / "l2", code=2)
    check("l2: says that it is complete, but run 7 of cell 1 is missing; go on with" in done.stderr,
          done.stderr)
    check(not (folder / "lacking").exists(), "nothing is merged")
    run("sweep", QUICK, "--out", folder / "l2", "--shard", "2/2", *vary, "--resume", code=1)
    run("sweep", "merge", folder / "lacking", folder / "l1", folder / "l2", code=1)
    check(len(rows(folder / "lacking")[0]) == 60, "made again, it is there")


def wait_until_it_minds(process, number):
    """A process that has only begun dies of signals, as any."""
    until = time.monotonic() + 60
    while time.monotonic() < until and process.poll() is None:
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
        masks = [int(line.split()[1], 16) for line in status.splitlines()
                 if line.startswith(("SigCgt:", "SigBlk:"))]
        if any(mask >> (number - 1) & 1 for mask in masks):
            return
        time.sleep(0.01)


def an_interrupt_of_an_estimate_says_what_was_kept(folder):
    words = ["sweep", "tests/validation/splitting_mixed.json", "--rare", "--effort", 100000]
    for number in (signal.SIGINT, signal.SIGHUP):
        process = start(*words)
        wait_until_it_minds(process, number)
        process.send_signal(number)
        _, errors = process.communicate(timeout=60)
        has(f"{errors}, exit {process.returncode}", "nothing was kept", "begin again", ", exit 8")
    process = start("matrix", "scenarios/ring16.json", "--pairs", "--out", folder / "pairs.sqlite")
    wait_until_it_minds(process, signal.SIGINT)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    check(process.returncode == 8 and "the same command goes on" in errors,
          f"{process.returncode}: {errors}")


def a_rule_that_is_not_met_is_inconclusive(folder):
    # A name of a scenario's `expect` means the same here.
    run("sweep", QUICK, "--out", folder / "placed", "--runs", 40, "--until",
        "llm.lost.steps.n == 32 and lost_steps.n == 32", code=1)
    check(len(rows(folder / "placed")[0]) == 32, "a place of the summary stops a sweep")
    done = run("sweep", QUICK, "--out", folder / "unmet", "--runs", 2, "--until",
               "ettr.ci95 < 1e-9", code=8)
    check("was not reached with 2 runs a cell" in done.stderr, done.stderr)
    done = run("sweep", QUICK, "--out", folder / "red", "--runs", 20, "--until",
               "ettr.ci95 < 1e-9", code=1)
    check("was not reached with 20 runs a cell" in done.stderr, "a run that failed comes first")
    one = run("sweep", QUICK, "--out", folder / "single", "--runs", 1).stdout
    check("0.9723 (too few runs)" in one, one)


def a_mean_stays_where_values_are(folder):
    run("sweep", QUICK, "--out", folder / "few", "--runs", 3, "--vary", f"{BUDGET}=0,3", code=4)
    with sqlite3.connect(folder / "few") as database:
        few = [row[0] for row in database.execute("select ettr from run where cell = 1")]
    check(len(few) == 3, "three runs")
    told = json.loads(run("sweep", "merge", folder / "few_again", folder / "few", "--json",
                          code=4).stdout)
    for cell in told["cells"]:
        shares = [(name, cell[name]) for name in ("ettr", "useful_share")]
        for name, mean in [*shares, *cell["metrics"].items()]:
            if mean and mean["low"] is not None:
                bounded = name in ("ettr", "useful_share", "completed", "alive", "failed", "stuck",
                                   "exhausted")
                top = 1 if bounded else float("inf")
                check(0 <= mean["low"] <= mean["value"] <= mean["high"] <= top, f"{name}: {mean}")


def a_full_disk_leaves_no_part(folder):
    if os.geteuid() != 0:
        return
    small = folder / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", small],
                      capture_output=True).returncode != 0:
        return
    try:
        run("sweep", LONG, "--out", small / "kept", "--runs", 4, "--keep", "all", code=2)
        check(not list(small.glob("**/*.part")), f"{list(small.glob('**/*'))}")
    finally:
        subprocess.run(["umount", small], check=False)


def a_killed_sweep_leaves_no_part_for_good(folder):
    """What SIGKILL leaves of recordings goes when the sweep goes on; an interrupt leaves none."""
    words = ["sweep", LONG, "--out", folder / "parts", "--runs", 200, "--keep", "all", "--quiet"]
    kept = folder / "parts.recordings"
    process = start(*words)
    deadline = time.monotonic() + 60
    while not list(kept.glob("*.zst")) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.kill()
    process.communicate(timeout=60)
    (kept / "cell-0-run-7.aftershock.zst.part.aftershock.zst").write_bytes(b"torn")
    (kept / "mine.txt").write_text("of somebody else")
    process = start(*words, "--resume")
    begun(folder / "parts", process)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    check(not list(kept.glob("*.part*")), f"parts are left: {list(kept.glob('*.part*'))}")
    check((kept / "mine.txt").exists(), "what is not ours stays")


def rare_events_are_estimated(folder):
    words = ["sweep", "tests/validation/splitting_mixed.json", "--rare", "--effort", 40,
             "--repetitions", 4, "--json"]
    first = run(*words)
    check("are few" in first.stderr, "too little effort is warned of")
    found = json.loads(first.stdout)
    check(0 < found["lo"] <= found["probability"] <= found["hi"] < 1, "an estimate has an interval")
    check(run(*words, "-j", 1).stdout == first.stdout, "threads do not change an estimate")


def wrong_words_are_refused(folder):
    out = ["--out", folder / "never"]
    rows_ = [
        (["sweep"], "scenario file is missing"),
        (["sweep", QUICK], "--out FILE is missing"),
        (["sweep", QUICK, *out, "--runs", "0"], "--runs \"0\": expected a whole number"),
        (["sweep", QUICK, *out, "--jobs", "x"], "--jobs"),
        (["sweep", QUICK, *out, "--shard", "4/3"], "expected K/N"),
        (["sweep", QUICK, *out, "--vary", "/seed"], "is not NAME=VALUE"),
        (["sweep", QUICK, *out, "--vary", "/jobs/0/stepp=1s"], "did you mean"),
        (["sweep", QUICK, *out, "--vary", "policy=ray_trian"], "ray_train"),
        (["sweep", QUICK, *out, "--vary", "policy=torchrun", "--policy", "nvrx"],
         "is varied as well"),
        (["sweep", QUICK, *out, "--until", "etr > 1"], "did you mean \"ettr\""),
        (["sweep", QUICK, *out, "--until", "lots.us > 1"], "did you mean \"lost_us\""),
        (["sweep", QUICK, *out, "--until", "/jobs/1/ettr > 1"], "expected /jobs/0"),
        (["sweep", QUICK, *out, "--until", "ettr > 1", "--shard", "1/2"], "--until"),
        (["sweep", QUICK, *out, "--until", "outcome == 'completed'"],
         '1: "/jobs/0/outcome" of the summary is text; expected a number, such as completed'),
        (["sweep", QUICK, *out, "--until", "ettr > 1 and budgets > 3"], '14: "/jobs/0/budgets" of'),
        (["sweep", LONG, *out, "--until", "cost < 5"], "nothing has a price; expected a \"price"),
        (["sweep", QUICK, *out, "--metric", "/jobs/0/reason"], "is text"),
        (["sweep", QUICK, *out, "--metric", "/jobs/0/budgets"], "/jobs/0/budgets/NAME/used"),
        (["sweep", QUICK, *out, "--metric", "/jobs/5/ettr"], "expected /jobs/0"),
        (["sweep", QUICK, *out, "--keep", "some"], "expected all"),
        (["sweep", "missing.json", *out], "missing.json"),
        (["sweep", QUICK, "--out", "/nowhere/at/all"], "/nowhere/at/all"),
        (["sweep", QUICK, "--out", QUICK], "is there already"),
        (["sweep", QUICK, "--out", QUICK, "--resume"], "is not a file of results"),
        (["sweep", QUICK, "--rare", *out], "does not go with --out"),
        (["sweep", QUICK, "--rare"], "strikes at a share of a phase"),
        (["sweep", QUICK, "--effort", "10", *out], "go with --rare"),
        (["sweep", QUICK, "--rare", "--effort", "1"], "--effort"),
        (["sweep", "merge", folder / "x", folder / "y"], "y: unable to open"),
        (["sweep", QUICK, *out, "--where", "/seed > 1"], "--where: goes with --vary"),
        (["sweep", QUICK, "--out", folder], "is a directory; expected the name of a file to make"),
        (["sweep", QUICK, "--out", "/dev/null"], "/dev/null: is a device or a pipe"),
        (["sweep", QUICK, "--out", "/dev/zero", "--resume"], "expected a file of results"),
        (["sweep", "merge", folder / "x", "/dev/zero"], "expected a file of results"),
        (["sweep", QUICK, "--out", folder / "one", "--resume"], "holds another sweep"),
    ]
    for words, message in rows_:
        done = run(*words, code=2)
        check(message in done.stderr, f"{words}: no {message!r} in {done.stderr!r}")
        check(done.stdout == "", f"{words}: nothing on standard output")
    check(not (folder / "never").exists(), "what was refused leaves no file")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for test in (sizes_do_not_matter, quiet_is_loud_where_it_is_red, rows_are_runs,
                     parameters_have_one_form, nothing_random_has_no_interval,
                     kills_cost_nothing, an_interrupt_ends_cleanly, a_rule_stops_at_the_same_run,
                     recordings_are_kept, what_is_asked_for_is_shown, keeps_no_more_than_asked_for,
                     a_shard_that_lacks_a_row_is_refused,
                     an_interrupt_of_an_estimate_says_what_was_kept,
                     a_rule_that_is_not_met_is_inconclusive, a_mean_stays_where_values_are,
                     a_full_disk_leaves_no_part, a_killed_sweep_leaves_no_part_for_good,
                     rare_events_are_estimated, wrong_words_are_refused):
            test(folder)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
