"""Looks and keep-alives that can see nothing, over which the host leaps.

A leap leaves what the plays would have left: in the store the last keep-alive of each agent, and
in each agent what it has read last, and when.
"""
import datetime
from collections.abc import Callable
from typing import NamedTuple

from hosting.clocks import START
from hosting.tasks import NEVER_US, Event, Still, Task, Tasks, microseconds
from torchrun.agents import Node
from torchrun.rounds import Rounds

_SECOND_US = 1_000_000
_MONITOR, _JOIN, _TIMER = "monitor", "join", "timer"
# How long a handler takes what it has read of the state for what it is
# (dynamic_rendezvous.py, _BackendRendezvousStateHolder, cache_duration).
_CACHED_US = 1_000_000


class LateClock:
    """The clock of a rendezvous, which gains a microsecond a second: real sleeps take longer than
    asked for, so that whatever has been for a second is too old at a look one second later."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks

    @property
    def now_us(self) -> int:
        """The time that it shows."""
        return shown_us(self._tasks.now_us)


def shown_us(time_us: int) -> int:
    """That time as a late clock shows it."""
    return time_us + time_us // _SECOND_US


def meant_us(shown: int) -> int:
    """The time at which a late clock shows this."""
    return shown - shown // (_SECOND_US + 1)


class _Next(NamedTuple):
    """When a task moves next, and how often it does."""

    at_us: int
    period_us: int

    @property
    def last_us(self) -> int:
        """When it has moved last."""
        return self.at_us - self.period_us


class TimerEvent(Event):
    """The event by which a timer of keep-alives is stopped; it tells where the timer waits."""

    def __init__(self, leaps: "Leaps") -> None:
        super().__init__(leaps.tasks)
        self._leaps = leaps

    def wait(self, timeout: float | None = None) -> bool:
        """As Event's."""
        with self._leaps.asleep(_TIMER, timeout or 0.0):
            return super().wait(timeout)


class _Asleep:
    """A task that stands still in a place, for as long as the context lasts."""

    def __init__(self, where: dict[Task, tuple[str, int]], task: Task, place: str,
                 period_us: int) -> None:
        self._where = where
        self._task = task
        where[task] = (place, period_us)

    def __enter__(self) -> None:
        """Nothing more."""

    def __exit__(self, *raised: object) -> None:
        del self._where[self._task]


