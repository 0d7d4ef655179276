"""Cures, the present setting, and how an advice is shown; see advise_answers.sh."""
import json
import math
import pathlib
import re
import sys
import tempfile

sys.dont_write_bytecode = True

from expecting import a_starter, advise, check, failures, run

SPOT = ["--set", "/cluster/pools/0/market=spot", "--set", "/cluster/pools/0/replacement=provision",
        "--set", "/cluster/pools/0/provision=5min", "--set", "/faults/-=" + json.dumps({
            "id": "spot", "kind": "preemption", "target": "pool:gpu", "notice": "2min",
            "source": {"exponential": {"mtbf": "30d", "per": "node"}}})]


def stuck_runs_are_named_and_cured(folder):
    """A start that fails in its rendezvous leaves its placement group reserved."""
    path = a_starter(folder)
    done = run("advise", path, *SPOT, "--choose", "max_failures=1000,-1", "--runs", 100, code=1)
    said = " ".join(done.stdout.split())
    check(said.startswith("No choice is almost certain to meet the goal."), said[:300])
    check("are stuck, for nodes that a failed start left reserved" in said, said[:900])
    cures = said.partition(", tried in 100 runs")[2].partition("and no help beyond chance: ")[0]
    check("nodes that a failed start left reserved given back " in cures and
          "(--set /cluster/reclaim_leaked=" in cures, cures[:600])
    check("more nodes that stand by" not in cures, f"what helps nothing is no cure: {cures[:600]}")
    done = run("advise", path, *SPOT, "--set", "/cluster/reclaim_leaked=0s", "--choose",
               "max_failures=1000,-1", "--runs", 200)
    check(done.stdout.startswith("Choose max_failures=1000 (of 2 alike "), done.stdout[:300])


def nothing_lies_beyond_no_limit(folder):
    """A budget without limit is the greatest that there is, and what is best at an edge says so."""
    path = a_starter(folder)
    pointer = "/jobs/0/policy/config/max_failures"
    none = ["--set", f"{pointer}=0"]
    got = advise(path, *none, "--choose", f"{pointer}=0,1,-1", "--runs", 100)
    best = got["rates"][0]["choices"][got["chosen"]]["label"]
    check(best == "max_failures=-1", best)
    check(got["edges"] == [], f"-1 is without limit: {got['edges']}")
    got = advise(path, *none, "--choose", f"{pointer}=0,1,2", "--runs", 40, code=1)
    check(got["edges"] == ["max_failures=2 is the greatest max_failures that was tried"],
          got["edges"])


def few_failures_are_named_and_cured(folder):
    """A choice that keeps the goal says, too, what ends the runs that do not live."""
    path = a_starter(folder)
    spot = [*SPOT, "--set", "/cluster/reclaim_leaked=0s"]
    got = advise(path, *spot, "--choose", "max_failures=140,155", "--goal",
                 "p(alive) > 1% and max useful", "--runs", 200)
    alive = got["rates"][0]["choices"][got["chosen"]]["p_alive"]["value"]
    check(alive < 1, f"some fail: {alive}")
    line = next(word for word in got["words"] if "exhausted(max_failures)" in word)
    check("ried in 200 runs" in line and "wider retry budgets (--set " in line, line)
    wider = next(cure for cure in got["cures"] if cure["words"] == "wider retry budgets")
    check(wider["p_alive"]["value"] > alive, f"the same seeds, and fewer fail: {wider}")
    chosen = got["rates"][0]["choices"][got["chosen"]]["useful_share"]["value"]
    for cure in got["cures"]:
        more = cure["useful_share"]["low"] > chosen + 0.01
        check(cure["help"] != "not" or not more, f"more useful work is a help: {cure}")


def settings_of_the_policy_are_cures(folder):
    """Restarts of plain exits are switched off, and the budgets are small: both are named."""
    path = folder / "annotated.json"
    run("init", "--npu", 4096, "--annotation", "fault-tolerance/job-retry-num=8", "--annotation",
        "fault-tolerance/hang-retry=true", "--annotation", "fault-tolerance/pod-retry-num=3",
        "--out", path)
    got = advise(path, "--choose", "spares=15", "--runs", 200, code=1)
    limits = next(word for word in got["words"] if word.startswith("The limits: "))
    # Which third change is needed, if any, may depend on the seeds.
    check("unconditional_disabled" in limits and ", tried in 200 runs: "
          "job-unconditional-retry=true, and wider retry budgets" in limits, limits)
    best = got["cures"][0]
    check(best["help"] == "cures" and best["p_alive"]["value"] > 0.95, f"{best}")


def starter(folder, *flags):
    path = folder / ("-".join(str(flag).strip("-") for flag in flags) + ".json")
    run("init", *flags, "--out", path)
    return path


