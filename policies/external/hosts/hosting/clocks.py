"""Doubles of `time`, `datetime` and `threading` for hosted modules, on the time of Tasks."""
import datetime as real_datetime
import threading as real_threading
import time as real_time
from collections.abc import Callable, Iterable, Mapping
from types import SimpleNamespace
from typing import Any, Protocol, Self

from hosting.tasks import Event, Lock, Task, Tasks

_SECOND_US = 1_000_000
START = real_datetime.datetime(2026, 1, 1, tzinfo=real_datetime.UTC)


def time_module(tasks: Tasks) -> SimpleNamespace:
    """The module `time`: all clocks are the simulated one, sleeps are those of tasks."""
    def seconds() -> float:
        return tasks.now_us / _SECOND_US

    def wall() -> float:
        return START.timestamp() + tasks.now_us / _SECOND_US

    def wall_ns() -> int:
        return (int(START.timestamp()) * _SECOND_US + tasks.now_us) * 1000

    return SimpleNamespace(
        time=wall, time_ns=wall_ns, sleep=tasks.sleep, monotonic=seconds, perf_counter=seconds,
        monotonic_ns=lambda: tasks.now_us * 1000, perf_counter_ns=lambda: tasks.now_us * 1000,
        strftime=real_time.strftime, gmtime=real_time.gmtime, localtime=real_time.localtime)


class Clock(Protocol):
    """A clock that somebody else moves."""

    @property
    def now_us(self) -> int:
        """The time that it shows."""


def datetime_class(clock: Clock | Tasks) -> type[real_datetime.datetime]:
    """The class `datetime`, whose now() is simulated. Values are ordinary ones, so that what is
    stored by pickle can be read by anybody."""
    class SimulatedDatetime(real_datetime.datetime):
        @classmethod
        def now(cls, tz: real_datetime.tzinfo | None = None) -> Any:
            moment = START + real_datetime.timedelta(microseconds=clock.now_us)
            return moment.astimezone(tz) if tz else moment.replace(tzinfo=None)

        @classmethod
        def utcnow(cls) -> Any:
            return cls.now()

    return SimulatedDatetime


class Thread:
    """As threading.Thread: a task of the group of the one that makes it."""

    def __init__(self, tasks: Tasks, group: None = None, target: Callable[..., Any] | None = None,
                 name: str | None = None, args: Iterable[Any] = (),
                 kwargs: Mapping[str, Any] | None = None, *, daemon: bool | None = None) -> None:
        self._tasks = tasks
        self._target = target
        self._args = tuple(args)
        self._kwargs = dict(kwargs or {})
        self._task: Task | None = None
        self.name = name or "thread"
        self.daemon = bool(daemon)

    def run(self) -> None:
        """Calls the target."""
        if self._target is not None:
            self._target(*self._args, **self._kwargs)

    def start(self) -> None:
        """Begins to run, once the task that moves waits."""
        if self._task is not None:
            raise RuntimeError("threads can only be started once")
        self._task = self._tasks.spawn(self.name, self.run)

    def join(self, timeout: float | None = None) -> None:
        """Waits for its end, for so many seconds at most."""
        if self._task is None:
            raise RuntimeError("cannot join thread before it is started")
        assert self._task.over is not None
        if not self._task.ended:
            self._task.over.wait(timeout)

    def is_alive(self) -> bool:
        """Whether it runs."""
        return self._task is not None and not self._task.ended


def threading_module(tasks: Tasks) -> SimpleNamespace:
    """The module `threading`, as far as events, locks and threads go."""
    class SimulatedThread(Thread):
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(tasks, *given, **named)

        def __new__(cls, *given: Any, **named: Any) -> Self:
            return super().__new__(cls)

    return SimpleNamespace(
        Event=lambda: Event(tasks), Lock=lambda: Lock(tasks),
        RLock=lambda: Lock(tasks, again=True), Thread=SimulatedThread,
        current_thread=lambda: SimpleNamespace(
            name=tasks.current.name if tasks.current else "owner"),
        main_thread=real_threading.main_thread, local=real_threading.local)
