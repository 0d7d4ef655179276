"""`aftershock matrix`, `explore` and `shrink` as people use them; see chaos.sh."""
import contextlib
import json
import pathlib
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml

sys.dont_write_bytecode = True

from expecting import PROGRAM, check, failures, has, run

RING = "scenarios/ring16.json"


def matrix_of_a_ring(folder):
    junit, page = folder / "matrix.xml", folder / "matrix.html"
    told = json.loads(run("matrix", RING, "--json", "--junit", junit, "--html", page).stdout)
    counts = told["counts"]
    check(counts["finding"] == counts["not bitten"] == counts["broken"] == 0, f"red: {counts}")
    check(all(cell["why"] for cell in told["cells"] if cell["state"] != "recovered"),
          "a cell without a reason")
    cases = xml.parse(junit).getroot().iter("testcase")
    check(len(list(cases)) == len(told["cells"]), "JUnit does not have every cell")
    has(page.read_text(), "class=\"heat\"", "Impossible cells")
    run("matrix", RING, "--html", page, "--quiet")  # its own page may be written anew
    mine = folder / "mine.html"
    mine.write_text("<p>mine</p>")
    refused = run("matrix", RING, "--html", mine, code=2)
    has(refused.stderr, "mine.html: exists and is not a report")
    check(mine.read_text() == "<p>mine</p>", "a page that is no report is written over")
    copied, linked = folder / "ring.json", folder / "linked.json"
    copied.write_bytes(pathlib.Path(RING).read_bytes())
    linked.symlink_to(copied)
    has(run("matrix", linked, "--junit", copied, code=2).stderr, "is the scenario as well")
    # One worker or two, the same cells.
    again = json.loads(run("matrix", RING, "--json", "-j", "1").stdout)
    check(again == told, "the number of workers changes the matrix")


def pairs_of_a_ring(folder):
    kept = folder / "pairs.sqlite"
    junit, page = folder / "pairs.xml", folder / "pairs.html"
    pairs = ("matrix", RING, "--pairs", "--json", "--out", kept)
    first = json.loads(run(*pairs, "--for", "1s", "-j", "1").stdout)
    told = json.loads(run(*pairs, "--for", "2s", "--junit", junit, "--html", page).stdout)
    suites = xml.parse(junit).getroot()
    cases = list(suites.iter("testcase"))
    check(len(cases) == told["pairs"], "JUnit does not have every pair")
    # Those that were run and broke something are cases of their own; all others say why not.
    skipped = sum(case.find("skipped") is not None for case in cases)
    check(skipped == told["pairs"] - told["runs"] + told["counts"]["not bitten"],
          f"{skipped} are skipped: {told['counts']}")
    check(suites.get("failures") == suites.get("errors") == "0", "JUnit is red")
    has(page.read_text(), "class=\"heat\"", "Pairs that recovered", "it was not run yet",
        f"{RING} --pair ")
    has(run(*pairs, "--junit", kept, code=2).stderr, "pairs.sqlite", "--out")
    check(first["runs"] < told["runs"] <= told["pairs"], "pairs do not go on")
    check(told["pairs"] > 20000, f"{told['pairs']} pairs")
    for part in first, told:
        counts = part["counts"]
        check(sum(counts.values()) == part["runs"], f"not every pair is counted: {counts}")
        check(counts["finding"] == counts["broken"] == counts["excluded"] == 0, f"red: {counts}")
        check(all(failure["known"] for failure in part["failures"]), "an unknown failure")
    check(told["failures"][:len(first["failures"])] == first["failures"], "a failure is lost")
    pair = folder / "pair.json"
    pair.write_text(run("matrix", RING, "--pair", "training/F01,launching/F07").stdout)
    run("run", pair, code=3)
    has(run("matrix", RING, "--pair", "training/F03,rendezvos/F01", code=2).stderr,
        "such as training/F03,rendezvous/F01")
    has(run("matrix", RING, "--pairs", code=2).stderr, "--out FILE is missing")


def cell_as_a_scenario(folder):
    cell = folder / "cell.json"
    cell.write_text(run("matrix", RING, "--cell", "restoring/F03/other-rank/middle").stdout)
    told = json.loads(run("run", cell, "--json").stdout)
    check(told["jobs"][0]["outcome"] == "completed", "the cell's run does not complete")
    fault = json.loads(cell.read_text())["faults"][-1]
    check(fault["when"]["enter"] == "restoring" and fault["require"] == "fired", f"{fault}")
    for wrong, word in (("restoring/F03/other-rank/midle", "restoring/F03/other-rank/middle"),
                        ("training/F03/victim/entry", "nothing has failed yet"),
                        ("x", "PHASE/FAULT/TARGET/MOMENT")):
        has(run("matrix", RING, "--cell", wrong, code=2).stderr, word)


# A pool without replacement and repair is not a policy's fault.
def matrix_past_recovery(folder):
    told = json.loads(run("matrix", "scenarios/job/default_backoff_limit.json", "--set",
                          "/jobs/0/policy/config/backoffLimit=100", "--json").stdout)
    counts = told["counts"]
    check(counts["finding"] == counts["not bitten"] == counts["broken"] == 0, f"red: {counts}")
    lost = [cell for cell in told["cells"] if cell["state"] == "past recovery"]
    check(len(lost) == counts["past recovery"] > 300, f"{counts}")
    check({cell["why"].split(", and")[0] for cell in lost} ==
          {"job llm needs 4 nodes of its pool"}, lost[0]["why"])
    more = json.loads(run("matrix", "scenarios/ray/leaked_group.json", "--json").stdout)
    check(any(cell.get("why") == "its pool gives out no machines in place of others"
              for cell in more["cells"]), "a bad replacement where there is none")