def nodes_are_cures_and_waiting_is_told(folder):
    """A pool with no room for one node more is given some, whatever the question was."""
    spot = ("--gpu", 96, "--spot", "--preemptions-per-day", 12, "--days", 7)
    path = starter(folder, *spot, "--policy", "torchrun")
    # More nodes do not help agents whose store goes with the first node.
    enough = ("--set", "/jobs/0/policy/config/max_restarts=1000000", "--set",
              "/cluster/pools/0/max_nodes=13",
              "--set", '/jobs/0/policy/config/rdzv_backend="etcd-v2"')
    for question in (("--choose", "budget", "--choose", "spares"), ("--choose", "checkpoint")):
        done = run("advise", path, *enough, *question, "--runs", 100, code=1)
        said = " ".join(done.stdout.split())
        check(re.search(r"Cures, tried in \d+ runs each, the most helpful first: up to 26 nodes in "
                        r"place of 13 \(--set /cluster/pools/0/max_nodes=26\)", said),
              f"{question}: {said[:900]}")
    often = ("--gpu", 96, "--spot", "--preemptions-per-day", 24, "--days", 7, "--provision", "2h")
    path = starter(folder, *often, "--policy", "kubeflow")
    said = " ".join(run("advise", path, "--choose", "spares", "--runs", 100).stdout.split())
    check("Most of the time is lost all the same: provisioning takes" in said and
          'by the pool\'s "max_nodes" or "spares"' in said, said[:900])


def a_budget_within_an_object_is_one(folder):
    """JobSet's is a member of its failurePolicy."""
    path = starter(folder, "--gpu", 64, "--policy", "jobset")
    done = run("advise", path, "--choose", "budget=3,50", "--runs", 100)
    rows = re.search(r"^ +maxRestarts +fails or stuck.*\n((?: .+\n)+)", done.stdout, re.MULTILINE)
    check(rows and len(rows[1].splitlines()) == 3, f"3, 50 and the present one: {done.stdout}")


def the_present_is_run_beside_the_choices(folder):
    """With its default where nothing is written, and where it is not listed."""
    path = a_starter(folder)
    bare = ["--set", "/jobs/0/policy/config/max_failures=null", "--set",
            "/cluster/pools/0/spares=null"]
    got = advise(path, *bare, "--choose", "max_failures=30,60", "--choose", "spares=5,10", "--runs",
                 100)
    now = got["rates"][0]["choices"][got["present"]]["parameters"]
    check(now == {"/jobs/0/policy/config/max_failures": "0", "/cluster/pools/0/spares": "0"}, now)
    check(got["words"][1].startswith("Against max_failures=0, spares=0: useful work +0."),
          got["words"][1])
    got = advise(path, "--choose", "policy=torchrun,nvrx", "--runs", 20, "--goal", "max useful")
    now = got["rates"][0]["choices"][got["present"]]["parameters"]
    check(now == {"policy": "ray_train@2026-05"}, now)


def one_run_says_all_where_nothing_is_random(folder):
    path = folder / "scripted.json"
    path.write_text(json.dumps({
        "schema": 1, "name": "scripted", "until": "2d",
        "cluster": {"heads": [{"name": "head"}],
                    "pools": [{"name": "gpu", "nodes": 8, "accelerators":
                               {"kind": "gpu", "per_node": 8}}],
                    "storage": [{"name": "nfs", "kind": "nfs", "read": "5GB/s",
                                 "write": "5GB/s"}]},
        "jobs": [{"name": "llm", "workers": 64, "step": "10s",
                  "checkpoint": {"every": "16min", "bytes": "143GB"},
                  "policy": {"name": "ray_train", "config": {"max_failures": 3}}}],
        "faults": [{"id": "f", "kind": "worker_crash", "target": "job:llm/rank:3", "at": "5h"}]}))
    done = run("advise", path, "--choose", "max_failures=0,3")
    check("one run of each choice says all" in done.stderr, done.stderr)
    said = " ".join(done.stdout.split())
    check(said.startswith("Stay with max_failures=3: useful work 0.9"), said[:300])
    check("its run lives" in said and "too few" not in said and "1 run each" in said, said)


def tables_fit(folder):
    """Columns that do not fit or have no value are left out, and a file of rows has them all. The
    answer itself is three lines, whatever their length."""
    path = a_starter(folder)
    words = ["advise", path, "--choose", "spares=9..11", "--choose", "max_failures=28,60", "--goal",
             "max useful", "--runs", 10]
    text = run(*words).stdout
    wide = [line for line in text.partition("try it")[0].split("\n")[3:] if len(line) > 100]
    check(wide == [], f"{wide}")
    check("columns that do not fit are left out" in text, text[-900:])
    check("idle_spares_us" in run(*words, "--format", "csv").stdout, "the file has all")
    first = run(*words, "--format", "markdown").stdout.split("\n")[0]
    check(first == advise(*words[1:])["words"][0], "Markdown begins with the answer")


