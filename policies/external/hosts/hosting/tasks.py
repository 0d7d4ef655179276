"""Many blocking functions under simulated time.

Each task is an OS thread of which one moves at a time: it holds the baton until it sleeps or waits,
and the earliest of those that are due gets it next. Tasks of one moment go in the order in which
they began to wait, so that a run is the same each time, and no real time passes in it. Doubles for
`time`, `datetime` and `threading` of hosted modules are in clocks.py, a key-value store that blocks
as theirs do in store.py.
"""
import dataclasses
import heapq
import threading
from collections.abc import Callable
from typing import Any

from hosting.baton import Abandoned

_SECOND_US = 1_000_000
NEVER_US = 2**62


def microseconds(seconds: float) -> int:
    """A duration in whole microseconds."""
    return round(seconds * _SECOND_US)


@dataclasses.dataclass(frozen=True)
class Still:
    """A task that looks again and again, after `period_us` each time, and does nothing but look
    again, before `until_us` at least and as long as no other task and no news stir it."""

    period_us: int
    until_us: int


class Task:
    """A blocking function. `group` names what ends together: an agent with its threads."""

    def __init__(self, name: str, group: str, body: Callable[[], Any]) -> None:
        self.name = name
        self.group = group
        self.ended = False
        self.error: BaseException | None = None  # what the function raised
        self.body = body
        self.go = threading.Lock()
        self.go.acquire()
        self.thread: threading.Thread | None = None
        self.ticket = 0  # of the one entry of the heap that counts
        self.woken = False  # by somebody, before its time
        self.thrown: BaseException | None = None  # to be raised where it stands
        self.abandoned = False
        self.over: Event | None = None


