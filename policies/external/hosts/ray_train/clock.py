"""Simulated time under Ray Train: the modules' own clocks and sleeps are replaced."""
import sys
from collections.abc import Awaitable, Callable

import ray.actor
from ray.exceptions import AsyncioActorExit

from hosting.doubles import put
from ray_train.version import Sleep
from ray_train.versions import INSTALLED

_SECOND_US = 1_000_000


class Clock:
    """The simulator's time."""

    def __init__(self) -> None:
        self.now_us = 0

    def seconds(self) -> float:
        """The time in seconds, as Ray Train's monotonic and wall clocks give it."""
        return self.now_us / _SECOND_US


def microseconds(seconds: float) -> int:
    """A duration in whole microseconds."""
    return round(seconds * _SECOND_US)


def replace(clock: Clock, sleep: Sleep, abort: Callable[[], Awaitable[None]]) -> None:
    """Gives every module of Ray Train this clock, and its controller this sleep, which returns
    whether to abort. Ends of the controller's actor end the thread that runs it."""
    for name, module in sorted(sys.modules.items()):
        if name.startswith("ray.train.v2."):
            for clock_name in ("time_monotonic", "time_seconds"):
                if hasattr(module, clock_name):
                    put(module, **{clock_name: clock.seconds})
    INSTALLED.put_sleep(sleep, abort)
    put(ray.actor, exit_actor=_exit_actor)


def _exit_actor() -> None:
    raise AsyncioActorExit
