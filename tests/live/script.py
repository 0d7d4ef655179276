#!/usr/bin/env python3
"""The core of the training script, without a framework: what one rank tells of a run, by rows.

  python3 tests/live/script.py
"""
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path[0] = str(Path(__file__).resolve().parent.parent.parent)

from live.script import channel, checkpoints, core  # noqa: E402

Job = dict[str, Any]

# job: steps; files made before: step -> torn; what it tells, in short; how it ends.
ROWS: list[tuple[str, Job, dict[int, bool], str, str]] = [
    ("no checkpoints", {"steps": 2}, {}, "rendezvous restoring warming_up training 1 2 finalizing",
     "True"),
    ("every second step, and one at the end", {"steps": 3, "checkpoint": {"every_steps": 2}}, {},
     "rendezvous restoring warming_up training 1 2 checkpointing committed@2 training 3 "
     "checkpointing committed@3 finalizing", "True"),
    ("none at the end", {"steps": 3, "checkpoint": {"every_steps": 2, "at_end": False}}, {},
     "rendezvous restoring warming_up training 1 2 checkpointing committed@2 training 3 finalizing",
     "True"),
    ("by compute time", {"steps": 3, "checkpoint": {"every_s": 0.002, "at_end": False}}, {},
     "rendezvous restoring warming_up training 1 2 checkpointing committed@2 training 3 finalizing",
     "True"),
    ("beside the next step", {"steps": 3, "checkpoint": {"every_steps": 1, "async": True}}, {},
     "rendezvous restoring warming_up training 1 checkpointing training committed@1 2 "
     "checkpointing training committed@2 3 checkpointing committed@3 finalizing", "True"),
    ("resumes from the newest", {"steps": 5}, {2: False, 4: False},
     "rendezvous restoring loaded@4 warming_up training 5 finalizing", "True"),
    ("does not resume", {"steps": 1, "script": {"resumes": False}}, {1: False},
     "rendezvous restoring warming_up training 1 finalizing", "True"),
    ("begins with another run's", {"steps": 3, "initial_steps": 2}, {},
     "rendezvous restoring warming_up training 3 finalizing", "True"),
    ("cannot read the newest", {"steps": 5}, {2: False, 4: True},
     "rendezvous restoring unreadable@4", "Unreadable"),
    ("falls back", {"steps": 4, "script": {"falls_back": True}}, {2: False, 4: True},
     "rendezvous restoring unreadable@4 loaded@2 warming_up training 3 4 finalizing", "True"),
    ("is told to raise at step 2", {"steps": 3, "order": (2, {"do": "raise"})}, {},
     "rendezvous restoring warming_up training 1 2", "Injected"),
    ("is told to return at step 2", {"steps": 3, "order": (2, {"do": "return"})}, {},
     "rendezvous restoring warming_up training 1 2 finalizing", "False"),
    ("goes on at a notice", {"steps": 2, "order": (1, {"do": "notice"})}, {},
     "rendezvous restoring warming_up training 1 2 finalizing", "True"),
    ("returns at a notice",
     {"steps": 4, "order": (1, {"do": "notice"}), "script": {"returns_on_notice": True}}, {},
     "rendezvous restoring warming_up training 1 2 finalizing", "False"),
]


class Told(channel.Channel):
    """A line that keeps what is told, and gives an order after a step."""

    def __init__(self, order: tuple[int, channel.Message] | None) -> None:
        super().__init__(None)
        self.told: list[str] = []
        self._order = order

    def tell(self, what: str, at_ns: int | None = None, **members: Any) -> None:
        """Keeps it in short."""
        match what:
            case "phase":
                self.told.append(members["phase"])
            case "step":
                self.told.append(str(members["step"]))
                if self._order is not None and members["step"] == self._order[0]:
                    self._hear(self._order[1])
            case "checkpoint":
                self.told.append(f"{members['did']}@{members['step']}")


def run(job: Job, made: dict[int, bool], folder: Path) -> tuple[str, str]:
    """What is told, and how it ends."""
    line = Told(job.pop("order", None))
    files = checkpoints.Files(folder)
    for step, torn in made.items():
        files.save(step)
        if torn:
            files.path(step).write_bytes(files.path(step).read_bytes()[:100])
    training = core.Training({"step_s": 0.001} | job, 0, line, core.Alone(), files)
    try:
        ended = str(training.run(0))
    except (channel.Injected, checkpoints.Unreadable) as error:
        ended = type(error).__name__
    return " ".join(line.told), ended


def main() -> int:
    """0 where each row is as it says."""
    wrong = 0
    for name, job, made, told, ended in ROWS:
        with tempfile.TemporaryDirectory() as folder:
            got = run(job, made, Path(folder))
        if got != (told, ended):
            print(f"{name}:\n  expected {told} | {ended}\n  got      {got[0]} | {got[1]}")
            wrong += 1
    print(f"{len(ROWS) - wrong} of {len(ROWS)} rows hold")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
