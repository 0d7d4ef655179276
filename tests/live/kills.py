#!/usr/bin/env python3
"""Kills a rank of two again and again at random phases, under torchrun on real processes, and
counts beside simulated runs of the same kills:

  PYTHON tests/live/kills.py AFTERSHOCK [--kills 30] [--monitor S...] [--shared-store] [--seed N]

Printed are, for each monitor interval: how often both agents were charged, with the interval of
95 %; how long after the kill the peer's process was gone, and all ranks trained again. With
--shared-store each kill is a run of its own, as torch 2.6 to 2.15 has it, and counted is how often
the job trains again after one failure, after more, or not within a minute.
"""
import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path[0] = str(Path(__file__).resolve().parent.parent.parent)

from tests.live import driver  # noqa: E402

Plan = dict[str, Any]

_EACH = 10  # kills of one run
_PROFILE_SHARED = "shared_store"


def base(monitor_s: float) -> Plan:
    """The plan of two ranks that train for longer than the kills last."""
    table = json.loads((driver.ROOT / "tests/live/plans/torchrun.json").read_text())
    plan: Plan = driver.merged(table["base"], {
        "job": {"steps": 100000, "step_s": 0.1, "checkpoint": None,
                "phases": {"launching_s": 2.0, "rendezvous_s": 1.0}},
        "policy": {"config": {"max_restarts": 1000, "monitor_interval": monitor_s}}})
    return plan


def kills(plan: Plan, offsets: list[float]) -> Plan:
    """The plan with a kill in each attempt, so long after all of it train."""
    faults = [{"index": index, "kind": "worker_crash", "how": "exit", "exit_code": 137,
               "target": {"rank": 1},
               "when": {"phase": "training", "nth": index + 1, "offset_s": offset}}
              for index, offset in enumerate(offsets)]
    faults.append({"index": len(offsets), "kind": "user_interrupt", "target": {"job": True},
                   "when": {"phase": "training", "nth": len(offsets) + 1, "offset_s": 0.5}})
    told: Plan = driver.merged(plan, {"faults": faults})
    return told


def scenario(plan: Plan, offsets: list[float]) -> Plan:
    """The same as a scenario."""
    config = plan["policy"]["config"]
    return {
        "schema": 1, "name": "kills", "seed": 1, "until": "1h",
        "cluster": {"pools": [{"name": "gpu", "nodes": 2,
                               "accelerators": {"kind": "gpu", "per_node": 1}}],
                    "heartbeat": {"every": "500ms", "misses": 3}},
        "jobs": [{"name": "llm", "workers": 2, "steps": 100000, "step": "100ms",
                  "phases": {"launching": "2s", "rendezvous": "1s", "tearing_down": "200ms"},
                  "collectives": {"transport": "gloo"},
                  "policy": {"name": "torchrun", "config": config}}],
        "faults": [{"id": f"kill-{index}", "kind": "worker_crash", "how": "exit",
                    "exit_code": 137, "target": "job:llm/rank:1",
                    "when": {"job": "llm", "enter": "training", "nth": index + 1,
                             "offset": f"{round(offset * 1e6)}us"}}
                   for index, offset in enumerate(offsets)]}


def charged_live(facts: list[driver.Fact]) -> list[int]:
    """How many agents were charged for each kill."""
    counts: dict[int, int] = {}
    for fact in facts:
        if fact["fact"] == "fault" and fact["what"] == "struck":
            counts[fact["fault"]] = 0
        if fact["fact"] == "decision" and fact["fault"] in counts:
            counts[fact["fault"]] += sum(move["charged"] for move in fact["budgets"])
    return list(counts.values())


def charged_in_model(program: str, told: Plan, folder: Path) -> list[int]:
    """The same of a simulated run."""
    path, record = folder / "kills.json", folder / "kills.aftershock"
    path.write_text(json.dumps(told), encoding="utf-8")
    record.unlink(missing_ok=True)
    subprocess.run([program, "run", str(path), "--record", str(record), "--quiet"], check=False)
    counts = {fault["id"]: 0 for fault in told["faults"]}
    before = 0
    for line in record.read_text(encoding="utf-8").splitlines():
        fact = json.loads(line)
        if fact.get("r") == "decision" and fact["fault"] in counts:
            for move in (move for step in fact["steps"] for move in step["budgets"]):
                counts[fact["fault"]] += move["used"] - before
                before = move["used"]
    return [count for count in counts.values() if count]


