"""Facts of a run: an object of JSON a line, in the order of their times."""
import heapq
import json
import time
from collections.abc import Callable
from typing import Any

Fact = dict[str, Any]

# Facts are held so long, so that what is told late finds its place, and what is learned late
# (exit codes, nodes of an attempt) is still added.
HOLD_NS = 2_000_000_000


class Facts:
    """Writes facts. Times are whole microseconds since `begin`."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._held: list[tuple[int, int, Fact]] = []
        self._count = 0
        self._start_ns = 0
        self._last_us = 0
        self.ended = False

    @property
    def start_ns(self) -> int:
        """The moment of submission, of CLOCK_MONOTONIC."""
        return self._start_ns

    def begin(self, at_ns: int | None = None, **members: Any) -> None:
        """The first fact: the job is submitted at that moment (default: now)."""
        self._start_ns = at_ns or time.monotonic_ns()
        self._put({"fact": "begin", "t_us": 0, **members})

    def rules(self, rules: list[Fact], states: list[str], budgets: list[str]) -> None:
        """The second one: what the controller may say."""
        self._put({"fact": "rules", "rules": rules, "states": states, "budgets": budgets})

    def add(self, fact: str, at_ns: int | None = None, **members: Any) -> Fact:
        """Adds a fact of that moment (default: now). The dictionary may be changed while it is
        held."""
        t_ns = at_ns or time.monotonic_ns()
        made = {"fact": fact, "t_us": max(0, (t_ns - self._start_ns) // 1000), **members}
        self._count += 1
        heapq.heappush(self._held, (t_ns, self._count, made))
        return made

    def flush(self, before_ns: int | None = None) -> None:
        """Writes those that have been held for long enough, or all before a moment."""
        if before_ns is None:
            before_ns = time.monotonic_ns() - HOLD_NS
        while self._held and self._held[0][0] <= before_ns:
            fact = heapq.heappop(self._held)[2]
            # A process that was stopped tells late: its fact comes after what is written.
            fact["t_us"] = self._last_us = max(self._last_us, fact["t_us"])
            self._put(fact)

    def end(self, outcome: str, state: str, reason: str = "", at_ns: int | None = None) -> None:
        """The last fact; only the first call counts."""
        self._close({"fact": "end", "outcome": outcome, "state": state, "reason": reason}, at_ns)

    def invalid(self, why: str) -> None:
        """The last fact of a run that means nothing."""
        self._close({"fact": "invalid", "why": why}, None)

    def _close(self, fact: Fact, at_ns: int | None) -> None:
        if self.ended:
            return
        self.ended = True
        at_ns = at_ns or time.monotonic_ns()
        self.flush(at_ns)
        self._held.clear()
        t_us = max(self._last_us, (at_ns - self._start_ns) // 1000 if self._start_ns else 0)
        self._put({"fact": fact.pop("fact"), "t_us": t_us, **fact})

    def _put(self, fact: Fact) -> None:
        self._write(json.dumps(fact, separators=(",", ":")) + "\n")
