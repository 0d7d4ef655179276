"""Plays plans by live/run.py, as `aftershock live` does."""
import json
import os
import subprocess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
NAMESPACES = ["unshare", "--fork", "--pid", "--kill-child=SIGKILL", "--mount", "--mount-proc",
              "--net", "--ipc"]

Fact = dict[str, Any]


def namespaces() -> bool:
    """Whether they can be had."""
    try:
        return subprocess.run([*NAMESPACES, "true"], check=False, capture_output=True,
                              timeout=20).returncode == 0
    except OSError:
        return False


def merged(base: Any, over: Any) -> Any:
    """Objects member by member, and all else as `over` has it."""
    if not isinstance(base, dict) or not isinstance(over, dict):
        return over
    return base | {key: merged(base.get(key), value) for key, value in over.items()}


def start(plan: Fact, python: str, bare: bool, errors: Any = None,
          variables: dict[str, str] | None = None) -> "subprocess.Popen[bytes]":
    """The driver with the plan; its standard input stays open."""
    driver = subprocess.Popen(
        [*([] if bare else NAMESPACES), python, str(ROOT / "live" / "run.py"), plan["backend"]],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
        env=os.environ | (variables or {}))
    assert driver.stdin is not None
    driver.stdin.write(json.dumps(plan).encode() + b"\n")
    driver.stdin.flush()
    return driver


def play(plan: Fact, python: str, bare: bool, errors: Any = None) -> tuple[list[Fact], int]:
    """All facts, and the exit code."""
    driver = start(plan, python, bare, errors)
    assert driver.stdin is not None and driver.stdout is not None
    lines = driver.stdout.read().decode().splitlines()
    driver.stdin.close()
    return [json.loads(line) for line in lines], driver.wait()


def summary(facts: list[Fact]) -> Fact:
    """The outcome, the number of attempts, charges by budget, rules of decisions and faults."""
    decisions = [fact for fact in facts if fact["fact"] == "decision"]
    moves = [row for fact in decisions for row in fact["budgets"] if row["charged"]]
    last = facts[-1] if facts else {}
    return {"outcome": last.get("outcome", last.get("fact")), "reason": last.get("reason", ""),
            "attempts": sum(fact["fact"] == "attempt" for fact in facts),
            "charges": sum(row["used"] - row["before"] for row in moves),
            "causes": sorted({row["cause"] for row in moves}),
            "rules": [fact["rule"] for fact in decisions],
            "faults": sorted({fact["what"] for fact in facts if fact["fact"] == "fault"})}


def out_of_order(facts: list[Fact]) -> str:
    """A breach of the order that facts have, or nothing."""
    if [fact["fact"] for fact in facts[:2]] != ["begin", "rules"]:
        return "begin and rules are not first"
    times = [fact["t_us"] for fact in facts if "t_us" in fact]
    if times != sorted(times):
        return "times go back"
    ends = [fact["fact"] for fact in facts if fact["fact"] in ("end", "invalid")]
    if len(ends) != 1 or facts[-1]["fact"] != ends[0]:
        return "the end is not last, or twice"
    return ""