def spans(facts: list[driver.Fact]) -> tuple[list[float], list[float]]:
    """Seconds from each kill to the end of the peer's process, and until all ranks train again."""
    gone, again = [], []
    killed_us = 0
    trains: set[int] = set()
    for fact in facts:
        if fact["fact"] == "fault" and fact["what"] == "struck":
            killed_us, trains = fact["t_us"], set()
        elif fact["fact"] == "worker" and fact["what"] == "ended" and killed_us \
                and fact["rank"] == 0:
            gone.append((fact["t_us"] - killed_us) / 1e6)
        elif fact["fact"] == "phase" and fact["phase"] == "training" and killed_us \
                and fact["rank"] not in trains:
            trains.add(fact["rank"])
            if len(trains) == 2:
                again.append((fact["t_us"] - killed_us) / 1e6)
                killed_us = 0
    return gone, again


def share(good: int, of: int) -> str:
    """With Wilson's interval of 95 %."""
    if not of:
        return "-"
    z, p = 1.96, good / of
    middle = (p + z * z / (2 * of)) / (1 + z * z / of)
    half = z * ((p * (1 - p) / of + z * z / (4 * of * of)) ** 0.5) / (1 + z * z / of)
    return f"{good}/{of} ({100 * max(0, middle - half):.0f} to {100 * min(1, middle + half):.0f} %)"


def lengths(values: list[float]) -> str:
    """"0.9 (0.3 to 1.4)"."""
    return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})" \
        if values else "-"


def measure(program: str, monitor_s: float, count: int, luck: random.Random) -> str:
    """A row of the table."""
    live: list[int] = []
    model: list[int] = []
    gone: list[float] = []
    again: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        while len(live) < count:
            offsets = [1.0 + luck.random() * max(1.0, monitor_s) for _ in range(_EACH)]
            plan = kills(driver.merged(base(monitor_s),
                                       {"until_s": _EACH * (12.0 + 2 * monitor_s)}), offsets)
            facts, _ = driver.play(plan, sys.executable, not driver.namespaces())
            if not (found := charged_live(facts)):
                raise RuntimeError(f"no kill has struck: {facts[-1:]}")
            live += [count for count in found if count]  # but for the interrupt
            model += charged_in_model(program, scenario(plan, offsets), Path(folder))
            one_gone, one_again = spans(facts)
            gone += one_gone
            again += one_again
    return (f"| {monitor_s:g} s | {share(live.count(2), len(live))} | "
            f"{share(model.count(2), len(model))} | {lengths(gone)} | {lengths(again)} |")


def restarts_of_shared_store(monitor_s: float, count: int, luck: random.Random) -> str:
    """A row of the table: runs of one kill each."""
    clean = late = 0
    charges: list[int] = []
    for _ in range(count):
        plan = kills(driver.merged(base(monitor_s), {
            "until_s": 75.0, "policy": {"profile": _PROFILE_SHARED}}), [1.0 + luck.random()])
        facts, _ = driver.play(plan, sys.executable, not driver.namespaces())
        _, again = spans(facts)
        failures = len({fact["t_us"] // 2_000_000 for fact in facts
                        if fact["fact"] == "decision" and any(move["charged"]
                                                              for move in fact["budgets"])})
        clean += bool(again) and failures <= 1
        late += bool(again) and failures > 1
        charges.append(sum(charged_live(facts)))
    return (f"| {monitor_s:g} s | {share(clean, count)} | {share(late, count)} | "
            f"{share(count - clean - late, count)} | {lengths([float(one) for one in charges])} |")


def main() -> int:
    """0 where the kills could be made."""
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--monitor", type=float, nargs="*", default=[0.1, 1.0, 5.0])
    parser.add_argument("--shared-store", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    luck = random.Random(given.seed)
    if given.shared_store:
        print("| monitor interval | trains after one failure | after more | not within 60 s |"
              " charges |\n|---|---|---|---|---|")
    else:
        print("| monitor interval | both agents charged, live | in the model | s to the end of the"
              " peer | s to training |\n|---|---|---|---|---|")
    for monitor_s in given.monitor:
        row = restarts_of_shared_store(monitor_s, given.kills, luck) if given.shared_store \
            else measure(given.program, monitor_s, given.kills, luck)
        print(row, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
