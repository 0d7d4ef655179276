"""Comparisons as their users make them; see compare.sh."""
import json
import os
import pathlib
import re
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True

from expecting import PROGRAM, check, failures, run

QUICK = "scenarios/quickstart.json"
PAIRED = "scenarios/paired.json"
EVERY = ["--vary", "/jobs/0/checkpoint/every=30min,10min"]
MODELARTS = ["--policy", "modelarts:defaults"]
BUDGET = "/jobs/0/policy/config/max_failures"


def refused(expected, *words):
    done = run("compare", *words, code=2)
    check(expected in done.stderr, f"{words}: says {expected!r}, not {done.stderr[-300:]!r}")
    check(done.stdout == "", f"{words}: nothing on standard output")


def an_exit_code_is_explained():
    done = run("compare", "scenarios/quickstart.json", "--policy", "ray_train:defaults",
               "--policy", "ray_train:defaults", "--runs", 2, code=4)
    check("ray_train:defaults, seed 36: fault " in done.stderr and "exit code 4" in done.stderr,
          done.stderr)


def pairing_pays():
    """The shipped example: at most a third, by the product and by hand."""
    said = json.loads(run("compare", PAIRED, *EVERY, "--json").stdout)
    ettr = said["comparisons"][0]["metrics"]["ettr"]
    check(ettr["pairs"] == 30, "30 pairs")
    width = {kind: ettr[kind]["high"] - ettr[kind]["low"] for kind in ("difference", "unpaired")}
    check(width["difference"] * 3 <= width["unpaired"],
          f"paired {width['difference']}, unpaired {width['unpaired']}")
    values = [[json.loads(run("run", PAIRED, "--seed", seed, "--json", "--set",
                              f"/jobs/0/checkpoint/every={every}").stdout)["jobs"][0]["ettr"]
               for seed in range(1, 6)] for every in ("30min", "10min")]
    five = json.loads(run("compare", PAIRED, *EVERY, "--json", "--runs", 5).stdout)
    ettr = five["comparisons"][0]["metrics"]["ettr"]
    differences = [b - a for a, b in zip(*values)]
    check(abs(ettr["difference"]["value"] - statistics.mean(differences)) < 1e-12, "the mean")
    half = 2.7764451 * statistics.stdev(differences) / 5 ** 0.5  # Student's t, 4 degrees, 97.5 %
    check(abs(ettr["difference"]["high"] - statistics.mean(differences) - half) < 1e-6,
          "Student's interval")
    check(ettr["higher_runs"] == sum(d > 0 for d in differences), "runs counted")
    for cell in five["hindsight"]:
        check(0 < cell["regret"]["value"] < 1 and cell["bound"]["value"] <= 1, "a regret")


def the_same_however_made(folder):
    one = run("compare", QUICK, "--policy", "ray_train@2026-09", "--runs", 8, "-j", 1,
              code=1)
    two = run("compare", QUICK, "--policy", "ray_train@2026-09", "--runs", 8, "-j", 2,
              "--out", folder / "c.sqlite", code=1)
    cut = one.stdout.index("  look at it:")
    check(two.stdout.startswith(one.stdout[:cut]), "one process says what two say")
    check("ray_train@2026-09: max_failures 3 (the scenario's)" in one.stdout
          and "first decision that differs" in one.stdout,
          one.stdout)
    done = run("compare", QUICK, "--policy", "ray_train@2026-09", "--runs", 2, "--set",
               "/jobs/0/policy/config/max_failures=5")
    check("ray_train@2026-09: max_failures 5 (the scenario's)" in done.stdout,
          f"what --set makes of it is the scenario's, too: {done.stdout}")
    with sqlite3.connect(folder / "c.sqlite") as database:
        check(database.execute("select count(*) from run").fetchone() == (16,), "a row a run")
    files = sorted(map(str, (folder / "c.sqlite.recordings").iterdir()))
    check(len(files) == 2 and all(name in two.stdout for name in files), "recordings are named")
    check("16" in run("sweep", "merge", folder / "merged", folder / "c.sqlite",
                      code=1).stdout,
          "its results are a sweep's")
    refused("is there already", QUICK, "--policy", "ray_train@2026-09", "--out",
            folder / "c.sqlite")
    quiet = run("compare", QUICK, *MODELARTS, "--runs", 2, "--quiet",
                code=4)
    check(quiet.stdout == "" and quiet.stderr.count("\n") == 1
          and "modelarts:defaults, seed 36: " in quiet.stderr
          and quiet.stderr.endswith(": exit code 4\n"),
          f"--quiet says why it is red, and nothing else: {quiet.stderr}")
    same = run("compare", QUICK, "--policy", "ray_train:defaults", "--runs", 1, code=4).stdout
    check("ray_train:defaults: may survive less often than ray_train" in " ".join(same.split())
          and "seed 36: the first decision" in same, f"whose settings are its own: {same}")
    check("ettr: productive time by the time that a run lasted, the mean of the runs' own"
          in " ".join(same.split()), same)
    pair = json.loads(run("compare", QUICK, *MODELARTS, "--runs", 3, "--pair", 37,
                          "--json", code=4).stdout)["pair"]
    check(pair["seed"] == 37 and pair["divergence"]["owner"] == "job:llm", f"a pair: {pair}")
    worst = run("compare", QUICK, "--vary", f"{BUDGET}=3,0", "--runs", 2, code=4)
    check("worse in 2 of 2 runs" in " ".join(worst.stdout.split()), worst.stdout)


