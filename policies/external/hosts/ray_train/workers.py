"""The status of each worker as a poll shows it, from the simulator's events."""
from collections import deque
from typing import Any

from ray.train import Checkpoint
from ray.train.v2._internal.exceptions import UserExceptionWithTraceback
from ray.train.v2._internal.execution.worker_group.poll import PollTask

from hosting.messages import Message
from hosting.ranks import ranks_of
from ray_train.cluster import ActorDied, Reference
from ray_train.versions import INSTALLED


class Workers:
    """The workers of one attempt."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.notice: Any = None
        self.hung = False  # a collective has stood still for as long as the detector waits
        self._stopped: set[int] = set()
        self._errors: dict[int, Exception] = {}
        self._deaths: dict[int, ActorDied] = {}
        self._silent: set[int] = set()
        self._reports: dict[int, deque[Any]] = {}

    def fail(self, event: Message) -> None:
        """As workers_failed tells."""
        for rank in ranks_of(event["ranks"]):
            if event["kind"] == "exception":
                name = event.get("error") or "TrainingError"
                raised = type(name, (Exception,), {})("raised by the training function")
                self._errors[rank] = UserExceptionWithTraceback(raised, traceback_str=name)
                self._stopped.add(rank)
            else:
                self._deaths[rank] = ActorDied(event["kind"], event.get("preempted", False))

    def replace(self, ranks: tuple[int, ...]) -> None:
        """New workers are in their places; what others have handed over is dropped."""
        for rank in ranks:
            self._errors.pop(rank, None)
            self._deaths.pop(rank, None)
        self._stopped.difference_update(ranks)
        self._silent.difference_update(ranks)
        self._reports.clear()

    def finish(self, event: Message) -> None:
        """As workers_finished tells."""
        self._stopped.update(ranks_of(event["ranks"]))

    def be_silent(self, ranks: list[int], since_s: float, group: Any) -> None:
        """These leave the poll unanswered, which the group has waited for since then."""
        self._silent.update(ranks)
        for rank in ranks if group is not None else []:
            group._world_rank_to_ongoing_poll[rank] = PollTask(since_s, Reference(rank))

    def report(self, event: Message, checkpoint: Checkpoint, metrics: dict[str, float]) -> None:
        """As checkpoint_reported tells."""
        for rank in ranks_of(event["ranks"]):
            self._reports.setdefault(rank, deque()).append(
                INSTALLED.report(checkpoint, dict(metrics)))

    def poll(self, rank: int) -> Reference | None:
        """The worker's answer to a poll, which takes one report with it; None: it is silent."""
        if rank in self._silent:
            return None
        if (died := self._deaths.get(rank)) is not None:
            return Reference(rank, error=died)
        reports = self._reports.get(rank)
        report = reports.popleft() if reports else None
        running = rank not in self._stopped or report is not None
        return Reference(
            rank, INSTALLED.status(running, self._errors.get(rank), report, self.notice))

    def has_reports(self) -> bool:
        """Whether a poll would take another report."""
        return any(self._reports.values())

    def has_failed(self) -> bool:
        """Whether a poll shows an error."""
        return bool(self._errors or self._deaths or self._silent)

    def preempted(self) -> bool:
        """Whether a poll shows a worker that a preemption has taken."""
        return any(died.preempted for died in self._deaths.values())

    def all_stopped(self) -> bool:
        """Whether a poll shows that none runs."""
        return len(self._stopped | set(self._deaths)) == self.count and not self.has_reports()