class Tasks:
    """Tasks, and the time that they see. All calls are made by the task that moves, or by the
    owner while none does."""

    def __init__(self) -> None:
        self.now_us = 0
        self.current: Task | None = None  # the task that moves
        self.all: list[Task] = []  # those that have not ended, in the order of their spawns
        self.raised: list[Task] = []  # those that ended by an exception, in order
        self._heap: list[tuple[int, int, int, Task]] = []
        self._paused: set[str] = set()
        self._held: list[Task] = []  # those of paused groups whose time has come
        self._number = 0
        self._limit_us = 0
        self._back = threading.Lock()
        self._back.acquire()

    def spawn(self, name: str, function: Callable[[], Any], group: str = "") -> Task:
        """A task that runs `function` from now on. Without a group it is of the spawner's, or of
        its own name's where the owner spawns it."""
        of = group or (self.current.group if self.current is not None else name)
        task = Task(name, of, function)
        task.over = Event(self)
        self.all.append(task)
        self._due(task, self.now_us)
        return task

    def run_until(self, time_us: int, including: bool = True) -> None:
        """Moves all that is due before that time, and at it unless it says otherwise; then it is
        that time."""
        self._limit_us = time_us if including else time_us - 1
        while self._heap and self._heap[0][0] <= self._limit_us:
            at_us, _, ticket, task = heapq.heappop(self._heap)
            if ticket != task.ticket or task.ended:
                continue
            if task.group in self._paused:
                self._held.append(task)
                continue
            self.now_us = max(self.now_us, at_us)
            self._move(task)
        self.now_us = max(self.now_us, time_us)

    def pause(self, group: str) -> None:
        """Of the owner: the group's tasks stand still, whatever they wait for, until resume()."""
        self._paused.add(group)

    def resume(self, group: str) -> None:
        """Of the owner: they go on, and those now whose time has come meanwhile."""
        self._paused.discard(group)
        due = [task for task in self._held if task.group == group]
        self._held = [task for task in self._held if task.group != group]
        for task in due:
            if not task.ended:
                self._due(task, self.now_us)

    def next_us(self) -> int | None:
        """The time at which a task moves next; None: it would wait for ever."""
        while self._heap:
            at_us, _, ticket, task = self._heap[0]
            if ticket == task.ticket and not task.ended:
                if task.group not in self._paused:
                    return at_us
                self._held.append(task)
            heapq.heappop(self._heap)
        return None

    def due_us(self, quiet: "Quiet") -> int | None:
        """As next_us, without polls that can see nothing: the first of theirs that could counts."""
        due = [at_us if still is None else _tick(at_us, still)
               for at_us, _, task in self.waiting() for still in [quiet(task)]]
        due = [at_us for at_us in due if at_us < NEVER_US]
        return min(due) if due else None

    def leap(self, until_us: int, quiet: "Quiet") -> None:
        """Of the owner: goes over polls before that time that can see nothing, as if they had been
        played. Tasks that are due at one moment stay in the order that they would have had."""
        due_us = self.due_us(quiet)
        until_us = until_us if due_us is None else min(until_us, due_us)
        last = []
        for at_us, number, task in self.waiting():
            still = quiet(task)
            if still is not None and at_us < until_us:
                ticks = -(-(until_us - at_us) // still.period_us)
                last.append((at_us + (ticks - 1) * still.period_us, -still.period_us, number, task))
        for at_us, period_us, _, task in sorted(last, key=lambda row: row[:3]):
            self._due(task, at_us - period_us)

    def waiting(self) -> list[tuple[int, int, Task]]:
        """The tasks and their times, each with its number among those of one moment."""
        return [(at_us, number, task) for at_us, number, ticket, task in self._heap
                if ticket == task.ticket and not task.ended and task.group not in self._paused]

    def sleep(self, seconds: float) -> None:
        """Of the task that moves: stands still for so long."""
        self.park(self.now_us + max(0, microseconds(seconds)))

    def park(self, until_us: int | None) -> bool:
        """Of the task that moves: stands still until then, None: for ever, or until somebody wakes
        it, in which case it returns True. Raises what it is interrupted by."""
        task = self.current
        assert task is not None, "only a task can wait"
        if task.abandoned:
            raise Abandoned
        task.woken = False
        if until_us is not None:
            if until_us <= self._limit_us and (not self._heap or self._heap[0][0] > until_us):
                self.now_us = max(self.now_us, until_us)  # nobody else moves before
                return False
            self._due(task, until_us)
        self._back.release()
        task.go.acquire()
        if task.abandoned:
            raise Abandoned
        if task.thrown is not None:
            thrown, task.thrown = task.thrown, None
            raise thrown
        return task.woken

    def wake(self, task: Task) -> None:
        """Has a task that is parked go on now, behind those that are due already."""
        task.woken = True
        self._due(task, self.now_us)

    def interrupt(self, task: Task, error: BaseException) -> None:
        """Raises the error in a task where it stands, as a handler of a signal does."""
        if task is self.current:
            raise error
        task.thrown = error
        self._due(task, self.now_us)

    def kill(self, group: str = "") -> None:
        """Of the owner: ends all tasks of the group where they stand, without one all. Their
        clean-up runs, but whatever would wait in it is left out."""
        assert self.current is None, "a task would end itself"
        while doomed := [task for task in self.all if not group or task.group == group]:
            for task in doomed:
                task.abandoned = True
                if task.thread is None:
                    self._end(task)
                while not task.ended:
                    self._move(task)

    def _due(self, task: Task, at_us: int) -> None:
        task.ticket += 1
        self._number += 1
        heapq.heappush(self._heap, (at_us, self._number, task.ticket, task))

    def _move(self, task: Task) -> None:
        task.ticket += 1  # it waits no more
        self.current = task
        if task.thread is None:
            task.thread = threading.Thread(target=self._run, args=(task,), name=task.name,
                                           daemon=True)
            task.thread.start()
        else:
            task.go.release()
        self._back.acquire()
        self.current = None
        if task.ended:
            task.thread.join()

    def _run(self, task: Task) -> None:
        try:
            if task.thrown is not None:
                raise task.thrown
            task.body()
        except Abandoned:
            pass
        except BaseException as error:  # noqa: BLE001 - told to the owner, who judges it
            task.error = error
            self.raised.append(task)
        self._end(task)
        self._back.release()

    def _end(self, task: Task) -> None:
        task.ended = True
        self.all.remove(task)
        assert task.over is not None
        task.over.set()


Quiet = Callable[[Task], Still | None]  # None: its next look may see something


def _tick(at_us: int, still: Still) -> int:
    """The first look from `at_us` on, one a period, that is not before the time it is still
    until."""
    if still.until_us >= NEVER_US:
        return NEVER_US
    return at_us + max(0, -(-(still.until_us - at_us) // still.period_us)) * still.period_us


class Event:
    """As threading.Event, in simulated time."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks
        self._set = False
        self._waiting: list[Task] = []

    def is_set(self) -> bool:
        """Whether it is set."""
        return self._set

    def set(self) -> None:
        """Sets it, and lets those go on that wait for it."""
        self._set = True
        waiting, self._waiting = self._waiting, []
        for task in waiting:
            self._tasks.wake(task)

    def clear(self) -> None:
        """Sets it back."""
        self._set = False

    def wait(self, timeout: float | None = None) -> bool:
        """Waits until it is set, or for so many seconds; returns whether it is."""
        if self._set:
            return True
        task = self._tasks.current
        assert task is not None, "only a task can wait"
        self._waiting.append(task)
        tasks = self._tasks
        until_us = None if timeout is None else tasks.now_us + max(0, microseconds(timeout))
        try:
            woken = tasks.park(until_us)
        finally:
            if task in self._waiting:
                self._waiting.remove(task)
        return woken or self._set


class Lock:
    """As threading.Lock, or RLock where `again`, in simulated time."""

    def __init__(self, tasks: Tasks, again: bool = False) -> None:
        self._tasks = tasks
        self._again = again
        self._holder: Task | None = None
        self._depth = 0
        self._freed = Event(tasks)

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """Takes it, where it must after a wait; returns whether it has it. The owner, who moves
        only between tasks, takes it at once."""
        task = self._tasks.current
        if self._again and self._depth and self._holder is task:
            self._depth += 1
            return True
        until_us = self._tasks.now_us + microseconds(timeout)
        while self._depth:
            if not blocking or (timeout >= 0 and self._tasks.now_us >= until_us):
                return False
            self._freed.clear()
            self._freed.wait((until_us - self._tasks.now_us) / _SECOND_US if timeout >= 0 else None)
        self._holder, self._depth = task, 1
        return True

    def release(self) -> None:
        """Gives it back."""
        if not self._depth:
            raise RuntimeError("release unlocked lock")
        self._depth -= 1
        if not self._depth:
            self._holder = None
            self._freed.set()

    def locked(self) -> bool:
        """Whether somebody has it."""
        return self._depth > 0

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *raised: object) -> None:
        self.release()