def recordings(folder):
    files = [folder / f"{name}.aftershock" for name in "abc"]
    for file, words in zip(files, ([], ["--set", f"{BUDGET}=0"], ["--seed", "37"])):
        run("run", QUICK, "--record", file, "--quiet", *words, code=4 if "--set" in words else 0)
    said = run("compare", files[0], files[1]).stdout
    check("the same faults in both" in said and "max_failures 0 to 1 of 0" in said, said)
    check("ended: llm completed\n" in said
          and "ended: llm failed, exhausted(max_failures)\n" in said
          and "they ended differently: ETTR" in said, f"how both ended: {said}")
    check("the same run, event by event" in run("compare", files[0], files[0]).stdout, "itself")
    told = json.loads(run("compare", files[0], files[1], "--json").stdout)
    check(told["divergence"]["differs"] in ("rule", "budgets"), f"{told['divergence']}")
    part = folder / "part.aftershock"
    part.write_bytes(files[0].read_bytes()[:40_000])
    cut = run("compare", part, files[1], code=8)
    check("warning" in cut.stderr and "cut off" in cut.stdout, "a cut recording is told of")
    header = files[0].read_bytes().index(b"\n") + 1
    for name, size, why in (("empty", 0, "is empty"), ("within", 100, "ends within its header"),
                            ("header", header, "nothing of a run to compare")):
        short = folder / f"{name}.aftershock"
        short.write_bytes(files[0].read_bytes()[:size])
        refused(why, files[1], short)
    refused("is a recording; expected a second one", files[0])
    os.mkfifo(folder / "pipe")
    refused("a pipe that nobody writes to", files[0], folder / "pipe")
    refused("is a device", files[0], "/dev/zero")
    refused("not a recording", files[0], QUICK)
    refused("none.aftershock", files[0], folder / "none.aftershock")
    refused("--runs: goes with a scenario", files[0], files[1], "--runs", 3)


def script(folder, text):
    path = folder / "build.sh"
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
    return path


def a_price_is_no_event():
    """The runs are the same, and what they cost is not."""
    words = ["compare", "scenarios/reference_54_days.json", "--runs", 3, "--vary",
             "/cluster/pools/0/price_per_node_hour=20,40"]
    text = run(*words, "--goal", "cost").stdout
    check("cost (currency) higher by" in text and "event by event" not in text, text)
    text = run(*words).stdout
    row = r"\n +cost +5308\d+\.\d+ +10616[^$]+\n +costs are in the currency of"
    check("useful_share is that of" in text and re.search(row, text), text)


