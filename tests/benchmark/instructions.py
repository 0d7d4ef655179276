#!/usr/bin/env python3
"""Holds the instructions of the workloads to those of tests/benchmark/baseline.json.

A count that is more than 2 % above is a regression. One more than 2 % below is red as well: a
baseline that is too high would let the next rise pass. `--accept` writes what was counted.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import callgrind
from workloads import ROOT, WORKLOADS, Workload

LIMIT_PERCENT = 2
BASELINE = ROOT / "tests/benchmark/baseline.json"
_SKIPPED = 77
_TARGETS = "aftershock aftershock_end_gently"


def surroundings(program: Path) -> dict[str, str]:
    """What counts depend on beside the program: they hold only where these are the same."""
    system = platform.freedesktop_os_release()
    valgrind = subprocess.run(["valgrind", "--version"], capture_output=True, text=True, check=True)
    return {
        "machine": platform.machine(),
        "system": f"{system.get('ID', '')} {system.get('VERSION_ID', '')}".strip(),
        "compiler": compiler(program.read_bytes()),
        "valgrind": valgrind.stdout.strip().removeprefix("valgrind-"),
    }


def compiler(program: bytes) -> str:
    """The compiler that a program says it was built by, with its major version. The C library's
    start files name GCC in every program, so clang goes first."""
    for name, mark in (("clang", rb"clang version (\d+)\."), ("gcc", rb"GCC: \([^)]*\) (\d+)\.")):
        if found := re.search(mark, program):
            return f"{name} {found.group(1).decode()}"
    return "unknown"


def elsewhere(held: dict[str, str], here: dict[str, str]) -> str:
    """In what this place differs from that of the baseline; empty if in nothing."""
    return ", ".join(
        f"{what} is {here.get(what, 'unknown')}, not {wanted}"
        for what, wanted in held.items()
        if here.get(what) != wanted
    )


def judge(name: str, counted: callgrind.Count, kept: dict[str, int] | None) -> str:
    """The fault of a count and its remedy; empty if the count holds."""
    again = f"tests/benchmark/instructions.py --workload {name}"
    accept = f"{again} --accept, then commit tests/benchmark/baseline.json with the reason"
    if kept is None:
        return f"{name} has no baseline\n  keep one:         {accept}"
    change = counted.instructions - kept["instructions"]
    if 100 * abs(change) <= LIMIT_PERCENT * kept["instructions"]:
        return ""
    percent = 100 * abs(change) / kept["instructions"]
    lines = [
        f"{name} executes {percent:.1f} % {'more' if change > 0 else 'fewer'} instructions than "
        f"its baseline; {LIMIT_PERCENT} % are allowed",
        f"  counted:          {counted.instructions:,} in {counted.processes} process(es)",
        f"  baseline:         {kept['instructions']:,} in {kept['processes']} process(es)",
        f"  ratio:            {counted.instructions / kept['instructions']:.4f}",
        f"  count it again:   ./dev build release {_TARGETS} && {again}",
    ]
    if change > 0:
        lines.append(
            "  which functions:  ./dev bench --against REV, the last commit whose count was right"
        )
        lines.append(f"  if it must be so: {accept}")
    else:
        lines.append(f"  keep the gain:    {accept}")
    return "\n".join(lines)


def count_all(
    chosen: list[Workload], arguments: argparse.Namespace, kept: dict[str, Any]
) -> tuple[dict[str, callgrind.Count], list[str]]:
    """Counts of the chosen workloads, a line each as they come, and what is wrong."""
    counts: dict[str, callgrind.Count] = {}
    wrong: list[str] = []
    print(f"{'workload':24} {'instructions':>15} {'baseline':>15} {'ratio':>7} {'seconds':>8}")
    for workload in chosen:
        begin = time.monotonic()
        try:
            counted = callgrind.count(workload, arguments.program, arguments.end_gently)
        except (callgrind.Refused, callgrind.CutOff) as error:
            wrong.append(f"{workload.name} cannot be counted: {error}")
            continue
        counts[workload.name] = counted
        before = kept.get(workload.name)
        against = f"{before['instructions']:15,} " if before else f"{'none':>15} "
        against += f"{counted.instructions / before['instructions']:7.4f}" if before else " " * 7
        print(
            f"{workload.name:24} {counted.instructions:15,} {against} "
            f"{time.monotonic() - begin:8.1f}",
            flush=True,
        )
        if not arguments.accept and (said := judge(workload.name, counted, before)):
            wrong.append(said)
    return counts, wrong


def write(counts: dict[str, callgrind.Count], here: dict[str, str], kept: dict[str, Any]) -> None:
    """The baseline, with the new counts in it and no others than of workloads that there are."""
    rows = {
        workload.name: {
            "instructions": counts[workload.name].instructions,
            "processes": counts[workload.name].processes,
        }
        if workload.name in counts
        else kept[workload.name]
        for workload in WORKLOADS
        if workload.name in counts or workload.name in kept
    }
    BASELINE.write_text(json.dumps({"holds_for": here, "workloads": rows}, indent=1) + "\n")
    print(f"{BASELINE.relative_to(ROOT)}: {len(counts)} of {len(WORKLOADS)} workloads written")


def parse() -> argparse.Namespace:
    """The command line; a program that is not there is an error at once."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    names = [workload.name for workload in WORKLOADS]
    parser.add_argument("--program", type=Path, default=ROOT / "build/bin/aftershock")
    parser.add_argument(
        "--end-gently", type=Path, default=ROOT / "build/tests/libaftershock_end_gently.so"
    )
    parser.add_argument("--workload", action="append", choices=names, help="default: all")
    parser.add_argument("--accept", action="store_true", help="write what is counted")
    arguments = parser.parse_args()
    for file in (arguments.program, arguments.end_gently):
        if not file.exists():
            parser.error(f"{file} is not built: ./dev build release {_TARGETS}")
    return arguments


def main() -> int:
    """0 where all counts hold, 1 where one does not, 77 where the baseline is of another place."""
    arguments = parse()
    if shutil.which("valgrind") is None:
        print("skipped: valgrind is not installed")
        return _SKIPPED
    here = surroundings(arguments.program)
    held = json.loads(BASELINE.read_text()) if BASELINE.exists() else {}
    other = elsewhere(held.get("holds_for", {}), here)
    chosen = [each for each in WORKLOADS if each.name in (arguments.workload or [each.name])]
    if other and not arguments.accept:
        print(f"skipped: the baseline is of another place: {other}")
        return _SKIPPED
    if other and len(chosen) < len(WORKLOADS):
        print(f"accept all workloads at once: {other}")
        return 1
    kept = held.get("workloads", {})
    counts, wrong = count_all(chosen, arguments, kept)
    for said in wrong:
        print(said)
    if arguments.accept and not wrong:
        write(counts, here, kept)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
