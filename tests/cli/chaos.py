"""`aftershock matrix`, `explore` and `shrink` as people use them; see chaos.sh."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml

PROGRAM = os.environ["AFTERSHOCK_EXECUTABLE"]
RING = "scenarios/ring16.json"
failures = []


def check(good, what):
    if not good:
        failures.append(what)
        print("FAILED:", what)


def run(*words, code=0):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=600)
    check(done.returncode == code, f"{' '.join(map(str, words))}: exit {done.returncode}, wanted "
          f"{code}: {done.stdout[-300:]}{done.stderr[-300:]}")
    return done


def has(text, *parts):
    for part in parts:
        check(part in text, f"no {part!r} in {text[-600:]!r}")


def matrix_of_a_ring(folder):
    junit, page = folder / "matrix.xml", folder / "matrix.html"
    told = json.loads(run("matrix", RING, "--json", "--junit", junit, "--html", page).stdout)
    counts = told["counts"]
    check(counts["finding"] == counts["not bitten"] == counts["broken"] == 0, f"red: {counts}")
    check(all(cell["why"] for cell in told["cells"] if cell["state"] != "recovered"),
          "a cell without a reason")
    cases = xml.parse(junit).getroot().iter("testcase")
    check(len(list(cases)) == len(told["cells"]), "JUnit does not have every cell")
    has(page.read_text(), "class=\"heat\"", "What cannot be")
    # One worker or two, the same cells.
    again = json.loads(run("matrix", RING, "--json", "-j", "1").stdout)
    check(again == told, "the number of workers changes the matrix")


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


def matrix_refuses(folder):
    has(run("matrix", RING, "--job", "rnig", code=2).stderr, "no such job", "ring")
    has(run("matrix", folder / "none.json", code=2).stderr, "none.json")
    has(run("matrix", RING, "--jobs", "0", code=2).stderr, "--jobs")


def explore_goes_on(folder):
    found = folder / "found.sqlite"
    first = run("explore", RING, "--runs", "200", "--out", found).stdout
    has(first, "200 runs", "C04 fault on rank 0", "rules")
    again = json.loads(run("explore", RING, "--runs", "400", "--out", found, "--json").stdout)
    whole = json.loads(run("explore", RING, "--runs", "400", "--out", folder / "whole.sqlite",
                           "--json", "-j", "1").stdout)
    check(again == whole, "a search that went on differs from one in one go")
    other = run("explore", RING, "--policy", "modelarts", "--runs", "10", "--out", found, code=2)
    has(other.stderr, "another search")
    has(run("explore", RING, code=2).stderr, "--out")


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
    for number, test in enumerate((matrix_of_a_ring, cell_as_a_scenario, matrix_refuses,
                                   explore_goes_on, explore_killed, seed_as_a_scenario,
                                   shrink_a_planted_bug)):
        place = pathlib.Path(where) / str(number)
        place.mkdir()
        test(place)
sys.exit(1 if failures else 0)
