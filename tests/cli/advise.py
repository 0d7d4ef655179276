"""Advice as its users ask for it; see advise.sh."""
import json
import math
import pathlib
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True

from expecting import PROGRAM, a_starter, advise, begun, check, failures, run

REFERENCE = "scenarios/reference_54_days.json"


def daly(interval, blocking, restart, downtime, mtbf):
    """Oracle O4: efficiency; all in seconds."""
    return interval / (math.exp(restart / mtbf) * (mtbf + downtime) *
                       math.expm1((interval + blocking) / mtbf))


def daly_assumptions_hold():
    """The reference workload meets them: the simulated optimum is as good as the formula's, at
    each rate, and so is every choice."""
    got = advise(REFERENCE, "--choose", "checkpoint=6min,10min,798s,20min,30min", "--runs", 80)
    best = {}
    for rate in got["rates"]:
        mtbf = 54 * 86400 / 419 / rate["rate"]
        for choice in rate["choices"]:
            interval = {"6min": 360, "10min": 600, "798s": 798, "20min": 1200,
                        "30min": 1800}[choice["parameters"]["/jobs/0/checkpoint/every"]]
            exact = daly(interval, 30, 600, 60, mtbf)
            check(abs(choice["ettr_by_formula"] - exact) < 1e-12, f"formula at {interval} s")
            check(abs(choice["ettr"]["value"] - exact) < 0.005,
                  f"{interval} s at {rate['rate']}: {choice['ettr']['value']} for {exact}")
            best.setdefault(rate["rate"], []).append((exact, choice["ettr"]["value"]))
    for rate, values in best.items():
        exact = max(value for value, _ in values)
        simulated = max(value for _, value in values)
        check(abs(simulated / exact - 1) < 0.005,
              f"optimum at {rate}: {simulated} and {exact} are 0.5 % apart or more")
    check(got["limits"] == [], f"nothing of Daly's is amiss: {got['limits']}")
    # O3, higher order: sqrt(2 d M) (1 + sqrt(d / 2M) / 3 + d / 18M) - d = 797.5 s.
    check(any("Daly's interval" in word and "00:13:18" in word for word in got["words"]),
          f"Daly's interval is told: {got['words']}")


def budgets_keep_goals(folder):
    path = a_starter(folder)
    goal = "p(exhausted) < 0.01 and max ettr"
    now = ["--set", "/jobs/0/policy/config/max_failures=5"]
    got = advise(path, *now, "--goal", goal, "--choose", "max_failures=5,10,20,40", "--runs", 400)
    check(got["present"] == 0 and got["gain"]["value"] > 0.1, f"against 5: {got['gain']}")
    # 1024 GPUs for 30 days: m = 128 nodes * 30 d * 419 / (54 d * 2048 nodes) = 14.5 failures.
    choices = got["rates"][0]["choices"]
    check([choice["keeps"] for choice in choices][0] == "no", "5 retries are not enough for 14.5")
    check(choices[got["chosen"]]["parameters"] ==
          {"/jobs/0/policy/config/max_failures": "40"}, f"40 retries are chosen: {got['chosen']}")
    for choice, least, most in zip(choices, (0.98, 0.80, 0.03, 0), (1, 0.91, 0.10, 1e-6)):
        check(least <= choice["p_exhausted_by_formula"] <= most,
              f"Poisson of {choice['label']}: {choice['p_exhausted_by_formula']}")
    twice = got["rates"][2]["choices"][got["chosen"]]
    check(got["rates"][2]["rate"] == 2 and twice["parameters"], "twice the rate is there")
    check([choice["runs"] for choice in choices] == [400] * 4, "as things are all runs are made")
    for rate in got["rates"][1:]:
        for choice in rate["choices"]:
            looked = choice["keeps"] in ("surely", "no") and choice["runs"] in (100, 200)
            check(looked or choice["runs"] == 400, f"{choice['runs']} runs: {choice['keeps']}")
    patched = folder / "patched.json"
    patched.write_text(json.dumps({"extends": "starter.json", **got["patch"]}))
    run("validate", patched)
    composed = json.loads(run("validate", patched, "--composed").stdout)
    check(composed["jobs"][0]["policy"]["config"]["max_failures"] == 40, "the patch does it")
    flagged = json.loads(run("validate", path, "--composed", *got["flags"]).stdout)
    check(flagged["jobs"] == composed["jobs"], "the flags do what the patch does")


