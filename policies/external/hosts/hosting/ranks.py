"""Sets of ranks as the messages spell them: single ones and closed ranges: [[0, 3], 6]."""
from collections.abc import Iterable


def ranks_of(spelled: Iterable[int | list[int]]) -> list[int]:
    """All ranks of the set, in the order in which it names them."""
    ranks: list[int] = []
    for part in spelled:
        if isinstance(part, int):
            ranks.append(part)
        else:
            ranks.extend(range(part[0], part[1] + 1))
    return ranks
