#!/usr/bin/env python3
"""The rooms that drivers share, by rows, without processes: plans, facts, triggers, commands.

  python3 tests/live/rooms.py
"""
import json
import sys
from pathlib import Path
from typing import Any

sys.path[0] = str(Path(__file__).resolve().parent.parent.parent)

from live.driver import plan, triggers  # noqa: E402
from live.driver.facts import Facts  # noqa: E402
from live.nvrx import command as of_nvrx  # noqa: E402
from live.ray import settings  # noqa: E402
from live.torchrun import command  # noqa: E402
from tests.live import driver  # noqa: E402

Row = dict[str, Any]

BASE: Row = json.loads((driver.ROOT / "tests/live/plans/torchrun.json").read_text())["base"]
KILL = {"kind": "worker_crash", "target": {"rank": 1}}

# Members over the base, and how the refusal begins; nothing: it is read.
PLANS: list[tuple[Row, str]] = [
    ({}, ""),
    ({"live": 2}, "/live: expected a plan of format 1"),
    ({"backend": "ray"}, "/backend: the plan is for ray"),
    ({"until_s": 0}, "/until_s: got 0"),
    ({"until_s": None}, "/until_s: got null"),
    ({"cluster": None}, "/cluster: expected an object"),
    ({"cluster": {"nodes": []}}, "/cluster/nodes: expected at least one"),
    ({"cluster": {"nodes": [{"name": "a"}], "spares": [{"name": "a"}]}},
     "/cluster: two nodes are named a"),
    ({"cluster": {"replacement": "later"}}, "/cluster/replacement"),
    ({"job": {"step_s": -1}}, "/job/step_s: got -1"),
    ({"job": {"checkpoint": {"every_s": 1.0}}}, "/job/checkpoint: expected either"),
    ({"faults": [KILL]}, "/faults/0: expected one of at_s, at_step, when, got 0"),
    ({"faults": [{**KILL, "at_s": 1, "at_step": 1}]}, "/faults/0: expected one of"),
    ({"faults": [{**KILL, "at_s": 1, "target": {"rank": 2}}]}, "/faults/0/target/rank: got 2"),
    ({"faults": [{**KILL, "at_s": 1, "target": {"node": "x"}}]}, '/faults/0/target/node: got "x"'),
]

# Members of a fault; what happens (attempt, rank, phase or step); how often it strikes.
TRIGGERS: list[tuple[Row, list[tuple[int, int, str | int]], int]] = [
    ({"at_step": 3}, [(1, 0, 2)], 0),
    ({"at_step": 3}, [(1, 0, 3)], 1),
    ({"at_step": 3}, [(1, 0, 4)], 1),
    ({"at_step": 3}, [(1, 0, 3), (2, 0, 3)], 1),
    ({"at_step": 3, "every_attempt": True}, [(1, 0, 3), (2, 0, 3)], 2),
    ({"at_step": 3, "times": 3}, [(1, 0, 3)], 3),
    ({"when": {"phase": "rendezvous"}}, [(1, 0, "launching")], 0),
    ({"when": {"phase": "rendezvous"}}, [(1, 0, "rendezvous"), (1, 1, "rendezvous")], 1),
    ({"when": {"phase": "rendezvous", "nth": 2}}, [(1, 0, "rendezvous"), (1, 1, "rendezvous")], 0),
    ({"when": {"phase": "rendezvous", "nth": 2}}, [(1, 0, "rendezvous"), (2, 1, "rendezvous")], 1),
    ({"when": {"phase": "checkpointing", "nth": 2}},
     [(1, 0, "checkpointing"), (1, 1, "checkpointing"), (1, 1, "checkpointing")], 1),
]

# Members over the base; arguments that the second node's torchrun gets.
COMMANDS: list[tuple[Row, str]] = [
    ({}, "--nnodes 2 --nproc-per-node 1 --max-restarts 3 --monitor-interval 1.0 --rdzv-id run "
         "--rdzv-backend c10d --rdzv-endpoint store:1 --local-addr own "
         "--rdzv-conf keep_alive_interval=1,keep_alive_max_attempt=3,is_host=0"),
    ({"policy": {"config": {"nnodes": "1:2"}}}, "--nnodes 1:2"),
    ({"policy": {"config": {"nnodes": "1:5"}}}, "--nnodes 1:2"),
    ({"policy": {"config": {"rdzv_conf": {"join_timeout": 9, "is_host": "1"}}}},
     "--rdzv-conf join_timeout=9,keep_alive_interval=1,keep_alive_max_attempt=3,is_host=0"),
    ({"cluster": {"heartbeat_s": 5.0, "misses": 4}},
     "keep_alive_interval=5,keep_alive_max_attempt=4"),
    ({"policy": {"config": {"rdzv_backend": "static"}}},
     "--node-rank 1 --master-addr store --master-port 1"),
    ({"speed": 2.0}, "--monitor-interval 0.5"),
    ({"speed": 10.0, "policy": {"config": {"rdzv_conf": {"join_timeout": 30}}}},
     "join_timeout=3,keep_alive_interval=1,keep_alive_max_attempt=3,last_call_timeout=3,"
     "close_timeout=3,is_host=0"),
    ({"policy": {"config": {"entry": "elastic_launch", "max_restarts": 7}}}, "--max-restarts 7"),
]