def nothing_keeps_the_goal(folder):
    path = a_starter(folder)
    few = ["advise", path, "--set", "/jobs/0/policy/config/max_failures=1"]
    done = run(*few, "--goal", "p(exhausted) < 1% and max ettr", "--choose",
               "max_failures=1,2", "--runs", 20, code=1)
    said = " ".join(done.stdout.split())
    check("Against max_failures=1: useful work +0.0" in said, said[:500])
    check("No choice is almost certain to meet the goal. The nearest is max_failures=2" in said,
          "the nearest")
    check("20 of 20 runs end with exhausted(max_failures)" in said, "what limits it")
    check("max_failures=2 is the greatest max_failures that was tried" in said, "the edge")
    check("try it" not in done.stdout, "nothing to paste")
    # No run exhausts so many: there is nothing to choose by.
    done = run("advise", path, "--set", "/jobs/0/policy/config/max_failures=90", "--goal",
               "min exhausted_us", "--choose", "max_failures=90,100", "--runs", 4, code=1)
    said = " ".join(done.stdout.split())
    check("There is nothing to choose by: exhausted time has no value in the runs of" in said
          and "keeps the goal" not in said, said)


def ties_are_the_cheapest(folder):
    path = a_starter(folder)
    # With 60 spares or 30 the job never waits, and trains the same.
    got = advise(path, "--set", "/cluster/pools/0/spares=60", "--choose", "spares=30,60",
                 "--choose", "checkpoint=2160s", "--runs", 400)
    check(re.search(r" \(of \d alike the cheapest\): ", got["words"][0]), got["words"][0])
    check(got["rates"][0]["choices"][got["chosen"]]["parameters"]["/cluster/pools/0/spares"] ==
          "30", "the cheaper one")
    check(got["ties"] != [] and "cost" in got["tie_break"], f"cost decides: {got['tie_break']}")


def a_cheaper_choice_is_named(folder):
    """Spare machines of a market do 0.2 % more, for a twentieth more money an hour of work."""
    path = folder / "spot.json"
    run("init", "--gpu", 256, "--spot", "--out", path)
    got = advise(path, "--choose", "spares=0,4", "--runs", 200)
    none, four = got["rates"][0]["choices"]
    check(got["chosen"] == 1 and none["keeps"] == four["keeps"] == "surely", got["words"])
    check(any(word.startswith("Cheaper, for 0.00") and ": spares=0, of which" in word
              for word in got["words"]), got["words"])


def who_dies_early_is_no_choice(folder):
    """Without spares the job dies within days, at a high ETTR until then."""
    path = folder / "npus.json"
    run("init", "--npu", 4096, "--policy", "modelarts", "--out", path)
    got = advise(path, "--set", "/cluster/pools/0/spares=0", "--choose", "spares=0,2,12", "--goal",
                 "p(alive) > 90% and max useful", "--runs", 200)
    none, two, twelve = got["rates"][0]["choices"]
    check(none["p_alive"]["value"] < 0.05 and none["keeps"] == "no", f"none: {none['p_alive']}")
    check(two["p_alive"]["value"] < 0.5 and two["ettr"]["value"] > 0.9, f"two: {two['p_alive']}")
    check(got["chosen"] == 2 and twelve["keeps"] == "surely", f"twelve: {got['chosen']}")
    check(got["words"][0].startswith("Choose spares=12: useful work 0.9"), got["words"])
    # A choice that 40 runs cannot exclude is not chosen: of 40 that all live the interval ends at
    # 8.8 %.
    few = advise(path, "--set", "/cluster/pools/0/spares=12", "--choose", "spares=12", "--runs", 40,
                 code=1)
    check(few["chosen"] is None and "its interval leaves it open" in few["words"][0], few["words"])


def many_combinations_are_searched(folder):
    got = advise(a_starter(folder), "--choose", "spares", "--choose", "checkpoint", "--choose",
                 "budget", "--goal", "max useful", "--runs", 4)
    check(len(got["rates"][0]["choices"]) <= 5, "a few are told")
    check(any(re.match(r"Of \d+ combinations \d+ were tried first", word)
              for word in got["words"]), got["words"])
    check(got["present"] is not None, "and what the scenario has")


def words_find_ranges(folder):
    path = folder / "npu.json"
    run("init", "--npu", 256, "--policy", "modelarts", "--out", path)
    text = run("advise", path, "--choose", "checkpoint", "--goal", "max useful", "--runs", 6).stdout
    check(text.count("\n > ") + text.count("\n >") >= 1, "the chosen row is marked")
    for heading in ("failures as they are", "half as many failures", "twice as many failures"):
        check(heading in text, heading)
    check("Strategies:" in text, "what in-place recovery does to the formula")
    got = advise(path, "--choose", "pod-retry-num", "--goal", "max useful",
                 "--runs", 4)
    names = {name for choice in got["rates"][0]["choices"] for name in choice["parameters"]}
    check(names == {"/jobs/0/policy/config/metadata/annotations/fault-tolerance~1pod-retry-num"},
          f"{names}")
    got = advise(path, "--choose", "spares", "--goal", "max useful", "--runs", 4)
    check(len(got["rates"][0]["choices"]) >= 4, "spares find a range")


