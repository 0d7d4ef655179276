#!/usr/bin/env python3
"""Ends the driver of a live run at random moments, by SIGKILL unless --how says otherwise, and
looks for what is left: processes, folders, links, memory cgroups.

  PYTHON tests/live/killed.py [--count N] [--bare] [--seed N] [--row NAME] [--backend torchrun]
  PYTHON tests/live/killed.py --program AFTERSHOCK --scenario FILE --backend BACKEND

A row of tests/live/plans is what runs; with --program a scenario, and `aftershock` itself is ended.
With namespaces nothing may be left after 5 s, else (--bare) after 100 s.
"""
import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parent.parent.parent)

from tests.live import driver  # noqa: E402

_MARK = "AFTERSHOCK_TEST_MARK"
_RUN = b"AFTERSHOCK_LIVE_RUN="


def of_run(mark: str) -> dict[int, str]:
    """Processes of the run with that mark in their environment, with the name of its folder."""
    wanted = f"{_MARK}={mark}".encode()
    found = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                variables = Path(entry.path, "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if wanted in variables:
                tokens = [one[len(_RUN):].decode() for one in variables if one.startswith(_RUN)]
                found[int(entry.name)] = tokens[0] if tokens else ""
    return found


def elastic() -> set[str]:
    """The folders for logs that torch makes."""
    return {str(path) for path in Path("/tmp").glob("torchelastic_*")}


def left(mark: str, folders: set[str], before: set[str]) -> list[str]:
    """Processes of a run, its folders beside those that were there before, and links of this
    namespace."""
    found = [f"process {pid}" for pid in of_run(mark)]
    found += [str(path) for path in (Path("/tmp", name) for name in sorted(folders) if name)
              if path.exists()]
    found += sorted(elastic() - before)
    for groups in (Path("/sys/fs/cgroup/memory"), Path("/sys/fs/cgroup")):
        found += [str(path) for path in groups.glob("aftershock-live-*")]
    links = subprocess.run(["ip", "link"], check=False, capture_output=True, text=True).stdout
    return found + [line for line in links.splitlines() if "live0" in line]


def start(given: argparse.Namespace, mark: str) -> "subprocess.Popen[bytes]":
    """The run."""
    if given.program:
        return subprocess.Popen(
            [given.program, "live", given.scenario, "--backend", given.backend, "--quiet"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=os.environ | {_MARK: mark})
    table = json.loads((driver.ROOT / f"tests/live/plans/{given.backend}.json").read_text())
    row = next(row for row in table["rows"] if row["name"] == given.row)
    return driver.start(driver.merged(table["base"], row["plan"]), sys.executable, given.bare,
                        variables={_MARK: mark})


def driver_of(process: "subprocess.Popen[bytes]", bare: bool) -> int:
    """The process of run.py."""
    if bare:
        return process.pid
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while not (found := children.read_text().split()):
        time.sleep(0.01)
    return int(found[0])


def main() -> int:
    """0 where nothing was left each time."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bare", action="store_true")
    parser.add_argument("--row", default="kill")
    parser.add_argument("--program", help="aftershock, to end it and not its driver")
    parser.add_argument("--scenario", help="of --program")
    parser.add_argument("--backend", default="torchrun")
    parser.add_argument("--longest", type=float, default=14.0)
    parser.add_argument("--how", choices=("kill", "term", "eof"), default="kill")
    given = parser.parse_args()
    moments = random.Random(given.seed)
    limit_s = 100.0 if given.bare else 5.0
    worst_s = failed = 0.0
    for number in range(given.count):
        mark = f"{os.getpid()}.{number}"
        at_s = moments.uniform(0.1, given.longest)
        before = elastic()
        process = start(given, mark)
        time.sleep(at_s)
        there = of_run(mark)
        folders = set(there.values())
        victim = None if process.poll() is not None else process.pid if given.program \
            else driver_of(process, given.bare)
        if given.how == "eof" and process.stdin is not None:
            process.stdin.close()
        elif victim is not None:
            os.kill(victim, signal.SIGKILL if given.how == "kill" else signal.SIGTERM)
        began = time.monotonic()
        process.wait()
        while (rest := left(mark, folders, before)) \
                and time.monotonic() - began < limit_s:
            time.sleep(0.05)
        took_s = time.monotonic() - began
        worst_s = max(worst_s, took_s)
        if process.poll() is None or not there:
            rest.append("a run that was never there, or is still")
        failed += bool(rest)
        remains = ", ".join(rest) if rest else "nothing"
        print(f"at {at_s:.1f} s: of {len(there)} processes {remains} left "
              f"after {took_s:.2f} s", flush=True)
    print(f"{given.count - failed:.0f} of {given.count} left nothing; the slowest took "
          f"{worst_s:.2f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