# Members over NVRx' base; arguments of its launcher.
NVRX: list[tuple[Row, str]] = [
    ({}, "--monitor-interval 0.3"),
    ({"speed": 5.0, "policy": {"config": {"rank_heartbeat_timeout": 10}}},
     "--workers-stop-timeout 3.0 --ft-rank-heartbeat-timeout 2.0"),
]

# Settings of Ray Train, the speed; its variables.
RAY: list[tuple[Row, float, Row]] = [
    ({"health_check_interval_s": 0.5, "enable_preemption_watcher": False}, 1,
     {"RAY_TRAIN_HEALTH_CHECK_INTERVAL_S": "0.5", "RAY_TRAIN_ENABLE_PREEMPTION_WATCHER": "0"}),
    ({"health_check_interval_s": 5, "max_failures": 2}, 10,
     {"RAY_TRAIN_HEALTH_CHECK_INTERVAL_S": "0.5"}),
]

# Times of facts, in the order in which they are told; the order in which they are written.
ORDERS: list[tuple[list[int], list[int]]] = [([1, 2, 3], [1, 2, 3]), ([3, 1, 2], [1, 2, 3])]


class Loop:
    """Calls at once."""

    def at(self, when_ns: int, call: Any) -> None:
        """Now."""
        call()


def refusal(over: Row) -> str:
    """The refusal of a plan, or nothing."""
    try:
        plan.read(json.dumps(driver.merged(BASE, over)), "torchrun")
    except plan.Unfit as error:
        return str(error)
    return ""


def strikes(fault: Row, happens: list[tuple[int, int, str | int]]) -> int:
    """How often the fault strikes."""
    struck: list[Row] = []
    loop: Any = Loop()
    one = triggers.Triggers(loop, [{"index": 0, **fault}], struck.append)
    for attempt, rank, what in happens:
        if isinstance(what, str):
            one.phase(attempt, rank, what, 0)
        else:
            one.step(attempt, what, 0)
    return len(struck)


def written(times: list[int]) -> list[int]:
    """Facts of these microseconds, as they are written at the end."""
    lines: list[str] = []
    facts = Facts(lines.append)
    facts.begin()
    for t_us in times:
        facts.add("node", facts.start_ns + t_us * 1000)
    facts.end("completed", "", at_ns=facts.start_ns + 10_000_000)
    facts.end("failed", "")
    told = [json.loads(line) for line in lines]
    assert [one["fact"] for one in told].count("end") == 1 and told[-1]["outcome"] == "completed"
    return [one["t_us"] for one in told if one["fact"] == "node"]


def late() -> list[int]:
    """A fact that is told after later ones have been written: its time is theirs."""
    lines: list[str] = []
    facts = Facts(lines.append)
    facts.begin()
    for t_us, written_us in ((5, 6), (2, 9)):
        facts.add("node", facts.start_ns + t_us * 1000)
        facts.flush(facts.start_ns + written_us * 1000)
    return [json.loads(line)["t_us"] for line in lines]


def main() -> int:
    """0 where each row is as it says."""
    wrong = []
    for over, begins in PLANS:
        got = refusal(over)
        if not (got.startswith(begins) if begins else got == ""):
            wrong.append(f"plan {over}: expected {begins!r}, got {got!r}")
    for fault, happens, count in TRIGGERS:
        if (often := strikes(fault, happens)) != count:
            wrong.append(f"trigger {fault} {happens}: expected {count}, got {often}")
    for over, arguments in COMMANDS:
        made = command.Command(plan.read(json.dumps(driver.merged(BASE, over)), "torchrun"))
        if arguments not in (line := " ".join(made.line(1, "own", "store", 1))):
            wrong.append(f"command {over}: expected {arguments}, got {line}")
    for over, arguments in NVRX:
        base = json.loads((driver.ROOT / "tests/live/plans/nvrx.json").read_text())["base"]
        read = plan.read(json.dumps(driver.merged(base, over)), "nvrx")
        line = " ".join(of_nvrx.Command(read, "folder").line(1, "own", "store", 1))
        if arguments not in line:
            wrong.append(f"command of NVRx {over}: expected {arguments}, got {line}")
    for config, speed, told in RAY:
        found_variables = settings.variables({"speed": speed, "policy": {"config": config},
                                              "job": {}})
        if found_variables != told:
            wrong.append(f"variables of {config}: expected {told}, got {found_variables}")
    for times, order in ORDERS:
        if (found := written(times)) != order:
            wrong.append(f"facts {times}: expected {order}, got {found}")
    if (found := late()) != [0, 5, 5]:
        wrong.append(f"a late fact: got {found}")
    print("\n".join([*wrong, f"{len(wrong)} rows do not hold"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
