"""A key-value store that blocks as torch.distributed's do, in simulated time.

A Shelf is what a server holds, a Store the connection of one client to it. Values are bytes; text
is stored as UTF-8. `unreachable` of a client says why it gets no answer: each call then raises it.
"""
import datetime
from collections.abc import Callable, Sequence

from hosting.tasks import Task, Tasks, microseconds

Key = str
Value = str | bytes


class StoreTimeout(Exception):
    """A key did not come in time. Hosts give the class that their project expects."""


def _bytes(value: Value) -> bytes:
    return value.encode() if isinstance(value, str) else bytes(value)


def _seconds(timeout: datetime.timedelta | float) -> float:
    return timeout.total_seconds() if isinstance(timeout, datetime.timedelta) else timeout


class Shelf:
    """Keys and values, and who waits for some."""

    def __init__(self, tasks: Tasks) -> None:
        self.tasks = tasks
        self.values: dict[Key, bytes] = {}
        self._waiting: list[Task] = []

    def put(self, key: Key, value: bytes) -> None:
        """Stores the value, and lets those go on that wait for keys."""
        self.values[key] = value
        self.stir()

    def stir(self) -> None:
        """Has all that wait look again: a key, or the way to the server, has changed."""
        waiting, self._waiting = self._waiting, []
        for task in waiting:
            self.tasks.wake(task)

    def wait_for(self, keys: Sequence[Key], until_us: int, check: Callable[[], None]) -> bool:
        """Of a task: stands still until all keys are there, or that time; whether they are."""
        while True:
            check()
            if all(key in self.values for key in keys):
                return True
            if self.tasks.now_us >= until_us:
                return False
            task = self.tasks.current
            assert task is not None, "only a task can wait"
            self._waiting.append(task)
            try:
                self.tasks.park(until_us)
            finally:
                if task in self._waiting:
                    self._waiting.remove(task)


class Store:
    """One client of a shelf, whose keys begin with `prefix`."""

    def __init__(self, shelf: Shelf, timeout_s: float = 300.0, prefix: str = "",
                 unreachable: Callable[[], Exception | None] = lambda: None,
                 timed_out: type[Exception] = StoreTimeout) -> None:
        self._shelf = shelf
        self._timeout_s = timeout_s
        self._prefix = prefix
        self._unreachable = unreachable
        self._timed_out = timed_out

    def with_prefix(self, prefix: str) -> "Store":
        """A client of the same server, as a PrefixStore of that prefix over this one has it."""
        return Store(self._shelf, self._timeout_s, f"{self._prefix}{prefix}/", self._unreachable,
                     self._timed_out)

    @property
    def timeout(self) -> datetime.timedelta:
        """The longest wait of calls that name none."""
        return datetime.timedelta(seconds=self._timeout_s)

    def set_timeout(self, timeout: datetime.timedelta | float) -> None:
        """Changes the longest wait of calls that name none."""
        self._timeout_s = _seconds(timeout)

    def set(self, key: Key, value: Value) -> None:
        """Stores a value."""
        self._check()
        self._shelf.put(self._prefix + key, _bytes(value))

    def get(self, key: Key) -> bytes:
        """The value, for which it waits."""
        self.wait([key])
        return self._shelf.values[self._prefix + key]

    def add(self, key: Key, amount: int) -> int:
        """Adds to a number, 0 where there is none, and returns the sum."""
        self._check()
        total = int(self._shelf.values.get(self._prefix + key, b"0")) + amount
        self._shelf.put(self._prefix + key, str(total).encode())
        return total

    def append(self, key: Key, value: Value) -> None:
        """Adds to the end of a value, empty where there is none."""
        self._check()
        self._shelf.put(self._prefix + key,
                        self._shelf.values.get(self._prefix + key, b"") + _bytes(value))

    def compare_set(self, key: Key, expected: Value, desired: Value) -> bytes:
        """Stores `desired` where the value is `expected`, or there is none and `expected` is
        empty; returns the value that is then there, `expected` where there is none."""
        self._check()
        present = self._shelf.values.get(self._prefix + key)
        if (present is None and not expected) or present == _bytes(expected):
            self._shelf.put(self._prefix + key, _bytes(desired))
            return _bytes(desired)
        return _bytes(expected) if present is None else present

    def wait(self, keys: Sequence[Key],
             timeout: datetime.timedelta | float | None = None) -> None:
        """Waits until all keys are there."""
        limit_s = self._timeout_s if timeout is None else _seconds(timeout)
        until_us = self._shelf.tasks.now_us + microseconds(limit_s)
        if not self._shelf.wait_for([self._prefix + key for key in keys], until_us, self._check):
            raise self._timed_out(f"wait timeout after {limit_s:g}s, keys: {', '.join(keys)}")

    def check(self, keys: Sequence[Key]) -> bool:
        """Whether all keys are there."""
        self._check()
        return all(self._prefix + key in self._shelf.values for key in keys)

    def multi_get(self, keys: Sequence[Key]) -> list[bytes]:
        """The values, for which it waits."""
        self.wait(keys)
        return [self._shelf.values[self._prefix + key] for key in keys]

    def multi_set(self, keys: Sequence[Key], values: Sequence[Value]) -> None:
        """Stores values."""
        for key, value in zip(keys, values, strict=True):
            self.set(key, value)

    def delete_key(self, key: Key) -> bool:
        """Deletes a key; returns whether it was there."""
        self._check()
        return self._shelf.values.pop(self._prefix + key, None) is not None

    def num_keys(self) -> int:
        """How many keys the server has."""
        self._check()
        return len(self._shelf.values)

    def has_extended_api(self) -> bool:
        """Whether append, multi_get and multi_set are there."""
        return True

    def _check(self) -> None:
        error = self._unreachable()
        if error is not None:
            raise error
