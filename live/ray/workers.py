"""The groups of workers that the controller has started."""
import dataclasses
from typing import Any

from live.driver.loop import Line


@dataclasses.dataclass
class Worker:
    """One rank. `line` is there once its training function runs; `code` is what it was made to
    end with: -9 for SIGKILL."""

    rank: int
    pid: int
    node: str
    line: Line | None = None
    code: int | None = None


class Attempt:
    """One group, counted from 1. settled: it is placed, or will not be."""

    def __init__(self, number: int, begun_ns: int) -> None:
        self.number = number
        self.begun_ns = begun_ns
        self.settled = number == 0
        self.workers: dict[int, Worker] = {}
        self.fact: dict[str, Any] = {}

    def on(self, node: str) -> list[Worker]:
        """The ranks of a node, in order."""
        return [self.workers[rank] for rank in sorted(self.workers)
                if self.workers[rank].node == node]
