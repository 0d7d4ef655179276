"""The places at which Ray Train's controller blocks, as the host sees them.

An answer is an exception to raise there, or a value of the kind that the class names.
"""
from dataclasses import dataclass


@dataclass(frozen=True)
class Starting:
    """The controller waits for the placement group; answered by a StartAnswer."""

    workers: int
    limit_s: float


@dataclass(frozen=True)
class Replacing:
    """The controller puts new workers in the places of these; answered by a StartAnswer."""

    ranks: tuple[int, ...]


@dataclass(frozen=True)
class StartAnswer:
    """The stage at which the start failed, and why; a stage of "" is a start that succeeded."""

    stage: str = ""
    why: str = ""
    ranks: tuple[int, ...] = ()


@dataclass(frozen=True)
class Stopping:
    """The controller waits for its workers to end; answered by the text of what a hook raised."""

    grace_s: float


@dataclass(frozen=True)
class Asleep:
    """The controller sleeps until its next poll; answered by a Woken."""

    until_us: int


@dataclass(frozen=True)
class Woken:
    """The sleep is over: the poll is due, or `abort` is called."""

    abort: bool = False


@dataclass(frozen=True)
class Sizing:
    """The controller asks again and again how many workers are possible; answered by nothing once
    the answer may be another one."""


@dataclass(frozen=True)
class Blocked:
    """A user's code sleeps within the control loop; answered by nothing when that is over."""

    until_us: int
