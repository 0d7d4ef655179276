"""The places at which Ray Tune's driver blocks, as the host sees them."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Idle:
    """The driver waits until that time, or, where it `hears`, for an event before. Where it
    `leaps`, nobody else notices that it goes on, and the host plays that once it is told of
    something later."""

    until_us: int
    hears: bool
    leaps: bool
