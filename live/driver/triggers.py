"""When faults strike: at a time, at a step, or when the job enters a phase."""
from collections.abc import Callable
from typing import Any

from live.driver.loop import Loop

Fault = dict[str, Any]
# Of a job that stands in it, told by its ranks or by its controller.
PHASES = ("launching", "rendezvous", "restoring", "warming_up", "training", "checkpointing",
          "finalizing", "tearing_down")


class Triggers:
    """Calls `strike` when a fault is due."""

    def __init__(self, loop: Loop, faults: list[Fault], strike: Callable[[Fault], None]) -> None:
        self._loop = loop
        self._faults = faults
        self._strike = strike
        self._fired: set[int] = set()
        self._entered: dict[str, int] = {}
        self._of_rank: dict[tuple[int, int, str], int] = {}
        self._of_attempt: dict[tuple[int, str], int] = {}

    def begin(self, start_ns: int) -> None:
        """The job is submitted."""
        for fault in self._faults:
            if fault.get("at_s") is not None:
                self._fire(fault, start_ns + round(fault["at_s"] * 1e9))

    def waiting(self) -> list[Fault]:
        """Those that have not been due yet."""
        return [fault for fault in self._faults if fault["index"] not in self._fired]

    def step(self, attempt: int, step: int, now_ns: int) -> None:
        """Rank 0 has done a step."""
        for fault in self._faults:
            if fault.get("at_step") is None:
                continue
            if fault.get("every_attempt") and step == fault["at_step"] \
                    or fault["index"] not in self._fired and step >= fault["at_step"]:
                self._fire(fault, now_ns)

    def phase(self, attempt: int, rank: int, phase: str, now_ns: int) -> None:
        """A rank enters a phase, and the job with the first of its ranks."""
        own = self._of_rank[attempt, rank, phase] = self._of_rank.get((attempt, rank, phase), 0) + 1
        if own <= self._of_attempt.get((attempt, phase), 0):
            return
        self._of_attempt[attempt, phase] = own
        count = self._entered[phase] = self._entered.get(phase, 0) + 1
        for fault in self._faults:
            when = fault.get("when")
            if when and when["phase"] == phase and when.get("nth", 1) == count:
                self._fire(fault, now_ns + round((when.get("offset_s") or 0.0) * 1e9))

    def _fire(self, fault: Fault, when_ns: int) -> None:
        self._fired.add(fault["index"])
        for time in range(fault.get("times") or 1):
            self._loop.at(when_ns + round(time * (fault.get("apart_s") or 0.0) * 1e9),
                          lambda: self._strike(fault))