def builds(folder):
    same = run("compare", QUICK, "--against", PROGRAM, "--runs", 5, code=1)
    check("in all 5 runs, event by event" in same.stdout, same.stdout)
    # A build with a budget off by one, as far as a shell can say it.
    off = script(folder, f'exec "{PROGRAM}" "$@" --set {BUDGET}=1\n')
    other = run("compare", QUICK, "--against", off, "--runs", 3, code=1)
    check("first decision that differs" in other.stdout and "max_failures 0 to 1 of 1" in
          other.stdout, other.stdout)
    plain = folder / "plain"
    plain.write_text("not a program")
    junk = 'while [ "$1" != --out ]; do shift; done; echo junk > "$2"\n'
    cases = [(folder / "none", "cannot be started: No such file"),
             (plain, "cannot be started: Permission denied"),
             ("/bin/false", "ended with exit code 1, and left no results"),
             (script(folder, "echo not today >&2; exit 3\n"), "exit code 3: not today")]
    for path, expected in cases:
        refused(expected, QUICK, "--against", path, "--runs", 2)
    refused("killed by signal 11", QUICK, "--against", script(folder, "kill -SEGV $$\n"))
    refused("results cannot be read", QUICK, "--against", script(folder, junk))
    seeds = f'exec "{PROGRAM}" $(echo "$@" | sed "s/--seed 36/--seed 9/")\n'
    refused("not those of 2 runs", QUICK, "--runs", 2, "--against", script(folder, seeds))
    hangs = script(folder, f"echo $$ > {folder}/pid\nexec sleep 60\n")
    began = time.monotonic()
    refused("not done after 1 s, and killed", QUICK, "--against", hangs, "--timeout", 1)
    check(time.monotonic() - began < 30, "a build that hangs does not hold us up")
    (folder / "pid").unlink()
    stopped = subprocess.Popen([PROGRAM, "compare", QUICK, "--against", hangs],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while not (folder / "pid").exists():
        time.sleep(0.02)
    stopped.send_signal(signal.SIGINT)
    _, errors = stopped.communicate(timeout=60)
    check(stopped.returncode == 8 and "interrupted" in errors, f"{stopped.returncode} {errors}")
    (folder / "pid").unlink()
    killed = subprocess.Popen([PROGRAM, "compare", QUICK, "--against", hangs],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              env=os.environ | {"TMPDIR": str(folder)})
    while not (folder / "pid").exists() or not (folder / "pid").read_text().strip():
        time.sleep(0.02)
    child = int((folder / "pid").read_text())
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    for _ in range(500):
        if not pathlib.Path(f"/proc/{child}").exists():
            break
        time.sleep(0.02)
    check(not pathlib.Path(f"/proc/{child}").exists(), "its program dies with us")


def mistakes():
    refused("nothing to compare with", QUICK)
    refused("--where: goes with --vary", QUICK, *MODELARTS, "--where", "/seed > 1")
    for words in (MODELARTS, ["--against", PROGRAM]):
        refused("is a directory; expected the name of a file", QUICK, *words, "--out", "/tmp")
        refused("is a device or a pipe", QUICK, *words, "--out", "/dev/null")
    one = run("compare", QUICK, *MODELARTS, "--runs", 1, code=4).stdout
    for words in ("quickstart: 1 run each", "(too few runs)", "0 of 1 runs are alive at the end"):
        check(words in one, one)
    refused('no policy "ray_trian" is shipped', QUICK, "--policy", "ray_trian")
    refused("a profile is missing", QUICK, "--policy", "ray_train@")
    refused('did you mean "lost_us"', QUICK, *MODELARTS, "--goal", "lots_us")
    refused("expected a whole number from 36 to 65", QUICK, *MODELARTS, "--pair", 66)
    refused("--vary", QUICK, "--vary", "x")
    refused("one --policy at most", QUICK, "--against", PROGRAM, *EVERY)


def is_pod_rescheduling_worth_it(folder):
    """Rescheduling pods saves the start of those that stay, and nothing where pods cost nothing."""
    path = folder / "pods.json"
    run("init", "--npu", 4096, "--out", path, *[word for text in (
        "job-retry-num=10", "pod-retry-num=37", "hang-retry=true", "job-unconditional-retry=true")
        for word in ("--annotation", f"fault-tolerance/{text}")])
    annotations = "/jobs/0/policy/config/metadata/annotations/fault-tolerance~1"
    pods = ["--vary", annotations + 'pod-retry-num="0","37"', "--runs", 30, "--set", "/until=10d"]
    said = " ".join(run("compare", path, *pods, code=None).stdout.split())
    check("pod-retry-num=\"37\": survives more often than" in said and
          'pod-retry-num="0" ends by exhausted(job-retry-num) in' in said, said[:600])
    check("modelarts.pod.start" in said, f"the first decision that differs: {said}")
    check("note: runs end by job-retry-num, which is 10 and not varied" in said and
          '1job-retry-num="100"' in said, f"on what it hangs: {said}")
    wide = [*pods, "--set", annotations + 'job-retry-num="128"']
    said = " ".join(run("compare", path, *wide).stdout.split())
    check("note: runs end by" not in said, said)
    check("useful_share higher by 0.00" in said and "recovery time" in said, said[:600])

    def gains(*more):
        done = run("compare", path, *wide, *more, "--json")
        metrics = json.loads(done.stdout)["comparisons"][0]["metrics"]
        return {name: metrics[name]["difference"] for name in ("recovery_us", "launching_us",
                                                                "useful_share", "alive")}

    as_measured, for_nothing = gains(), gains("--set", "/jobs/0/pods=null")
    check(as_measured["alive"]["value"] == 0, "nobody dies of the job's budget")
    check(as_measured["useful_share"]["low"] > 0, f"more work: {as_measured}")
    for metric in ("recovery_us", "launching_us"):
        check(as_measured[metric]["high"] < 0, f"sooner back: {as_measured}")
        check(abs(for_nothing[metric]["value"]) < 0.1 * abs(as_measured[metric]["value"]),
              f"and that is what starts take: {for_nothing}")


def a_group_that_stays_small_gets_less_done(folder):
    """A look for nodes each minute, or none: time alone would call the small group better."""
    path = folder / "elastic.json"
    path.write_text(json.dumps({
        "schema": 1, "name": "elastic", "seed": 1, "until": "10d",
        "cluster": {"pools": [{"name": "gpu", "nodes": 8, "repair": "2h",
                               "accelerators": {"kind": "gpu", "per_node": 8}}]},
        "jobs": [{"name": "llm", "pool": "gpu", "workers": 64, "step": "10s",
                  "checkpoint": {"every": "30min", "blocking": "10s"},
                  "phases": {"launching": "4min"},
                  "policy": {"name": "ray_train",
                             "config": {"max_failures": 1000, "num_workers": [8, 64]}}}],
        "faults": [{"id": "x", "kind": "node_crash", "target": "pool:gpu",
                    "source": {"exponential": {"mtbf": "4d", "per": "node"}}}]}))
    every = "/jobs/0/policy/config/elastic_resize_monitor_interval_s=60,864000"
    metrics = json.loads(run("compare", path, "--vary", every, "--runs", 10,
                             "--json").stdout)["comparisons"][0]["metrics"]
    for name in ("useful_share", "useful_steps", "useful_accelerator_us"):
        check(metrics[name]["difference"]["high"] < 0, f"{name}: {metrics[name]}")
    check(metrics["ettr"]["difference"]["low"] > 0, f"ettr: {metrics['ettr']}")


def sizes_are_compared_by_what_they_do():
    done = run("compare", PAIRED, "--vary", "/jobs/0/workers=64,32", "--runs", 3)
    check("useful_accelerator_us leads" in done.stderr, done.stderr)
    check("useful accelerator time lower by" in done.stdout, done.stdout[:300])


    step = json.loads(pathlib.Path(PAIRED).read_text())["jobs"][0]["step"]
    check(step.endswith("s"), step)
    spelt = run("compare", PAIRED, "--vary", f"/jobs/0/step={step},{step[:-1]}000ms", "--runs", 3)
    check("leads" not in spelt.stderr, f"the same step: {spelt.stderr}")


def a_queue_is_compared_by_what_it_does(folder):
    """An hour of one node is not an hour of fifteen."""
    path = folder / "queue.json"
    phases = {"launching": "1min"}
    path.write_text(json.dumps({
        "schema": 1, "name": "queue", "until": "2d",
        "cluster": {"pools": [{"name": "gpu", "nodes": 16,
                               "accelerators": {"kind": "gpu", "per_node": 8}}]},
        "jobs": [{"name": name, "workers": workers, "step": "10s", "phases": phases,
                  "checkpoint": {"every": "1h"},
                  "policy": {"name": "ray_train", "config": {"max_failures": failures}}}
                 for name, workers, failures in (("small", 8, 0), ("large", 120, 3))],
        "faults": [{"id": "crash", "kind": "worker_crash", "target": "job:large", "at": "5h"}]}))
    done = run("compare", path, "--policy", "ray_train", "--policy", "torchrun", "--runs", 2,
               code=None)
    check("an hour of each alike: useful_accelerator_us leads" in done.stderr, done.stderr)
    check("of job small; others have their own" in done.stdout, done.stdout[:600])


def one_history_is_no_evidence_of_others():
    """Runs that are all the same count once, and an elastic job stays elastic."""
    words = ["compare", "scenarios/ray/elastic_4_32.json", "--policy", "torchrun", "--set",
             "/expect=[]"]
    said = " ".join(run(*words, code=None).stdout.split())
    check("one history: nothing is random here" in said, said[:400])
    check(" of 30 runs" not in said and "in 30 runs" not in said, said[:900])
    check("num_workers [4,32] (the scenario's)" in said, said[:400])
    check("nnodes 1:4 (preset start:" in said, said[:400])
    got = json.loads(run(*words, "--json", code=None).stdout)
    check(got["histories"] == 1 and got["runs"] == 30, f"{got['histories']} of {got['runs']}")
    alive = got["comparisons"][0]["metrics"]["alive"]
    check(alive["second"] > 0.99, f"it goes on with fewer nodes: {alive}")
    drawn = [*words, "--set", '/jobs/0/phases/rendezvous={"uniform":["5s","15s"]}']
    said = " ".join(run(*drawn, code=None).stdout.split())
    check("one history of faults: they are scripted" in said, said[:400])


def a_policy_of_her_own_over_a_trace(folder):
    """Four outages within five days, and then six a day: who dies of the fourth has seen no other,
    and has the higher ETTR."""
    own, trace = folder / "mine.py", folder / "trace.csv"
    text = pathlib.Path("policies/external/python/policy.py").read_text()
    own.write_text(text.replace("self.failures += 1",
                                'self.failures += event.get("kind") != "node_lost"'))
    days = [1, 2, 3, 4, *(6 + i / 6 for i in range(60))]
    trace.write_text("node,down,up,cause\n" + "".join(
        f"n{i},{day:.3f}d,{day + 0.2:.3f}d,fan\n" for i, day in enumerate(days)))
    base, traced = folder / "base.json", folder / "traced.json"
    run("init", "--gpu", 1024, "--days", 20, "--out", base)
    run("import", trace, "--into", base, "--out", traced)
    scenario = json.loads(traced.read_text())
    scenario["jobs"][0]["policy"]["config"]["max_failures"] = 3
    traced.write_text(json.dumps(scenario))
    words = ["compare", traced, "--policy", "ray_train", "--policy", "torchrun", "--policy-cmd",
             f"'{sys.executable}' -B '{own}'", "--runs", 1]
    hers = json.loads(run(*words, "--json", code=1).stdout)["comparisons"][1]["metrics"]
    check(hers["ettr"]["difference"]["value"] < 0 < hers["useful_share"]["difference"]["value"],
          f"the case is one: {hers['ettr']} {hers['useful_share']}")
    check(hers["alive"]["difference"]["value"] == 1, f"hers lives: {hers['alive']}")
    said = " ".join(run(*words, code=1).stdout.split()).partition("mine.py': may survive")[2]
    check(said.startswith(" more often than ray_train") and "useful_share higher by 0." in said,
          said[:600])
    check(re.search(r" ettr( +\S+){3} \(too few runs\) +- +- +0", said),
          f"by ETTR nobody is better: {said}")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        an_exit_code_is_explained()
        pairing_pays()
        the_same_however_made(folder)
        recordings(folder)
        a_price_is_no_event()
        is_pod_rescheduling_worth_it(folder)
        a_group_that_stays_small_gets_less_done(folder)
        a_policy_of_her_own_over_a_trace(folder)
        sizes_are_compared_by_what_they_do()
        a_queue_is_compared_by_what_it_does(folder)
        one_history_is_no_evidence_of_others()
        builds(folder)
        mistakes()
    sys.exit(1 if failures else 0)


main()
