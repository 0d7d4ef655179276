#!/usr/bin/env python3
"""Port and installed code on the same scenarios and seeds: do they decide alike?

  tests/hosts/conform.py AFTERSHOCK tests/data/hosts/ray_train.json [HOST_COMMAND]

Compares states at the end, charges with their times and causes, attempts, and where the time went;
not the names of rules, which each has of its own. What differs is either in the file's list, with
the reason, or a failure; what is in the list and does not differ any more is one, too.
"""
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

# Names, host time, and all that only one of the two can say.
NOT_COMPARED = ("hash", "host", "policy", "rules", "rule", "events", "expect", "verdict",
                "verdict_reason", "reason", "name", "notes")


def charges(told: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without moves that a port notes as exempt, and without names of rules."""
    return [{key: value for key, value in charge.items() if key != "rule"}
            for charge in told if not charge["exempt"]]


def differences(port: Any, host: Any, path: str = "") -> dict[str, tuple[Any, Any]]:
    """What differs, by JSON pointer."""
    key = path.rpartition("/")[2]
    if key in NOT_COMPARED:
        return {}
    if key == "charges" and port is not None and host is not None:
        port, host = charges(port), charges(host)
    if isinstance(port, dict) and isinstance(host, dict):
        found: dict[str, tuple[Any, Any]] = {}
        for name in sorted(port.keys() | host.keys()):
            found |= differences(port.get(name), host.get(name), f"{path}/{name}")
        return found
    if isinstance(port, list) and isinstance(host, list) and len(port) == len(host):
        found = {}
        for index, (one, other) in enumerate(zip(port, host, strict=True)):
            found |= differences(one, other, f"{path}/{index}")
        return found
    return {} if port == host else {path: (port, host)}


def profile_of(scenario: str, profile: str) -> list[str]:
    """Flags that have each job or experiment of the scenario decided by this profile."""
    told = json.loads(Path(scenario).read_text(encoding="utf-8"))
    while "experiments" not in told and "jobs" not in told and "extends" in told:
        scenario = str(Path(scenario).parent / told["extends"])
        told = json.loads(Path(scenario).read_text(encoding="utf-8"))
    if "experiments" not in told:
        return ["--set", f"/jobs/0/policy/profile={profile}"]
    return [word for number in range(len(told["experiments"]))
            for word in ("--set", f"/experiments/{number}/policy/profile={profile}")]


class Case:
    """A scenario with one seed, under the port and under its host."""

    def __init__(self, program: str, policy: str, profile: str, host_command: str,
                 row: dict[str, Any], seed: int | None) -> None:
        self.title = row["scenario"] + ("" if seed is None else f" --seed {seed}")
        self.known: str = row.get("differs", "")
        self.charges = 0
        self.differ: dict[str, tuple[Any, Any]] = {}
        self.problem = ""
        command = [program, "run", row["scenario"], "--json"]
        command += [] if seed is None else ["--seed", str(seed)]
        port = self._run([*command, *profile_of(row["scenario"], profile)])
        installed = (["--policy-cmd", host_command, "--policy-deadline", "60s"] if host_command
                     else ["--policy", f"{policy}@installed"])
        host = port and self._run([*command, *installed])
        if port and host:
            self.differ = differences(port, host)
            self.charges = sum(len(charges(budget["charges"]))
                               for holder in port["jobs"] + port.get("experiments", [])
                               for budget in holder["budgets"].values())

    def _run(self, command: list[str]) -> dict[str, Any] | None:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        try:
            told: dict[str, Any] = json.loads(done.stdout)
        except ValueError:
            self.problem = f"exit {done.returncode}: {done.stderr.strip()[:2000]}"
            return None
        if done.returncode in (2, 5, 6):
            self.problem = f"exit {done.returncode}: {done.stderr.strip()[:2000]}"
        return told

    def complaint(self) -> str:
        """Why the case fails; "" where it does not."""
        if self.problem:
            return self.problem
        if bool(self.differ) == bool(self.known):
            return ""
        if self.known:
            return f"does not differ any more, and is listed: {self.known}"
        return "\n".join(f"    {path}: port {port}, installed {host}"[:300]
                         for path, (port, host) in list(self.differ.items())[:8])


def main() -> int:
    """0 where every case is as listed, else 1."""
    program, file = sys.argv[1:3]
    host_command = "".join(sys.argv[3:])
    told = json.loads(Path(file).read_text(encoding="utf-8"))
    jobs = [(row, seed) for row in told["cases"]
            for seed in (range(1, row["seeds"] + 1) if "seeds" in row else [None])]
    with ThreadPoolExecutor(2) as pool:
        cases = list(pool.map(lambda job: Case(program, told["policy"], told["profile"],
                                               host_command, *job), jobs))
    failed = 0
    for case in cases:
        if complaint := case.complaint():
            failed += 1
            print(f"{case.title}: {complaint}")
    differ = sum(bool(case.differ) for case in cases)
    print(f"{told['policy']}@{told['profile']} beside the installed code: {len(cases)} runs, "
          f"{sum(case.charges for case in cases)} charges, {differ} runs differ")
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
