"""The workloads whose cost is counted and compared: command lines, from the root of the tree."""

from __future__ import annotations

import dataclasses
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclasses.dataclass(frozen=True)
class Workload:
    """SCRATCH/ begins what is written; `repeats` runs are one sample of processor time."""

    name: str
    arguments: tuple[str, ...]
    repeats: int

    @property
    def scenario(self) -> str:
        """The scenario file: it stands behind the name of the command."""
        return self.arguments[1]

    def command(self, program: Path, scratch: Path) -> list[str]:
        """The command line by which `program` does it, with its files in `scratch`."""
        return [str(program)] + [word.replace("SCRATCH", str(scratch)) for word in self.arguments]


def _workload(name: str, arguments: str, repeats: int = 1) -> Workload:
    return Workload(name, tuple(arguments.split()), repeats)


# One worker process each: how many there are would else depend on the machine. Under callgrind all
# six take about 80 s of processor time, of which the 1,000 explored seeds take one half. Ten runs
# of the sweep say the same as a hundred: each is in a process of its own, where SimGrid drives it.
WORKLOADS = (
    _workload("reference_54_days", "run scenarios/reference_54_days.json", 10),
    _workload("quickstart", "run scenarios/quickstart.json", 10),
    _workload("npu_4096_year", "run scenarios/modelarts/npu_4096_year.json", 5),
    _workload("ring16_matrix", "matrix scenarios/ring16.json -j 1"),
    _workload(
        "shared_transfers_sweep",
        "sweep tests/benchmark/shared_transfers.json --runs 10 --out SCRATCH/runs.sqlite -j 1",
        3,
    ),
    _workload(
        "explore_1000_seeds",
        "explore scenarios/ring16_modelarts.json --runs 1000 --out SCRATCH/found.sqlite -j 1",
    ),
)
