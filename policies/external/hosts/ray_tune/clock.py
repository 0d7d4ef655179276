"""Simulated time under Ray Tune, and names that are the same in every run."""
import datetime
import itertools
import time
import types
import uuid
from collections.abc import Callable
from typing import Any

import ray.tune.utils.util
from ray.air.execution._internal import actor_manager
from ray.train import _checkpoint
from ray.train._internal import syncer
from ray.tune import tune
from ray.tune.execution import (
    experiment_state,
    insufficient_resources_manager,
    tune_controller,
)
from ray.tune.experiment import trial
from ray.tune.search import basic_variant

from hosting.doubles import put

_SECOND_US = 1_000_000


class Clock:
    """The simulator's time."""

    def __init__(self) -> None:
        self.now_us = 0

    def seconds(self) -> float:
        """The time in seconds, as the wall clock and the monotonic one give it."""
        return self.now_us / _SECOND_US


class Instead:
    """A module with some of its names replaced."""

    def __init__(self, module: types.ModuleType, **doubles: Any) -> None:
        self._module = module
        self.__dict__.update(doubles)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


def microseconds(seconds: float) -> int:
    """A duration in whole microseconds."""
    return round(seconds * _SECOND_US)


def replace(clock: Clock, session: int, sleep: Callable[[float], None],
            busy: Callable[[], bool]) -> None:
    """Gives the modules of Tune this clock, and ids that count on from the session's number. A
    snapshot that is due at the very moment of some events is taken once the loop is not `busy`
    with them any more."""
    times = Instead(time, time=clock.seconds, monotonic=clock.seconds, sleep=sleep)

    class Now(datetime.datetime):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> "Now":
            return cls.fromtimestamp(clock.seconds(), tz)

        @classmethod
        def today(cls) -> "Now":
            return cls.fromtimestamp(clock.seconds())

    for module in (tune_controller, actor_manager, syncer, trial, tune,
                   insufficient_resources_manager, ray.tune.utils.util):
        put(module, time=times)
    put(ray.tune.utils.util, datetime=Now)

    def after_events() -> float:
        return clock.seconds() - (1 / _SECOND_US if busy() else 0)

    put(experiment_state, time=Instead(time, time=clock.seconds, monotonic=after_events))

    numbers = itertools.count(1)

    def unique() -> uuid.UUID:
        return uuid.UUID(hex=f"{session:05d}{next(numbers):027d}")

    ids = Instead(uuid, uuid1=unique, uuid4=unique)
    for module in (actor_manager, trial, basic_variant, _checkpoint):
        put(module, uuid=ids)
    # Sets of trials are walked in the order of their hashes, which are addresses otherwise.
    put(trial.Trial, __hash__=lambda self: int(self.config.get("trial", 0)))
