"""Simulated time under a user's own code: the names of its module that tell or take time."""
import asyncio
import datetime
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

from ray_train.clock import Clock


class _Instead:
    """A module with some of its names replaced."""

    def __init__(self, module: ModuleType, **doubles: Any) -> None:
        self._module = module
        self.__dict__.update(doubles)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


def give_time(module: ModuleType, clock: Clock, block: Callable[[float], None]) -> None:
    """Gives the module the simulator's time. A sleep, also one of asyncio, is `block`: Ray's
    controller runs such code in its control loop."""
    class Now(datetime.datetime):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> "Now":
            return cls.fromtimestamp(clock.seconds(), tz)

        @classmethod
        def utcnow(cls) -> "Now":
            return cls.fromtimestamp(clock.seconds(), datetime.UTC).replace(tzinfo=None)

    async def asleep(delay: float, result: Any = None) -> Any:
        block(delay)
        return result

    def nanoseconds() -> int:
        return clock.now_us * 1000

    doubles: dict[int, Any] = {id(time.sleep): block, id(asyncio.sleep): asleep,
                               id(datetime.datetime): Now}
    doubles |= {id(told): clock.seconds for told in (time.time, time.monotonic, time.perf_counter)}
    doubles |= {id(told): nanoseconds
                for told in (time.time_ns, time.monotonic_ns, time.perf_counter_ns)}
    for whole in (time, asyncio, datetime):
        doubles[id(whole)] = _Instead(whole, **{
            name: doubles[id(value)] for name, value in vars(whole).items()
            if id(value) in doubles})
    for name, value in list(vars(module).items()):
        if (double := doubles.get(id(value))) is not None:
            setattr(module, name, double)
