"""How two builds compare: the ratio of paired measurements, with an interval."""

from __future__ import annotations

import dataclasses
import math
import statistics
from collections.abc import Sequence

# With fewer pairs not even the whole range of their ratios is an interval of 95 %.
FEWEST_PAIRS = 6


@dataclasses.dataclass(frozen=True)
class Ratio:
    """New over old; the median of pairs, and between what it lies with 95 % or a little more."""

    median: float
    low: float
    high: float


def ratio(old: Sequence[float], new: Sequence[float]) -> Ratio:
    """Of pairs measured one beside the other. The interval is that of order statistics: so many of
    the lowest and of the highest ratios are left out that a median beyond the rest would have had
    a chance of at most 5 % of this. It assumes no distribution, and what else the machine did
    during a few of the runs does not move it."""
    if len(old) != len(new) or len(old) < FEWEST_PAIRS:
        raise ValueError(f"{len(old)} and {len(new)} measurements are no {FEWEST_PAIRS} pairs")
    ordered = sorted(after / before for before, after in zip(old, new, strict=True))
    left_out = left_out_at_each_end(len(ordered))
    return Ratio(statistics.median(ordered), ordered[left_out], ordered[-1 - left_out])


def left_out_at_each_end(pairs: int) -> int:
    """The most for which P(that many or fewer heads of `pairs` throws) is at most 2.5 %."""
    below, left_out = 0, -1
    while (below := below + math.comb(pairs, left_out + 1)) <= 0.025 * 2**pairs:
        left_out += 1
    return left_out


def risen(old: dict[str, int], new: dict[str, int], most: int) -> list[tuple[str, int]]:
    """The functions that execute more instructions than before, the largest rise first."""
    rises = {name: cost - old.get(name, 0) for name, cost in new.items()}
    ordered = sorted(rises.items(), key=lambda each: (-each[1], each[0]))
    return [(name, rise) for name, rise in ordered[:most] if rise > 0]
