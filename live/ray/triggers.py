"""When faults strike: at a time, after a step, or as a phase is entered."""
from collections.abc import Callable
from typing import Any

Fault = dict[str, Any]


class Triggers:
    """Each fault strikes once. `strike` carries it out."""

    def __init__(self, faults: list[Fault]) -> None:
        self._waiting = {fault["index"]: fault for fault in faults}
        self._entered: dict[tuple[int, str], int] = {}
        self._unplaced: list[Fault] = []
        self.strike: Callable[[Fault], None] = lambda _: None

    def left(self) -> list[Fault]:
        """Those that have not struck."""
        return [self._waiting[index] for index in sorted(self._waiting)]

    def pull(self, fault: Fault) -> None:
        """The fault is due."""
        if self._waiting.pop(fault["index"], None) is not None:
            self.strike(fault)

    def until_placed(self, fault: Fault) -> None:
        """The fault is due as soon as the group that is being launched has its workers."""
        self._unplaced.append(fault)

    def placed(self) -> None:
        """A group has its workers."""
        due, self._unplaced = self._unplaced, []
        for fault in due:
            self.strike(fault)

    def stepped(self, step: int) -> None:
        """Rank 0 has done this step."""
        for fault in self.left():
            if fault.get("at_step") is not None and fault["at_step"] <= step:
                self.pull(fault)

    def entered(self, attempt: int, rank: int, phase: str) -> list[tuple[Fault, float]]:
        """Faults that are due so many seconds after the rank has entered the phase."""
        count = self._entered[rank, phase] = self._entered.get((rank, phase), 0) + 1
        due = []
        for fault in self.left():
            when = fault.get("when")
            if when is None or when["phase"] != phase or when.get("nth", 1) != count:
                continue
            if fault["target"].get("rank", 0) == rank:
                due.append((fault, when.get("offset_s") or 0.0))
        return due