def the_same_however_run(folder):
    path = a_starter(folder)
    words = ["advise", path, "--choose", "spares=2..4", "--goal", "max useful", "--runs", 20]
    one = run(*words, "-j", 1).stdout
    check(run(*words, "-j", 3).stdout == one, "three processes say what one says")
    out = folder / "kept.sqlite"
    check(run(*words, "--out", out).stdout == one, "a file changes nothing")
    with sqlite3.connect(out) as database:
        check(database.execute("select count(*) from run").fetchone() == (240,), "all rows")
    check(not (pathlib.Path.cwd() / ":memory:").exists(), "no file of that name")
    run(*words, "--out", out, code=2)
    # Rates are what sweep calls so: the rows of rates=2 are those of the third table.
    sweep = folder / "sweep.sqlite"
    run("sweep", path, "--out", sweep, "--vary", "rates=1,2", "--vary",
        "/cluster/pools/0/spares=2..4", "--runs", 20, code=3)  # some are stuck
    with sqlite3.connect(sweep) as first, sqlite3.connect(out) as second:
        rows = "select hash from run where cell between ? and ? order by cell, replica"
        both = [first.execute(rows, (3, 5)).fetchall(), second.execute(rows, (8, 10)).fetchall()]
        check(both[0] == both[1],
              "twice the rate is the same in both")


def a_price_is_a_choice(folder):
    """The scenario itself has none; nothing is a price as well."""
    for prices, best in (("3,2", "2"), ("3,0", "0")):
        got = advise(REFERENCE, "--runs", 4, "--goal", "p(alive) > 0% and min cost", "--choose",
                     f"/cluster/pools/0/price_per_node_hour={prices}")
        check(got["words"][0].startswith(f"Choose price_per_node_hour={best}: useful work ")
              and "; cost = " in got["words"][0], got["words"])
        check("e+" not in got["words"][0], got["words"])


def values_have_their_units(folder):
    """Goals that are no column of the table get one; where intervals overlap, runs cannot say."""
    path = a_starter(folder)
    rows = [("min lost_us.p90", r"p90 of lost time = \d\d:\d\d:\d\d", "p90 of lost time"),
            ("max /jobs/0/attempts.n", r"attempts\.n = 20\.", "/jobs/0/attempts.n"),
            ("min p(exhausted)", r"p\(exhausted\) = [\d.]+ %", None),
            ("min wall_us", r"wall time = ", "wall time"),
            ("min wall_us.n", r"n of wall time = 20\.", "n of wall time")]
    for goal, said, heading in rows:
        whole = goal if "p(" in goal else f"p(alive) > 0% and {goal}"
        text = run("advise", path, "--goal", whole, "--choose", "spares=9..11", "--runs", 20).stdout
        check(re.search(said, " ".join(text.split())), f"{goal}: no {said} in {text}")
        check(heading is None or re.search(r"spares +" + re.escape(heading), text),
              f"{goal}: no column of it in {text}")
        told = [line for line in text.partition("try it")[0].split("\n") if "_us" in line]
        check(told in ([], [f"goal: {whole}"]), f"{goal}: the name of a column in {told}")
        check(("ETTR: productive time by the time that the runs lasted" in " ".join(text.split()))
              == bool(re.search(r"useful +ETTR", text)), f"{goal}: what ETTR is in {text}")
        check(max(len(line) for line in text.split("\n") if "\u00b1" in line) <= 100,
              f"{goal}: rows of more than 100 columns in {text}")
        if goal.endswith("p90"):
            check("20 runs cannot say" in text, f"{goal}: a tie is none in {text}")