def pages_plot_what_was_searched(folder):
    page = folder / "searched.html"
    run("advise", a_starter(folder), "--choose", "spares", "--choose", "checkpoint", "--choose",
        "budget", "--goal", "max useful", "--runs", 4, "--html", page)
    text = page.read_text()
    for name in ("useful-0", "useful-0-1", "useful-0-2"):
        check(f'data-chart="{name}"' in text, f"no chart {name}")
    check("as the search found it by few runs" in text, "and says how")


def stuck_is_a_word_of_goals(folder):
    path = a_starter(folder)
    goal = ["--goal", "p(stuck) < 5% and max useful", "--runs", 100]
    done = run("advise", path, *SPOT, "--choose", "max_failures=1000,-1", *goal, code=1)
    said = " ".join(done.stdout.split())
    check(said.startswith("No choice is almost certain to meet the goal. "
                          "The nearest is max_failures="), said[:300])
    check(re.search(r"p\(stuck\) = [\d.]+ % \(", said), f"how many are stuck: {said[:600]}")
    done = run("advise", path, *SPOT, "--set", "/cluster/reclaim_leaked=0s", "--choose",
               "max_failures=1000,-1", *goal)
    said = " ".join(done.stdout.split())
    check(said.startswith("Choose max_failures=1000 ") and
          "almost certainly meets the goal: p(stuck) = 0.0 % (0.0 % to 3.7 %)" in said, said[:600])


def lost_of(path, *words):
    """Runs of fresh seeds, and those that fail or are stuck."""
    with tempfile.TemporaryDirectory() as folder:
        done = run("sweep", path, "--seed", 900_001, *words, "--json", "--out",
                   pathlib.Path(folder) / "fresh.sqlite", code=None)
    cell, = json.loads(done.stdout)["cells"]
    return cell["runs"], round(cell["runs"] * (1 - cell["p_alive"]["value"]))


def wilson_low(count, runs):
    z = 1.959964
    share = count / runs
    middle = share + z * z / (2 * runs)
    half = z * math.sqrt(share * (1 - share) / runs + z * z / (4 * runs * runs))
    return (middle - half) / (1 + z * z / runs)


def what_is_advised_lives_with_other_seeds(folder):
    """The goal that is there without --goal: at most one run in twenty fails or is stuck."""
    starter = a_starter(folder)
    pods = folder / "pods.json"
    run("init", "--npu", 2048, "--policy", "modelarts", "--out", pods)
    reclaimed = ["--set", "/cluster/reclaim_leaked=0s"]
    rows = ((starter, [], ["spares=2,4,8"]),
            (starter, [], ["max_failures=14,20,28,40"]),
            (starter, [*SPOT, *reclaimed], ["max_failures=120,150,170,200"]),
            (pods, [], ["spares=0,2,4,6,8"]),
            (pods, [], ["job-retry-num=2,4,8,16,32"]))
    advised = 0
    for path, changes, choices in rows:
        got = advise(path, *changes, *[word for each in choices for word in ("--choose", each)],
                     "--runs", 200, code=None)
        if got["chosen"] is None:
            continue
        advised += 1
        runs, lost = lost_of(path, *changes, *got["flags"], "--runs", 400)
        check(wilson_low(lost, runs) <= 0.05,
              f"{path.name} {changes} {got['words'][0]}: {lost} of {runs} fresh seeds fail")
    check(advised >= 3, f"{advised} of {len(rows)} have a choice that lives")


def pages_of_budgets_have_numbers_along_them(folder):
    """-1, a budget without a limit, is a number like the others, and none is a time."""
    page = folder / "budgets.html"
    run("advise", a_starter(folder), "--choose", "max_failures=28,60,-1", "--goal", "max useful",
        "--runs", 10, "--html", page)
    data = page.read_text().partition('<script type="application/json" id="data">')[2]
    charts = json.loads(data.partition("</script>")[0])["charts"]
    check(len(charts) >= 3, f"charts: {[chart['id'] for chart in charts]}")
    for meaning in ("useful: productive time whose work", "ETTR: productive time by the time"):
        check(meaning in page.read_text(), f"the page does not say what it is: {meaning}")
    for chart in charts:
        check(not chart["timed"], f"{chart['id']} is one of times")
        for series in chart["series"]:
            along = {point[0] for point in series["points"]}
            check(along <= {-1, 28, 60} and len(along) > 1, f"{chart['id']}: {along}")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        stuck_runs_are_named_and_cured(folder)
        nothing_lies_beyond_no_limit(folder)
        few_failures_are_named_and_cured(folder)
        settings_of_the_policy_are_cures(folder)
        nodes_are_cures_and_waiting_is_told(folder)
        a_budget_within_an_object_is_one(folder)
        the_present_is_run_beside_the_choices(folder)
        one_run_says_all_where_nothing_is_random(folder)
        tables_fit(folder)
        pages_plot_what_was_searched(folder)
        pages_of_budgets_have_numbers_along_them(folder)
        stuck_is_a_word_of_goals(folder)
        what_is_advised_lives_with_other_seeds(folder)
    raise SystemExit(1 if failures else 0)


main()
