"""The rounds of a rendezvous as attempts of the simulator, and the commands that make them."""
import enum
from collections.abc import Callable

from hosting.messages import Message
from hosting.tasks import Event, Tasks, microseconds
from nvrx.agents import Agent
from nvrx.record import ROUND, Record


class Stage(enum.Enum):
    """How far the simulator is with the attempt."""

    NONE = enum.auto()
    STARTING = enum.auto()
    RUNNING = enum.auto()
    STOPPING = enum.auto()
    KEPT = enum.auto()  # no processes; the nodes are held
    CLEARING = enum.auto()  # some nodes are let go of, for others to come


class Rounds:
    """One job's attempts. The seats of an attempt are its nodes, in the order of the ranks that the
    simulator knows; ft_launcher numbers its own ranks anew in each round."""

    def __init__(self, tasks: Tasks, record: Record, ranks_each: int, join_timeout_s: int,
                 active: Callable[[], list[Agent]]) -> None:
        self._record = record
        self._ranks_each = ranks_each
        self._join_us = microseconds(join_timeout_s)
        self._active = active  # those that the store's host has given a rank
        self._stopped = Event(tasks)
        self._round = -1
        self._changed: set[int] = set()
        self._left: set[int] = set()
        self.seats: dict[int, Agent] = {}
        self.stage = Stage.NONE
        self.job = self.epoch = 0
        self.adopts = False  # the attempt runs already
        self.running_since_us: int | None = None

    def ranks(self, seats: set[int]) -> list[int | list[int]]:
        """The ranks of these seats, as messages spell them."""
        each = self._ranks_each
        return [[seat * each, seat * each + each - 1] if each > 1 else seat
                for seat in sorted(seats)]

    def agent_of(self, rank: int) -> tuple[Agent | None, int]:
        """The launcher of the rank, and its local rank there."""
        return self.seats.get(rank // self._ranks_each), rank % self._ranks_each

    def starts(self, agent: Agent) -> bool:
        """A launcher has started processes; returns whether it is the first of a round, which
        begins with it."""
        round_number = agent.state()._round
        if round_number == self._round:
            return False
        self._round = round_number
        self._take_seats()
        self._record.step(ROUND, "HEALTHY")
        if self.adopts:
            self.adopts = False
            self.stage = Stage.RUNNING
        elif self.stage == Stage.NONE:
            self._begin("start_attempt", workers=len(self.seats) * self._ranks_each,
                        placement_wait_us=self._join_us, **{"from": None})
        elif self._changed - self._left:
            self.stage = Stage.CLEARING
            self._stop(0, self._changed)
        else:
            self._go_on()
        return True

    def stop(self, agent: Agent, grace_s: float) -> None:
        """Of a launcher's task: ends its processes. Those of all are ended with the first that are
        to be started again; one that leaves ends what only it sees."""
        if agent.dead or not agent.restarting:
            return
        if self.stage in (Stage.STARTING, Stage.RUNNING):
            self.stage = Stage.STOPPING
            self._stopped.clear()
            self.running_since_us = None
            self._stop(microseconds(grace_s), {seat for seat, one in self.seats.items()
                                               if one.away})
        while self.stage == Stage.STOPPING:
            self._stopped.wait()

    def left_behind(self) -> list[Agent]:
        """Launchers that the last stop gave up, whether they run on or not."""
        return [self.seats[seat] for seat in sorted(self._left) if seat in self.seats]

    def running(self, now_us: int) -> None:
        """The simulator says that all processes run."""
        self.stage = Stage.RUNNING
        self.running_since_us = now_us

    def stopped(self) -> None:
        """The simulator says that the stop is over."""
        if self.stage == Stage.CLEARING:
            self._go_on()
        elif self.stage == Stage.STOPPING:
            self.stage = Stage.KEPT
            self._stopped.set()

    def _take_seats(self) -> None:
        active = self._active()
        if not self.seats:
            for seat, agent in enumerate(active):
                self._seat(seat, agent)
            return
        came = [agent for agent in active if agent not in self.seats.values()]
        free = [seat for seat in sorted(self.seats) if self.seats[seat] not in active]
        for seat, agent in zip(free, came, strict=True):
            self._seat(seat, agent)
        self._changed = set(free)

    def _seat(self, seat: int, agent: Agent) -> None:
        if seat in self.seats:
            self.seats[seat].seat = None
        self.seats[seat] = agent
        agent.seat = seat

    def _stop(self, grace_us: int, leaving: set[int]) -> None:
        self._left = set(leaving)
        members: Message = {"leaving": self.ranks(leaving)} if leaving else {}
        self._record.command("stop_workers", job=self.job, epoch=self.epoch, grace_us=grace_us,
                             keep_containers=True, **members)

    def _go_on(self) -> None:
        changed, self._changed = self._changed, set()
        if changed or self._left:
            self._begin("recreate_pods", ranks=self.ranks(changed | self._left),
                        placement_wait_us=self._join_us)
        else:
            self._begin("restart_processes")

    def _begin(self, kind: str, **members: object) -> None:
        self.epoch += 1
        self.stage = Stage.STARTING
        self._left = set()
        self._record.command(kind, job=self.job, epoch=self.epoch, **members)
