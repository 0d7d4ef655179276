"""Whether an agent reaches the store."""
import torch.distributed

from hosting.tasks import Event, Tasks


class Reach:
    """The way from one node to the store: open, cut off for now, or ended with the store."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks
        self._open = Event(tasks)
        self._open.set()
        self.store_lost = False

    @property
    def cut(self) -> bool:
        """Whether nothing comes through."""
        return not self._open.is_set()

    def close(self) -> None:
        """From now on nothing comes through, and nobody says so."""
        self._open.clear()

    def open(self) -> None:
        """The call that waited for an answer has it."""
        self._open.set()

    def answer(self, limit_s: float | None) -> Exception | None:
        """Waits for the answer of the store; the error of one that came later than the limit, for
        those calls that have one (TCPStore::doWait), or never will."""
        since_us = self._tasks.now_us
        self._open.wait()
        if self.store_lost:
            lost: Exception = torch.distributed.DistNetworkError("Connection reset by peer")
            return lost
        waited_s = (self._tasks.now_us - since_us) / 1_000_000
        if limit_s is not None and waited_s > limit_s:
            late: Exception = torch.distributed.DistStoreError(f"wait timeout after {limit_s:g}s")
            return late
        return None
