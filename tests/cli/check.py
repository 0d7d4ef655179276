"""`aftershock check` as CI runs it; see check.sh."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True

import expecting
from expecting import PROGRAM, check, failures, has

QUICK = "tests/data/check/quick.json"
QUICK_TEXT = pathlib.Path(QUICK).read_text()
LONG = "scenarios/reference_54_days.json"
BUDGET = "/jobs/0/policy/config/max_failures"


def run(*words, **more):
    return expecting.run("check", *words, **more)


def workers_of(process):
    """The processes that it has started, as soon as there are some."""
    listed = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while process.poll() is None:
        try:
            if found := listed.read_text().split():
                return found
        except OSError:
            break
        time.sleep(0.01)
    return []


def a_smaller_budget_is_red(folder):
    base = folder / "base.json"
    run(QUICK, "--baseline", base, "--update-baseline")
    red = run(QUICK, "--baseline", base, "--set", f"{BUDGET}=2", code=1).stdout
    # Of the three charges of quickstart the third one ends the job where two are granted.
    has(red, "worse, failed: tests/data/check/quick.json, ray_train@2026-05, seed 36\n",
        "completed              yes -> no\n", "ettr                   97.2",
        "first decision that acts otherwise: number ", "max_failures 2 to 3 of 2",
        "before it the first decision with another limit: number 13, at 05:02:01",
        "max_failures 0 to 1 of 3", "max_failures 0 to 1 of 2",
        f"aftershock run tests/data/check/quick.json --seed 36 --set {BUDGET}=2\n",
        "aftershock view quickstart-36.aftershock\n")
    without = folder / "without.json"
    without.write_text(json.dumps({"extends": str(pathlib.Path(QUICK).resolve()), "expect": []}))
    run(without, "--baseline", base, "--update-baseline")
    red = run(without, "--baseline", base, "--set", f"{BUDGET}=2", code=7).stdout
    has(red, f"worse: {without}, ray_train@2026-05, seed 36\n",
        "worse than the baseline: exit code 7")


def another_horizon_is_judged_by_shares(folder):
    """Ten days without a failure, and ten more of which a node is away for seven."""
    away = folder / "away.json"
    run_init = expecting.run("init", "--gpu", 64, "--days", 10)
    scenario = json.loads(run_init.stdout)
    scenario["faults"] = [{"id": "away", "kind": "node_crash", "target": "node:gpu-1", "at": "12d",
                           "lasts": "7.5d"}]
    scenario["cluster"]["pools"][0]["spares"] = 0
    del scenario["expect"]
    away.write_text(json.dumps(scenario))
    base = folder / "away-base.json"
    run(away, "--baseline", base, "--update-baseline", "--set", "/until=10d")
    red = run(away, "--baseline", base, "--set", "/until=20d", code=7).stdout
    has(red, "the horizon is another one: useful_share and ETTR are judged", "worse: decides")


def an_improvement_is_green(folder):
    base = folder / "low.json"
    run(QUICK, "--baseline", base, "--update-baseline", "--set", f"{BUDGET}=2", code=1)
    has(run(QUICK, "--baseline", base).stdout, "better: tests/data/check/quick.json, ray_train",
        "    verdict failed -> passed; decision ", "passed\n")
    red = run(QUICK, "--baseline", base, "--strict", code=7).stdout
    has(red, "verdict                failed -> passed\n", "(--strict): exit code 7")


def identical_runs_are_green(folder):
    base = folder / "same.json"
    words = [QUICK, "scenarios/ray", "--tag", "ci", "--baseline", base]
    run(*words, "--update-baseline", "-j", 1)
    first = base.read_bytes()
    run(*words, "--update-baseline", "-j", 4)
    check(base.read_bytes() == first, "a baseline is the same however many processes made it")
    outputs = {run(*words, "--strict", "-j", jobs).stdout for jobs in (1, 2, 4) * 4}
    check(len(outputs) == 1, f"what is said is the same: {outputs}")
    lines = first.decode().splitlines()
    runs = [json.loads(line.rstrip(",")) for line in lines[2:-4]]
    check(runs == sorted(runs, key=lambda r: (r["scenario"], r["seed"])),
          "lines are sorted")
    check(all(list(r) == sorted(r) for r in runs), "keys are sorted")
    check(len([r for r in runs if r["scenario"].endswith(QUICK)]) == 4, "a line a seed")


def a_killed_worker_costs_nothing(folder):
    base = folder / "long.json"
    words = [LONG, "--set", "/check/seeds=24", "--baseline", base, "-j", "2"]
    run(*words, "--update-baseline")
    process = subprocess.Popen([PROGRAM, "check", *map(str, words), "--strict"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    children = workers_of(process)
    for child in children[:1]:
        os.kill(int(child), signal.SIGKILL)
    out, errors = process.communicate(timeout=600)
    check(process.returncode == 0, f"a killed worker costs nothing: {out[-300:]}{errors[-300:]}")
    if children:
        has(errors, "a worker died over scenarios/reference_54_days.json, seed ")
    process = subprocess.Popen([PROGRAM, "check", *map(str, words), "--update-baseline"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    before = base.read_bytes()
    workers_of(process)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    check(process.returncode == 8 and "interrupted" in errors or process.returncode == 0,
          f"an interrupt is inconclusive: {process.returncode} {errors}")
    check(base.read_bytes() == before, "an interrupted check leaves the baseline")
    check(not list(folder.glob("*.part")), "no part of a file is left")


def what_cannot_be_used_stops_no_other(folder):
    tree = folder / "tree"
    (tree / "a").mkdir(parents=True)
    expecting.extend(QUICK, tree / "a" / "good.json")
    (tree / "broken.json").write_text('{\n "schema": 1,\n "name": 3\n}\n')
    (tree / "x.schema.json").write_text("no scenario")
    (tree / "notes.txt").write_text("no scenario")
    junit, markdown = folder / "junit.xml", folder / "summary.md"
    done = run(tree, "--junit", junit, "--markdown", markdown, "--github", code=2)
    has(done.stderr, "broken.json:3:10: /name: is a number")
    has(done.stdout, "4 runs of 1 scenario: 4 passed, 1 file cannot",
        f"::error file={tree}/broken.json,line=3,col=10,title=scenario cannot be used::")
    has(markdown.read_text(), "| **cannot be used** |")
    if shutil.which("xmllint"):
        valid = subprocess.run(["xmllint", "--noout", "--schema", "tests/data/check/junit.xsd",
                                junit], capture_output=True, text=True)
        check(valid.returncode == 0, valid.stderr)
    base = folder / "never.json"
    run(tree, "--baseline", base, "--update-baseline", code=2)
    check(not base.exists(), "no baseline is made of what cannot be used")


def a_baseline_is_kept_in_its_tree(folder):
    tree = folder / "kept"
    tree.mkdir()
    expecting.extend(QUICK, tree / "good.json")
    words = (tree, "--baseline", tree / "base.json")
    run(*words, "--update-baseline")
    run(*words, "--update-baseline")
    has(run(*words).stdout, "4 runs of 1 scenario: 4 same")
    # It does not count as a scenario for commands that do not compare with it either, nor if it is
    # another's.
    (tree / "old.json").write_text('{"runs": [], "schema": 1}')
    has(run(*words).stdout, "4 runs of 1 scenario: 4 same")
    has(run(tree).stdout, "4 runs of 1 scenario")
    (tree / "half.json").write_text('{"name": "half", "runs": [], "schema": 1}')
    has(run(tree, code=2).stderr, "half.json:1:")


def what_is_no_file_is_not_waited_for(folder):
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    for path, words in ((pipe, "is a pipe that nobody writes to"), (folder, "is a directory"),
                        ("/dev/zero", "is a device")):
        began = time.monotonic()
        has(run(QUICK, "--baseline", path, code=2).stderr, words)
        if path != folder:
            has(run(path, code=2).stderr, words)
        check(time.monotonic() - began < 60, f"{path} does not hold it up")


def ranks_do_not_repeat_it(_):
    for rank in "012":
        done = run(QUICK, code=2, env={"OMPI_COMM_WORLD_SIZE": "3", "OMPI_COMM_WORLD_RANK": rank})
        check(done.stdout == "" and ("launcher started 3" in done.stderr) == (rank == "0"),
              f"rank {rank}: {done.stderr}")
    run(QUICK, env={"OMPI_COMM_WORLD_SIZE": "1", "OMPI_COMM_WORLD_RANK": "0"})


def interrupted_after(seconds, junit):
    """How many of 10,000 runs had not been made when the check was asked to end."""
    process = subprocess.Popen([PROGRAM, "check", LONG, "--set", "/check/seeds=10000", "-j", "2",
                                "--junit", junit], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True)
    workers_of(process)
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=120)
    check(process.returncode == 8 and "interrupted" in errors, f"{process.returncode} {errors}")
    has(out, "not run; interrupted: exit code 8\n")
    text = junit.read_text()
    check(text.count("<testcase ") == 10000, "every run is there")
    return text.count("interrupted before it was run")


def an_interrupted_check_tells_what_was_run(folder):
    # How soon the first run is over depends on the machine, and on who else uses it.
    for seconds in (1, 5, 20):
        if (left := interrupted_after(seconds, folder / "cut.xml")) < 10000:
            break
    check(0 < left < 10000, f"some were made, some not: {left} are left")


def a_random_scenario_has_more_than_one_seed(folder):
    random = folder / "random.json"
    random.write_text(json.dumps({"extends": str(pathlib.Path(LONG).resolve()),
                                  "check": None, "expect": [], "until": "2d"}))
    base = folder / "random_base.json"
    words = "8 seeds: the scenario is random and says nothing of check.seeds\n"
    has(run(random, "--baseline", base, "--update-baseline").stdout, "8 runs of 1 scenario", words)
    has(run(random, "--baseline", base).stdout, "8 runs of 1 scenario: 8 same", words)
    told = json.loads(run(random, "--json").stdout)["unsaid_seeds"]
    check(told == {"seeds": 8, "scenarios": [str(random)]}, f"--json says it: {told}")
    one = run(random, "--set", "/check/seeds=1").stdout
    check(one.startswith("1 run of 1 scenario"), f"what it says holds: {one}")
    still = run("scenarios/no_resume.json").stdout
    check(still.startswith("1 run of 1 scenario"), f"nothing is random, and one is enough: {still}")


def margins_of_a_scenario_hold(folder):
    base = folder / "margins.json"
    run(QUICK, "--baseline", base, "--update-baseline")
    slower = ["--set", "/jobs/0/phases/launching=10min", "--baseline", base]
    has(run(QUICK, *slower, code=7).stdout, "finish_us ", "margin 00:02:03)  worse: decides",
        "the scenario is another one than the baseline was made with")
    # The run that starts later had less work in hand when its fault struck.
    later = ["--set", "/check/margins/finish_us=2h", "--set", "/check/margins/ettr=0.02"]
    has(run(QUICK, *slower, *later).stdout,
        "better: tests/data/check/quick.json, ray_train@2026-05, seed 36\n")
    has(run(QUICK, *slower, *later, "--set", "/check/margins/lost_us=1h").stdout,
        "changed: tests/data/check/quick.json, ray_train@2026-05, seed 36\n")
    has(run(QUICK, *slower, "--set", "/check/margins/etr=1", code=2).stderr,
        'unknown metric "etr"', 'did you mean "ettr"?')


def two_builds_meet_new_seeds(folder):
    scenario = folder / "fresh.json"
    scenario.write_text(json.dumps({"extends": str(pathlib.Path(QUICK).resolve()), "expect": []}))
    other = folder / "other build"
    other.write_text(f'#!/bin/sh\nexec "{PROGRAM}" "$@" --set {BUDGET}=4\n')
    other.chmod(0o755)
    same = run(scenario, "--fresh", 100, "--fresh-runs", 16, "--against", PROGRAM)
    has(same.stdout, "same: ", "16 new seeds from 100\n")
    worse = run(scenario, "--fresh", 100, "--fresh-runs", 16, "--against", other, "--set",
                f"{BUDGET}=1", code=7)
    has(worse.stdout, f"worse: {scenario}, ray_train@2026-05, 16 new seeds from 100\n",
        "completed              -", "  worse\n", "shows it best", f"--against '{other}'\n")
    better = run(scenario, "--fresh", 100, "--fresh-runs", 16, "--against", other, "--set",
                 f"{BUDGET}=20")
    check("worse:" not in better.stdout, better.stdout)
    none = run(scenario, "--fresh", 1, "--against", "/nowhere/aftershock", code=2)
    has(none.stdout, "not compared: ", "/nowhere/aftershock: cannot be started: No such file")
    hangs = folder / "hangs"
    hangs.write_text("#!/bin/sh\nexec sleep 60\n")
    hangs.chmod(0o755)
    has(run(scenario, "--fresh", 1, "--against", hangs, "--timeout", 1, code=2).stdout,
        "not done after 1 s, and killed")
    process = subprocess.Popen([PROGRAM, "check", scenario, "--fresh", "1", "--fresh-runs", "2",
                                "--against", hangs, "--junit", folder / "hangs.xml"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None:
        asleep = workers_of(process)
        if any(b"sleep" in pathlib.Path(f"/proc/{child}/cmdline").read_bytes() for child in asleep
               if pathlib.Path(f"/proc/{child}").exists()):
            break
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    check(process.returncode == 8, f"an interrupt is inconclusive: {process.returncode}")
    has((folder / "hangs.xml").read_text(), "2 new seeds from 1",
        "interrupted before it was run")
    has(run(scenario, "--fresh", 1, "--against", "true", code=2).stdout,
        "true: ended with exit code 0, and left no results")


def names_do_no_harm(folder):
    hostile = folder / "<b>&\"'\n::error::%,|`x`\x01.json"
    expecting.extend(QUICK, hostile)
    base, junit = folder / "hostile.json", folder / "hostile.xml"
    run(hostile, "--baseline", base, "--update-baseline")
    check(len(base.read_text().splitlines()) == 10, "a line a run, whatever its name is")
    done = run(hostile, "--baseline", base, "--set", f"{BUDGET}=1", "--junit", junit, "--github",
               "--markdown", folder / "hostile.md", code=1)
    starts = [line for line in done.stdout.splitlines() if line.startswith("::")]
    check(len(starts) == 4 and all(line.startswith("::error file=") for line in starts),
          f"an annotation a red run: {starts}")
    check("\x01" not in done.stdout, "nothing for a terminal to obey")
    command = next(line for line in done.stdout.splitlines() if " --record " in line)
    pasted = command.replace("aftershock run", f"'{PROGRAM}' run")
    made = subprocess.run(["bash", "-c", pasted], cwd=folder, capture_output=True)
    check(made.returncode == 1, f"it can be pasted: {command}")
    expecting.extend(QUICK, folder / "-x.json")
    done = run("--set", f"{BUDGET}=1", "--", "-x.json", code=1, cwd=folder)
    has(done.stdout, "  aftershock run ./-x.json --seed 36")
    name = os.fsencode(folder) + b"/\xff.json"
    expecting.extend(QUICK, name)
    told = folder / "told.md"
    raw = subprocess.run([PROGRAM, "check", name, "--github", "--markdown", told, "--set",
                          f"{BUDGET}=1"], capture_output=True)
    for text in (raw.stdout, told.read_bytes()):
        check("\N{REPLACEMENT CHARACTER}" in text.decode() or "\\377" in text.decode(), text)
    if shutil.which("xmllint"):
        valid = subprocess.run(["xmllint", "--noout", "--schema", "tests/data/check/junit.xsd",
                                junit], capture_output=True, text=True)
        check(valid.returncode == 0, valid.stderr)


def outputs_are_for_programs_too(folder):
    base = folder / "json.json"
    run(QUICK, "--baseline", base, "--update-baseline", "--quiet")
    told = json.loads(run(QUICK, "--baseline", base, "--json", "--set", f"{BUDGET}=2",
                          code=1).stdout)
    first = told["runs"][0]
    check(told["exit_code"] == 1 and first["standing"] == "worse" and first["red"],
          f"--json says it: {first['standing']}")
    check(first["decision"]["before"]["decision"] != first["decision"]["now"]["decision"],
          "with the decision")
    green = run(QUICK, "--baseline", base, "--quiet")
    check(green.stdout == green.stderr == "", "--quiet says nothing")
    for more, code, words in (
            ([], 1, "seed 36: 1 of 2 expectations failed: /jobs/0/outcome: "),
            (["--update-baseline"], 1, "4 not passed; failed")):
        red = run(QUICK, "--baseline", base, "--quiet", "--set", f"{BUDGET}=1", *more, code=code)
        check(red.stdout == "" and red.stderr.count("\n") == 1 and "seed 36" in red.stderr
              and words in red.stderr, f"--quiet says why it is red: {red.stderr}")


def wrong_words_are_refused(folder):
    bad = folder / "bad.json"
    bad.write_text('{"schema": 1, "runs": []}')
    (folder / "none_in_it.json").write_text('{"schema": 2, "runs": []}')
    run(QUICK, "--baseline", folder / "wrong.json", "--update-baseline")
    rows = [
        (["missing.json"], "missing.json: No such file"),
        ([], "PATHS is required"),
        ([folder / "empty"], "no scenario files in"),
        ([QUICK, "--tag", "cii"], "none of 1 scenarios has the tag \"cii\""),
        ([QUICK, "--strict"], "--strict: goes with --baseline"),
        ([QUICK, "--update-baseline"], "--update-baseline: goes with --baseline"),
        ([QUICK, "--baseline", folder / "none.json"], "there is no baseline"),
        ([QUICK, "--baseline", "scenarios/no_resume.json"], "is not a baseline"),
        ([QUICK, "--baseline", "scenarios/no_resume.json", "--update-baseline"],
         "take it away first"),
        ([QUICK, "--baseline", QUICK], "is a scenario as well"),
        ([QUICK, "--junit", "./" + QUICK], "is a scenario as well"),
        ([QUICK, "--junit", folder / "same", "--markdown", folder / "same"],
         "is --junit as well"),
        ([QUICK, "--baseline", bad], "schema 1, and this program reads 2"),
        ([QUICK, "--baseline", folder / "none_in_it.json"], "not one of its lines is about these"),
        ([QUICK, "--fresh", "1"], "--fresh: goes with --against"),
        ([QUICK, "--against", PROGRAM], "--against: goes with --fresh"),
        ([QUICK, "--fresh-runs", "3"], "--fresh-runs: goes with --fresh"),
        ([QUICK, "--timeout", "3"], "--timeout: goes with --fresh"),
        ([QUICK, "--fresh", "1", "--against", PROGRAM, "--timeout", "0"],
         "--timeout \"0\": expected a whole number"),
        ([QUICK, "--fresh", "x", "--against", PROGRAM], "--fresh \"x\": expected a whole number"),
        ([QUICK, "-j", "0"], "--jobs \"0\": expected a whole number"),
        ([QUICK, "--json", "--github"], "--github"),
        ([QUICK, "--junit", "/nowhere/x.xml"], "/nowhere/x.xml: No such file"),
        ([QUICK, "--basline", "x"], "did you mean --baseline?"),
        ([QUICK, "--baseline", "/nowhere/x.json", "--update-baseline"], "/nowhere/x.json: No such"),
    ]
    (folder / "empty").mkdir()
    for words, message in rows:
        has(run(*words, code=2).stderr, message)
    check(QUICK_TEXT == pathlib.Path(QUICK).read_text(), "what was named as an output is as it was")


def main():
    for test in (a_smaller_budget_is_red, another_horizon_is_judged_by_shares,
                 an_improvement_is_green, identical_runs_are_green,
                 a_killed_worker_costs_nothing, what_cannot_be_used_stops_no_other,
                 a_baseline_is_kept_in_its_tree,
                 what_is_no_file_is_not_waited_for, ranks_do_not_repeat_it,
                 an_interrupted_check_tells_what_was_run,
                 a_random_scenario_has_more_than_one_seed, margins_of_a_scenario_hold,
                 two_builds_meet_new_seeds, names_do_no_harm, outputs_are_for_programs_too,
                 wrong_words_are_refused):
        with tempfile.TemporaryDirectory() as name:
            test(pathlib.Path(name))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