def goals_tell_their_own_share(folder):
    path = a_starter(folder)
    words = ["advise", path, "--choose", "spares=9..11", "--runs", 20]
    goal = "p(exhausted) < 50% and p(failed) < 50% and max useful"
    said = " ".join(run(*words, "--goal", goal).stdout.split())
    share = r"p\(exhausted\) = [\d.]+ % \([^)]*\); p\(failed\) = "
    check(re.search("almost certainly meets the goal: " + share, said), said[:900])
    check(re.search(r"spares +p\(failed\) +fails or stuck", run(*words, "--goal", goal).stdout),
          "a column of what has none by itself")
    said = " ".join(run(*words, "--goal", "min never_struck", code=1).stdout.split())
    check("never_struck is 0 in every run of every choice" in said, said[:900])
    got = advise(path, "--choose", "spares=9..11", "--runs", 20, "--goal", goal)
    told = got["rates"][0]["choices"][0]["goal"]
    check(set(told) == {"p(exhausted)", "p(failed)", "useful"}, told)


def alike_choices_are_told_apart_by_other_rates(folder):
    """Where both live as things are, that which lives at twice the rate, too, before the nearer."""
    got = advise(a_starter(folder), "--set", "/jobs/0/policy/config/max_failures=30", "--choose",
                 "max_failures=30,60", "--runs", 300)
    twice = [choice["keeps"] for choice in got["rates"][2]["choices"]]
    check(twice == ["no", "surely"], f"the case is one: {twice}")
    check(got["words"][0].startswith("Choose max_failures=60 (of 2 alike the best at other rates)"),
          got["words"][0])
    check("other rates of failure" in got["tie_break"], got["tie_break"])


def the_answer_is_three_lines(folder):
    """For head -n 3, however long its labels are."""
    path = a_starter(folder)
    words = [path, "--choose", "spares=9,10", "--choose", "checkpoint=20min", "--choose",
             "max_failures=40,60", "--runs", 20]
    lines = run("advise", *words, code=None).stdout.split("\n")[:3]
    told = advise(*words, code=None)["words"][:3]
    check(lines == told and any(len(line) > 100 for line in lines), lines)


def bad_words(folder):
    path = a_starter(folder)
    for words, says in (
            ([], "--choose is missing"),
            (["--choose", "chekpoint"], "did you mean checkpoint?"),
            (["--choose", "/jobs/0/nothing=1,2"], "nothing"),
            (["--choose", "spares=4..1"], "downwards"),
            (["--choose", "rates=1,2"], "rates"),
            (["--choose", "spares=1", "--choose", "/cluster/pools/0/spares=2"], "varied twice"),
            (["--choose", "spares=1", "--goal", "p(exhausted) < 1"], "--goal"),
            (["--choose", "spares=1", "--goal", "max etr"], "ettr"),
            (["--choose", "spares=1", "--goal", "max outcome"], "is text; expected a number"),
            (["--choose", "spares=1", "--goal", "min lost_us.p100"], "no statistic \"p100\""),
            (["--choose", "spares=1", "--goal", "min lost_us.ci101"], "no statistic \"ci101\""),
            (["--choose", "/jobs/0/workers=16,8"], "jobs of other sizes"),
            (["--choose", "spares=1", "--goal", "p(completed) > 50% and max useful"],
             "no job completes, as none has steps"),
            (["--choose", "spares=1", "--goal", "min finish_us"], "no job completes"),
            (["--choose", "/until=1d,30d"], "/until: the choices are runs of other lengths"),
            (["--choose", "/jobs/0/steps=50,5000"], "runs of other lengths"),
            (["--choose", "spares=1", "--runs", "1"], "--runs"),
            (["--choose", "spares=1", "--html", "page.txt"], "ends in .html"),
            (["--choose", "spares=1", "--out", "new.html", "--html", "./new.html"],
             "--html \"./new.html\": is --out as well"),
            (["--choose", "spares=1", "--jobs", "0"], "--jobs")):
        done = run("advise", path, *words, code=2)
        check(says in done.stderr and not done.stdout, f"{words}: {done.stderr}")
    run("advise", folder / "none.json", "--choose", "spares=1", code=2)
    done = run("advise", REFERENCE, "--choose", "spares=1", "--goal", "min cost", code=2)
    check("nothing has a price" in done.stderr, done.stderr)
    done = run("sweep", "scenarios/no_resume.json", "--out", folder / "x", "--vary", "rates=0",
               code=2)
    check("is not a factor" in done.stderr, done.stderr)


