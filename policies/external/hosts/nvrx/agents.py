"""Launchers, one a node, and the processes of their ranks as the simulator tells of them."""
import dataclasses
import enum
from typing import Any, Protocol

from nvidia_resiliency_ext.fault_tolerance.launcher import (
    LocalElasticAgent,
    NoRestartRequested,
)
from torch.distributed.elastic.agent.server.api import RunResult, WorkerGroup
from torch.distributed.elastic.multiprocessing.api import RunProcsResult
from torch.distributed.elastic.multiprocessing.errors import ProcessFailure

from hosting.tasks import Task


class Kill(enum.IntEnum):
    """Exit codes of processes, by how they end."""

    ERROR = 1
    KILLED = -9


class Processes:
    """As torch's PContext: the processes of one launcher's ranks in one round."""

    _next_pid = 1000

    def __init__(self, agent: "Agent", count: int) -> None:
        self._agent = agent
        self._pids = {local: Processes._next_pid + local for local in range(count)}
        Processes._next_pid += count
        self._codes: dict[int, int] = {}  # exit codes of local ranks that failed
        self._returned: set[int] = set()
        self.stopped = False

    def fail(self, local: int, code: int) -> None:
        """The process of the local rank has ended with this exit code."""
        if not self.stopped and local not in self._returned:
            self._codes.setdefault(local, code)

    def finish(self, local: int) -> None:
        """The process of the local rank has ended well."""
        if not self.stopped and local not in self._codes:
            self._returned.add(local)

    def kill(self) -> None:
        """All that run are killed."""
        for local in self._pids:
            self.fail(local, Kill.KILLED)

    def shows_nothing(self) -> bool:
        """Whether a look at them finds that all run."""
        return not self._codes and len(self._returned) < len(self._pids)

    # As PContext:

    def pids(self) -> dict[int, int]:
        """Process ids by local rank."""
        return dict(self._pids)

    def wait(self, timeout: float = -1, period: float = 1) -> RunProcsResult | None:
        """As a look at them finds it: failures, the end of all, or None."""
        if self._codes:
            return RunProcsResult(failures={
                local: ProcessFailure(local, self._pids[local], code, "")
                for local, code in sorted(self._codes.items())})
        if len(self._returned) == len(self._pids):
            return RunProcsResult(return_values=dict.fromkeys(self._pids))
        return None

    def close(self, death_sig: Any = None, timeout: float = 30) -> None:
        """Ends them: asked first, killed after so many seconds."""
        if not self.stopped:
            self.stopped = True
            self._agent.world.stop(self._agent, timeout)


class World(Protocol):
    """All that launchers tell the host."""

    def starts(self, agent: "Agent") -> None:
        """It has started the processes of its ranks."""

    def stop(self, agent: "Agent", grace_s: float) -> None:
        """It ends its processes; returns when they are gone."""

    def decided(self, agent: "Agent", rule: "Choice", counted: bool) -> None:
        """It has decided at the end of a cycle; `counted`: its progress tracker has scored it."""

    def left(self, agent: "Agent", result: RunResult | None,
             error: BaseException | None) -> None:
        """It monitors no more: its run has returned, or raised."""


class Choice(enum.Enum):
    """Decisions of a launcher about the end of a cycle."""

    RESTART = enum.auto()
    JOIN = enum.auto()
    EXHAUSTED = enum.auto()
    NO_PROGRESS = enum.auto()


@dataclasses.dataclass(eq=False)
class Agent:
    """A launcher on its node."""

    number: int
    world: World
    task: Task | None = None
    elastic: LocalElasticAgent | None = None
    processes: Processes | None = None
    seat: int | None = None  # the place of its node among those of the attempt
    node: int | None = None  # the simulator's number of it, where it has told
    dead: bool = False  # its node is gone
    cut: bool = False  # nothing is heard of its node, and it may run on
    monitoring: bool = True
    restarting: bool = False  # between the decision and the end of its processes
    sick: bool = False  # a device of its node asks for more than a restart

    @property
    def group(self) -> str:
        """The name of all tasks of the launcher."""
        return f"node-{self.number}"

    @property
    def away(self) -> bool:
        """Whether it takes no part in what the others do."""
        return self.dead or self.cut

    def state(self) -> Any:
        """Its part of the rendezvous; None before it is made."""
        return None if self.elastic is None else self.elastic._rdzv_handler._barrier_state

    def restarts(self) -> int:
        """How many restarts it has counted."""
        if self.elastic is None:
            return 0
        return int(self.elastic._worker_group.spec.max_restarts - self.elastic._remaining_restarts)


def recorded_class(agent_of_task: Any) -> type[LocalElasticAgent]:
    """The launcher's agent, with its decisions told to the host. It decides nothing."""

    class Recorded(LocalElasticAgent):
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            self._agent: Agent = agent_of_task()
            self._agent.elastic = self

        def run(self, role: str = LocalElasticAgent.DEFAULT_ROLE) -> RunResult:
            try:
                result: RunResult = super().run(role)
            except BaseException as error:
                self._leave(None, error)
                raise
            self._leave(result, None)
            return result

        def _leave(self, result: RunResult | None, error: BaseException | None) -> None:
            self._agent.monitoring = False
            if not self._agent.dead:
                self._agent.world.left(self._agent, result, error)

        def _handle_restart_decision(self, *given: Any, **named: Any) -> bool:
            self._opens = bool(named.get("open_rendezvous"))
            self._cycle = self._progress_tracker.no_progress_count
            try:
                if not super()._handle_restart_decision(*given, **named):
                    self._tell(Choice.EXHAUSTED)
                    return False
            except NoRestartRequested:
                self._tell(Choice.NO_PROGRESS)
                raise
            return True

        def _restart_workers(self, worker_group: WorkerGroup) -> None:
            self._tell(Choice.RESTART if self._opens else Choice.JOIN)
            self._agent.restarting = True
            super()._restart_workers(worker_group)

        def _tell(self, choice: Choice) -> None:
            counted = self._progress_tracker.no_progress_count != self._cycle
            self._agent.world.decided(self._agent, choice, counted)

    return Recorded