class Leaps:
    """The places in which agents' tasks sleep, and whether what they look at is as it was."""

    def __init__(self, tasks: Tasks, rounds: Rounds, static: bool, meeting_us: int,
                 node_of: Callable[[Task], Node | None]) -> None:
        self.tasks = tasks
        self._rounds = rounds
        self._static = static
        self._meeting_us = meeting_us
        self._node_of = node_of
        self._where: dict[Task, tuple[str, int]] = {}

    def asleep(self, place: str, seconds: float) -> _Asleep:
        """Of the task that moves: it waits in that place, until so much later at most."""
        assert self.tasks.current is not None
        return _Asleep(self._where, self.tasks.current, place, microseconds(seconds))

    def sleep_of_agent(self, seconds: float) -> None:
        """The sleep between two looks at workers."""
        with self.asleep(_MONITOR, seconds):
            self.tasks.sleep(seconds)

    def sleep_of_join(self, seconds: float) -> None:
        """The sleep between two looks at a round that is not complete."""
        with self.asleep(_JOIN, seconds):
            self.tasks.sleep(seconds)

    # Looks:

    def due_us(self) -> int | None:
        """When something may happen that concerns others than the agents themselves."""
        return self.tasks.due_us(self._quiet_to_others)

    def play_until(self, time_us: int) -> None:
        """Lets agents come to that time, without what is due at it."""
        while True:
            self._leap(time_us)
            next_us = self.tasks.next_us()
            if next_us is None or next_us >= time_us:
                break
            self.tasks.run_until(next_us)
        self.tasks.run_until(time_us, including=False)

    def _quiet_to_others(self, task: Task) -> Still | None:
        place, period_us = self._where.get(task, ("", 0))
        node = self._node_of(task)
        if not place or node is None or node.reach.store_lost:
            return None
        if not node.up or place == _TIMER:
            return Still(period_us, NEVER_US)
        if place == _MONITOR:
            return self._monitor(node, period_us)
        until_us = self._rounds.joins_until_us(node)
        return None if until_us is None else Still(period_us, until_us)

    def _quiet(self, task: Task) -> Still | None:
        place, period_us = self._where.get(task, ("", 0))
        node = self._node_of(task)
        if place not in (_MONITOR, _TIMER) or node is None or not node.up \
                or node.reach.store_lost or not self._calm(node):
            return None
        return self._monitor(node, period_us) if place == _MONITOR else Still(period_us, NEVER_US)

    def _monitor(self, node: Node, period_us: int) -> Still | None:
        if not node.sees_nothing() or (not self._static and self._rounds.somebody_waits(node)):
            return None
        if node.started_us is None or not node.waits_for_others():
            return Still(period_us, NEVER_US)
        return Still(period_us, node.started_us + self._meeting_us + 1)

    def _calm(self, node: Node) -> bool:
        """Whether keep-alives are all that changes in the state, and the agent knows the rest."""
        return self._static or (self._rounds.is_read_by(node)
                                and self._rounds.all_are_up(self._rounds.state()))

    # Leaps:

    def _leap(self, until_us: int) -> None:
        before = self._next()
        self.tasks.leap(until_us, self._quiet)
        after = self._next()
        moved = [node for node, next_of in after.items()
                 if any(next_of[place].at_us != before[node][place].at_us for place in next_of)]
        if self._static or not moved:
            return
        state = self._rounds.state()
        for node in moved:
            timer = after[node].get(_TIMER)
            if timer is not None and timer != before[node][_TIMER] \
                    and node.descriptor() in state.last_heartbeats:
                state.last_heartbeats[node.descriptor()] = self._moment(timer.last_us)
        self._rounds.write(state)
        for node in moved:
            self._read(node, before[node], after[node], node.descriptor() in state.last_heartbeats)

    def _next(self) -> dict[Node, dict[str, _Next]]:
        """When each agent looks next, and when its timer ends, where one waits."""
        found: dict[Node, dict[str, _Next]] = {}
        for at_us, _, task in self.tasks.waiting():
            place, period_us = self._where.get(task, ("", 0))
            node = self._node_of(task)
            if node is not None and place in (_MONITOR, _TIMER):
                found.setdefault(node, {})[place] = _Next(at_us, period_us)
        return found

    def _read(self, node: Node, before: dict[str, _Next], after: dict[str, _Next],
              kept: bool) -> None:
        """Has the agent have read the state when it would have last. A keep-alive reads what it
        has written; one of an agent that was dropped is not written."""
        read_us = meant_us(round(node.holder()._last_sync_time * _SECOND_US))
        ticks: list[int] = []
        timer = after.get(_TIMER)
        if timer is not None and timer != before[_TIMER]:
            if kept:
                read_us = timer.last_us
            else:
                ticks += range(before[_TIMER].at_us, timer.at_us, timer.period_us)
        look = after.get(_MONITOR)
        if look is not None:
            first_us = before[_MONITOR].at_us
            first_us += max(0, -(-(read_us - first_us) // look.period_us)) * look.period_us
            ticks += range(first_us, look.at_us, look.period_us)
        for tick_us in sorted(ticks):
            if tick_us - read_us >= _CACHED_US:
                read_us = tick_us
        node.has_read(*self._rounds.copy(), shown_us(read_us) / _SECOND_US)

    def _moment(self, time_us: int) -> datetime.datetime:
        return START + datetime.timedelta(microseconds=shown_us(time_us))
