#!/usr/bin/env python3
"""The host of torchrun: leaps and repeats, its rendezvous, and what outlives its process.

  tests/hosts/agents.py AFTERSHOCK
"""
import hashlib
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
Scenario = dict[str, Any]


def scenario(name: str, env: dict[str, str] | None = None, **config: Any) -> Scenario:
    """A shipped scenario with settings of the policy and the job's environment, for any outcome."""
    read: Scenario = json.loads((ROOT / f"scenarios/torchrun/{name}.json").read_text())
    job = read["jobs"][0]
    job["policy"]["config"] |= config
    job["policy"].pop("profile", None)
    if env:
        job["env"] = env
    del read["$schema"], read["expect"]
    for fault in read["faults"]:
        fault.pop("require", None)
    return read


class Runs:
    """Runs scenarios under the host."""

    def __init__(self, program: str, folder: Path) -> None:
        self._program = program
        self._folder = folder
        made = subprocess.run([program, "hosts", "setup", "torchrun"], check=True,
                              capture_output=True, text=True).stdout
        place = re.search(r"^touch '?(.*)/ready'?$", made, re.MULTILINE)
        assert place is not None, made
        self._host = f"'{place[1]}/bin/python' policies/external/hosts/run.py torchrun"

    def run(self, what: Scenario, *words: str) -> tuple[Scenario, str]:
        """The summary's job, and a digest of the talk and the summary."""
        file, talk = self._folder / "scenario.json", self._folder / "talk.ndjson"
        file.write_text(json.dumps(what))
        said = subprocess.run(
            [self._program, "run", str(file), "--policy-cmd", self._host, "--json", "--transcript",
             str(talk), "--policy-deadline", "100s", *words],
            check=False, capture_output=True, text=True, cwd=ROOT)
        assert said.stdout, said.stderr
        summary = json.loads(said.stdout)
        summary.pop("reproduce", None)
        digest = hashlib.sha256(talk.read_bytes())
        job: Scenario = summary["jobs"][0]
        return job, digest.hexdigest()


def leaps_change_nothing(runs: Runs) -> None:
    """Looks that see nothing, played and leapt over, give the same talk."""
    for name in ("elastic_rounds", "an_agent_is_reached_again", "nobody_joins"):
        for interval in (1, 30):
            what = scenario(name, monitor_interval=interval)
            leapt, played = runs.run(what)[1], runs.run(
                what, "--policy-env", "TORCHRUN_HOST_LEAPS=0")[1]
            assert leapt == played, f"{name}: leaps change what looks each {interval} s give"


def repeats_are_the_same(runs: Runs) -> None:
    """Ten times the same talk."""
    talks = {runs.run(scenario("agents_count_apart"))[1] for _ in range(10)}
    assert len(talks) == 1, f"ten runs, {len(talks)} talks"


def static_peers_see_no_restart(runs: Runs) -> None:
    """Of a static rendezvous: others look on until their own collectives fail, and all count."""
    what = scenario("agents_count_apart", rdzv_backend="static")
    del what["faults"][1:]
    job, _ = runs.run(what)
    budget = job["budgets"]["max_restarts"]
    times = [charge["t_us"] for charge in budget["charges"]]
    assert (job["outcome"], budget["used"]) == ("completed", 4), job
    assert times[0] == 930_000_000 and times[-1] > 1_000_000_000, times


def newcomers_fail_with_a_shared_store(runs: Runs) -> None:
    """Of torch's own default: a new agent waits for MASTER_ADDR, which rank 0 sets once."""
    what = scenario("agents_count_apart", env={"TORCH_DISABLE_SHARE_RDZV_TCP_STORE": "0"})
    job, _ = runs.run(what)
    assert job["reason"] == "unrecoverable(DistStoreError)", job["reason"]
    assert 2_280_000_000 < job["wall_us"] < 2_290_000_000, job["wall_us"]


def counts_outlive_the_host(runs: Runs) -> None:
    """A process of the host that is killed goes on with the counts of the agents."""
    what = scenario("agents_count_apart")
    what["faults"].append({"id": "host", "kind": "policy_crash", "target": "job:llm",
                           "at": "1200s", "lasts": "30s"})
    job, _ = runs.run(what)
    assert (job["outcome"], job["budgets"]["max_restarts"]["used"]) == ("completed", 2), job


def main() -> int:
    """0 where all hold."""
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(str(Path(sys.argv[1]).resolve()), Path(folder))
        for test in (leaps_change_nothing, repeats_are_the_same, static_peers_see_no_restart,
                     newcomers_fail_with_a_shared_store, counts_outlive_the_host):
            test(runs)
            print(f"{test.__name__}: passed", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