def commands_keep_the_seed(folder):
    page = folder / "matrix.html"
    told = json.loads(run("matrix", RING, "--seed", "5", "--json", "--html", page).stdout)
    cell = next(cell for cell in told["cells"] if cell["state"] == "expected finding")
    has(page.read_text(), f"--seed 5 --cell {cell['id']}")
    shown = run("matrix", RING, "--seed", "5", "--cell", cell["id"]).stdout
    check(json.loads(shown)["seed"] == 5, "the cell has another seed")


def matrix_refuses(folder):
    has(run("matrix", RING, "--job", "rnig", code=2).stderr, "no such job", "ring")
    has(run("matrix", folder / "none.json", code=2).stderr, "none.json")
    has(run("matrix", RING, "--jobs", "0", code=2).stderr, "--jobs")


def options_that_do_not_go_together(folder):
    out = folder / "none.sqlite"
    cell, pair = ("--cell", "training/F15/head/middle"), ("--pair", "training/F01,launching/F07")
    pairs = ("--pairs", "--out", out)
    for asked in (cell, pair):
        for option in ("--html", "--junit"):
            has(run("matrix", RING, *asked, option, folder / "x", code=2).stderr, option, asked[0])
    for asked in (pairs + cell, pairs + pair, cell + pair):
        has(run("matrix", RING, *asked, code=2).stderr, "exclude")
    has(run("explore", RING, "--seed", "5", "--show", "2", code=2).stderr, "--show SEED")
    check(not list(folder.iterdir()), "something was written nevertheless")


def explore_goes_on(folder):
    found = folder / "found.sqlite"
    first = run("explore", RING, "--runs", "200", "--out", found).stdout
    has(first, "200 runs", "C04 fault on rank 0", "rules")
    has(first, "1 cannot be\n", "cannot be  C35 clock skew", "node_lifecycle_controller.go")
    again = json.loads(run("explore", RING, "--runs", "400", "--out", found, "--json").stdout)
    check([point["name"][:3] for point in again["cannot_be"]] == ["C35"], "cannot_be")
    whole = json.loads(run("explore", RING, "--runs", "400", "--out", folder / "whole.sqlite",
                           "--json", "-j", "1").stdout)
    check(again == whole, "a search that went on differs from one in one go")
    other = run("explore", RING, "--policy", "modelarts", "--runs", "10", "--out", found, code=2)
    has(other.stderr, "another search")
    has(run("explore", RING, code=2).stderr, "--out")
    with contextlib.closing(sqlite3.connect(found)) as changed, changed:
        changed.execute("alter table failure rename column known to seen")
    has(run("explore", RING, "--runs", "400", "--out", found, code=2).stderr,
        "found.sqlite: was written by another build: its table failure has no column known")


def explore_killed(folder):
    found = folder / "killed.sqlite"
    for _ in range(3):
        child = subprocess.Popen([PROGRAM, "explore", RING, "--runs", "600", "--out", found,
                                  "--quiet"])
        time.sleep(0.15)
        child.send_signal(signal.SIGKILL)
        child.wait()
    told = json.loads(run("explore", RING, "--runs", "600", "--out", found, "--json").stdout)
    whole = json.loads(run("explore", RING, "--runs", "600", "--out", folder / "unkilled.sqlite",
                           "--json").stdout)
    check(told == whole, "three kills change what is found")


def seed_as_a_scenario(folder):
    seed = folder / "seed.json"
    seed.write_text(run("explore", RING, "--show", "5").stdout)
    check(json.loads(seed.read_text())["seed"] == 5, "the seed is another one")
    run("validate", seed)


def shrink_a_planted_bug(folder):
    scenario = json.loads(pathlib.Path(RING).read_text())
    scenario["jobs"][0]["policy"]["config"]["max_failures"] = 1
    scenario["faults"] = [{"kind": "hang", "target": f"job:ring/rank:{i % 16}", "lasts": "1s",
                           "at": f"{700 + 61 * i}s"} for i in range(39)]
    for place, rank, at in ((7, 3, "1203s"), (30, 11, "2907s")):
        scenario["faults"].insert(place, {"kind": "worker_crash", "at": at,
                                          "target": f"job:ring/rank:{rank}"})
    planted, small = folder / "planted.json", folder / "small.json"
    planted.write_text(json.dumps(scenario))
    has(run("shrink", planted, "--out", small).stderr, "2 of 41 faults left")
    left = json.loads(small.read_text())
    check(len(left["faults"]) == 2, f"{left['faults']}")
    check(left["cluster"]["pools"][0].get("nodes", 1) <= 4, f"{left['cluster']}")
    run("run", small, code=1)
    has(run("shrink", planted, "--out", small, code=2).stderr, "is there already")
    has(run("shrink", RING, code=2).stderr, "does not fail")
    has(run("shrink", "scenarios/llama3_54_days.json", code=2).stderr, "by chance")
    part = run("shrink", planted, "--runs", "3", code=8)
    has(part.stderr, "not enough")
    json.loads(part.stdout)


with tempfile.TemporaryDirectory() as where:
    for number, test in enumerate((matrix_of_a_ring, cell_as_a_scenario, pairs_of_a_ring,
                                   matrix_past_recovery, matrix_refuses, commands_keep_the_seed,
                                   options_that_do_not_go_together, explore_goes_on, explore_killed,
                                   seed_as_a_scenario, shrink_a_planted_bug)):
        place = pathlib.Path(where) / str(number)
        place.mkdir()
        test(place)
sys.exit(1 if failures else 0)
