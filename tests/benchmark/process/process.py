#!/usr/bin/env python3
"""Whole processes against an empty program that links SimGrid: time as a ratio, memory above it.

usage: process.py EMPTY AFTERSHOCK

Runs take turns, so that what else the machine does falls on all of them alike.
"""

import os
import statistics
import sys
import tempfile
import time

ROUNDS = 40
RUNS = [
    ("reference_54_days", ["scenarios/reference_54_days.json"]),
    ("recorded", ["scenarios/reference_54_days.json", "--record", "RECORDING"]),
    ("8192 nodes", ["scenarios/reference_54_days_8192_nodes.json"]),
    ("quickstart", ["scenarios/quickstart.json"]),
    ("npu_4096_year", ["scenarios/modelarts/npu_4096_year.json"]),
]


def run(command):
    """Seconds and peak KiB of one process."""
    begin = time.perf_counter()
    child = os.posix_spawn(command[0], command, os.environ)
    _, status, usage = os.wait4(child, 0)
    if status != 0:
        sys.exit(f"{' '.join(command)}: failed")
    return time.perf_counter() - begin, usage.ru_maxrss


def main():
    empty, aftershock = sys.argv[1:]
    commands = {"empty": [empty]}
    with tempfile.TemporaryDirectory() as folder:
        recording = os.path.join(folder, "run.aftershock")
        for name, arguments in RUNS:
            arguments = [recording if word == "RECORDING" else word for word in arguments]
            commands[name] = [aftershock, "run", "--quiet", *arguments]
        measured = {name: [] for name in commands}
        for _ in range(ROUNDS):
            for name, command in commands.items():
                measured[name].append(run(command))
    seconds = {name: statistics.median(s for s, _ in rows) for name, rows in measured.items()}
    kib = {name: statistics.median(k for _, k in rows) for name, rows in measured.items()}
    print(f"{'whole process':20} {'ms':>8} {'ratio':>7} {'MiB':>8} {'above':>7}")
    for name in commands:
        print(
            f"{name:20} {seconds[name] * 1e3:8.1f} {seconds[name] / seconds['empty']:7.2f} "
            f"{kib[name] / 1024:8.1f} {(kib[name] - kib['empty']) / 1024:7.1f}"
        )


if __name__ == "__main__":
    main()
