"""One agent a node: PyTorch's launcher and agent, with worker processes of the simulator."""
import signal
from collections.abc import Callable
from typing import Any, Protocol

from torch.distributed.elastic.agent.server.api import (
    RunResult,
    SimpleElasticAgent,
    WorkerGroup,
    WorkerSpec,
    WorkerState,
)
from torch.distributed.elastic.multiprocessing.errors import ProcessFailure
from torch.distributed.launcher import api as launcher

from hosting.tasks import Event, Task, Tasks
from torchrun.reach import Reach

Failure = dict[str, Any]


class Attempt:
    """One start of all workers: which slots take part, by their group rank, and what is known of
    each rank."""

    def __init__(self, tasks: Tasks, epoch: int, slots: list[int], ranks_each: int) -> None:
        self.epoch = epoch
        self.slots = slots
        self.ranks_each = ranks_each
        self.running = False
        self.incomplete = False  # some workers never came; the others wait for them
        self.lost: set[int] = set()  # slots whose nodes have gone since it began
        self.failed: dict[int, Failure] = {}
        self.finished: set[int] = set()
        self.stopped = Event(tasks)  # nothing of it is left

    @property
    def workers(self) -> int:
        """How many ranks it has."""
        return len(self.slots) * self.ranks_each

    def ranks_of(self, slot: int) -> range:
        """The ranks of a slot that takes part."""
        first = self.slots.index(slot) * self.ranks_each
        return range(first, first + self.ranks_each)

    def slot_of(self, rank: int) -> int:
        """The slot of a rank."""
        return self.slots[rank // self.ranks_each]

    def all_gone(self, slot: int) -> bool:
        """Whether the slot has no process left."""
        return all(rank in self.failed or rank in self.finished for rank in self.ranks_of(slot))


class Node:
    """A slot of the job with the agent that runs there."""

    def __init__(self, tasks: Tasks, slot: int) -> None:
        self.slot = slot
        self.reach = Reach(tasks)
        self.agent: HostedAgent | None = None
        self.task: Task | None = None
        self.attempt: Attempt | None = None  # whose processes run here
        self.started_us: int | None = None  # its workers, by its own doing
        self.ended_alone = False  # somebody has ended its agent, and not the node
        self.silent = False  # its agent has gone with the node, and nobody misses it yet
        self.joins_us = 0  # since when it waits for the others, where it does

    @property
    def up(self) -> bool:
        """Whether its agent runs, as far as anybody can see."""
        return self.task is not None and not self.task.ended and not self.reach.cut

    # Its part of the rendezvous:

    def handler(self) -> Any:
        """PyTorch's own handler; None before it is made."""
        return None if self.agent is None else self.agent._worker_group.spec.rdzv_handler

    def descriptor(self) -> Any:
        """The name that it has in a rendezvous; None before it has one."""
        return getattr(self.handler(), "_this_node", None)

    def holder(self) -> Any:
        """PyTorch's own holder of what it has read of the state."""
        return self.handler()._state_holder

    def read_state(self) -> Any:
        """The state as it was last read; None before that."""
        return None if self.agent is None else self.holder()._state

    def has_read(self, state: Any, token: bytes, at_s: float) -> None:
        """It has read this then."""
        holder = self.holder()
        holder._state, holder._token, holder._last_sync_time = state, token, at_s

    def join_timeout_s(self) -> float:
        """How long it waits for the least number of nodes."""
        return float(self.handler()._settings.timeout.join.total_seconds())

    # Its workers:

    def waits_for_others(self) -> bool:
        """Whether its workers have been started, and those of others are missing."""
        return self.started_us is not None and (self.attempt is None or self.attempt.incomplete)

    def sees_nothing(self) -> bool:
        """Whether a look finds its workers as they should be."""
        return bool(self.looks().state == WorkerState.HEALTHY)

    def give_up(self, ranks_each: int) -> RunResult:
        """Its workers have waited for too long, and fail."""
        return RunResult(state=WorkerState.FAILED, failures={
            local: ProcessFailure(local_rank=local, pid=local, exitcode=1, error_file="<N/A>")
            for local in range(ranks_each)})

    def looks(self) -> RunResult:
        """The workers as their agent sees them."""
        attempt = self.attempt
        if attempt is None or self.slot not in attempt.slots:
            return RunResult(state=WorkerState.HEALTHY)
        ranks = attempt.ranks_of(self.slot)
        failed = [rank for rank in ranks if rank in attempt.failed]
        if failed:
            return RunResult(state=WorkerState.FAILED, failures={
                rank: ProcessFailure(local_rank=rank - ranks[0], pid=rank,
                                     exitcode=attempt.failed[rank]["exit_code"] or 1,
                                     error_file="<N/A>") for rank in failed})
        if all(rank in attempt.finished for rank in ranks):
            return RunResult(state=WorkerState.SUCCEEDED,
                             return_values={rank: None for rank in ranks})
        return RunResult(state=WorkerState.HEALTHY)


class Watcher(Protocol):
    """Is told what an agent does, and plays its worker processes."""

    def joins(self, node: Node) -> None:
        """The agent begins to look for the others."""

    def workers_start(self, node: Node) -> None:
        """The agent starts its workers."""

    def workers_stop(self, node: Node) -> None:
        """The agent stops its workers; returns once they are gone."""

    def workers_seen(self, node: Node, result: RunResult) -> RunResult:
        """The agent looks at its workers and would see this; returns what it sees."""


class HostedAgent(SimpleElasticAgent):
    """In the place of LocalElasticAgent. All decisions are those of its base class."""

    def __init__(self, node: Node, watcher: Watcher, exit_barrier_s: float, spec: WorkerSpec,
                 **named: Any) -> None:
        super().__init__(spec, exit_barrier_s, named["shutdown_timeout"])
        self._node = node
        self._watcher = watcher
        self.last = WorkerState.INIT  # as it last saw its workers
        self.counted = 0  # restarts that have been told of
        self.succeeded = False
        node.agent = self

    @property
    def used(self) -> int:
        """The restarts that it has counted."""
        return int(self._worker_group.spec.max_restarts - self._remaining_restarts)

    def go_on_with(self, used: int) -> None:
        """It has counted so many restarts before the host came to see it."""
        self._remaining_restarts -= used
        self.counted = used

    @property
    def in_exit_barrier(self) -> bool:
        """Whether it waits for the other agents to finish."""
        return bool(self._in_exit_barrier)

    def _rendezvous(self, worker_group: WorkerGroup) -> None:
        self._watcher.joins(self._node)
        super()._rendezvous(worker_group)

    def _start_workers(self, worker_group: WorkerGroup) -> dict[int, Any]:
        self._watcher.workers_start(self._node)
        return {worker.local_rank: f"{self._node.slot}.{worker.local_rank}"
                for worker in worker_group.workers}

    def _stop_workers(self, worker_group: WorkerGroup) -> None:
        self._watcher.workers_stop(self._node)

    def _monitor_workers(self, worker_group: WorkerGroup) -> RunResult:
        result = self._watcher.workers_seen(self._node, self._node.looks())
        self.last = result.state
        return result

    def _shutdown(self, death_sig: signal.Signals = signal.SIGTERM, timeout: int = 30) -> None:
        """The end of the job takes the workers that are left along."""


Launch = tuple[launcher.LaunchConfig, Any, list[str]]


def body_of(launch: Launch) -> Callable[[], None]:
    """The process of torchrun on one node, from its command line on."""
    def body() -> None:
        launcher.launch_agent(*launch)

    return body