def the_dead_cost_the_least(folder):
    """A goal of a cost, a loss or a time gets a condition and says so; one of its own is enough."""
    path = a_starter(folder)
    words = ["advise", path, "--runs", 40, "--choose", "max_failures=0,90"]
    for goal, added in (("min cost", "p(alive) > 95%"), ("max ettr", "p(alive) > 95%"),
                        ("min charges", "p(alive) > 95%"),
                        ("min cost_per_useful_hour", "p(alive) > 95%"),
                        ("max useful", None), ("p(alive) > 0% and min charges", None)):
        done = run(*words, "--goal", goal, code=None)
        noted = f'with that the goal is "{added} and {goal}"'
        check((noted in done.stderr) == (added is not None), f"{goal}: {done.stderr}")
        check(added is None or "max_failures=0" not in done.stdout.split("\n")[0],
              f"{goal}: {done.stdout[:400]}")
    done = run(*words, "--set", "/jobs/0/steps=100000", "--goal", "min finish_us", code=None)
    check('the goal is "p(completed) > 95% and min finish_us"' in done.stderr, done.stderr)


def interrupted(folder):
    path = a_starter(folder)
    process = subprocess.Popen([PROGRAM, "advise", str(path), "--choose", "spares=1..8", "--runs",
                                "100000"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               text=True)
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    check(process.returncode == 8 and "interrupted with" in errors,
          f"Ctrl-C: {process.returncode} {errors}")
    check("27 cells of up to 100,000 runs: at least 901,800 runs, with " in errors,
          f"its size first: {errors}")
    measured = re.search(r"^([\d,]+) of 901,800 runs, (\d+)/s, .* left$", errors, re.M)
    check(measured is not None, f"how long it takes, as measured: {errors}")
    if measured:
        done, rate = (int(number.replace(",", "")) for number in measured.groups())
        check(0.5 * rate < done / 2 < 2 * rate, f"{done} runs in 2 s are no {rate}/s")
    check("with --out FILE they are kept" in errors, f"how not to lose them: {errors}")


def goes_on_where_it_was_ended(folder):
    path = a_starter(folder)
    words = ["advise", str(path), "--choose", "spares=3", "--runs", "300"]
    out = folder / "resumed.sqlite"
    for number in (signal.SIGINT, signal.SIGTERM):
        process = subprocess.Popen([PROGRAM, *words, "--out", str(out), "--resume", "-j", "1"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        begun(out, process)
        time.sleep(0.7)
        process.send_signal(number)
        said, errors = process.communicate(timeout=120)
        check(process.returncode == 8 and "go on with --resume" in errors and said == "",
              f"{number}: {process.returncode} {errors}")
    with sqlite3.connect(out) as database:
        kept = database.execute("select count(*) from run").fetchone()[0]
    check(0 < kept < 1800, f"{kept} rows are kept")
    done = run(*words, "--out", out, "--resume")
    check(f"of which {kept:,} are there" in done.stderr, f"nothing is repeated: {done.stderr}")
    whole = run(*words, "--out", folder / "whole.sqlite").stdout
    check(done.stdout == whole, "what was ended and gone on with says the same")
    check("300 runs each" in whole and "up to" not in whole, "kept runs are whole")
    done = run(*words[:-1], 200, "--out", out, "--resume", code=2)
    check("and fewer are asked for" in done.stderr, done.stderr)
    done = run(*words, "--choose", "checkpoint=1h", "--out", out, "--resume", code=2)
    check("holds another sweep" in done.stderr, done.stderr)
    check("--out" in run(*words, "--resume", code=2).stderr, "--resume alone")
    check("is there already" in run(*words, "--out", out, code=2).stderr, "without --resume")


def policies_live_elsewhere(folder):
    """The same advice by the same policy in another process, whose settings are those written."""
    words = (a_starter(folder), "--choose", "max_failures=20,30", "--goal", "max useful", "--runs",
             4, "--set", "/jobs/0/policy/config/max_failures=25")
    linked = advise(*words)
    stdio = advise(*words, "--policy-cmd", f"'{PROGRAM}' policies serve")
    values = [[[choice["ettr"]["value"] for choice in rate["choices"]] for rate in got["rates"]]
              for got in (linked, stdio)]
    check(values[0] == values[1], f"linked and over stdio: {values}")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        daly_assumptions_hold()
        budgets_keep_goals(folder)
        nothing_keeps_the_goal(folder)
        ties_are_the_cheapest(folder)
        a_cheaper_choice_is_named(folder)
        who_dies_early_is_no_choice(folder)
        many_combinations_are_searched(folder)
        goals_tell_their_own_share(folder)
        alike_choices_are_told_apart_by_other_rates(folder)
        words_find_ranges(folder)
        policies_live_elsewhere(folder)
        the_same_however_run(folder)
        a_price_is_a_choice(folder)
        values_have_their_units(folder)
        the_answer_is_three_lines(folder)
        bad_words(folder)
        the_dead_cost_the_least(folder)
        interrupted(folder)
        goes_on_where_it_was_ended(folder)
    raise SystemExit(1 if failures else 0)


main()
