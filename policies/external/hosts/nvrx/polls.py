"""Looks of launchers that can see nothing, over which the host leaps."""
from collections.abc import Callable

from hosting.store import Shelf
from hosting.tasks import NEVER_US, Still, Task, microseconds
from nvrx.agents import Agent
from nvrx.standins import UP_S

# The sleep of those who wait for a round to be opened: spares, and who came late.
_BEFORE_A_ROUND_US = 1_000_000


class Polls:
    """The places in which tasks sleep, and whether what they look at is as it was."""

    def __init__(self, shelf: Shelf, agent_of: Callable[[Task], Agent | None]) -> None:
        self._shelf = shelf
        self._agent_of = agent_of
        self._asleep: dict[Task, tuple[str, int]] = {}  # where, and for how long
        self.store_lost = False

    def sleep(self, where: str, seconds: float) -> None:
        """Of the task that moves: sleeps in the module of that name."""
        tasks = self._shelf.tasks
        task = tasks.current
        assert task is not None
        self._asleep[task] = (where, microseconds(seconds))
        try:
            tasks.sleep(seconds)
        finally:
            del self._asleep[task]

    def quiet(self, task: Task) -> Still | None:
        """How long the task goes on as it does."""
        where, period_us = self._asleep.get(task, ("", 0))
        agent = self._agent_of(task)
        if not where or agent is None or self.store_lost or not agent.monitoring:
            return None
        if where == "monitor":
            return self._monitor(agent, period_us)
        if where == "rendezvous":
            return self._rendezvous(agent, period_us)
        return None

    def _monitor(self, agent: Agent, period_us: int) -> Still | None:
        state = agent.state()
        if (agent.processes is None or not agent.processes.shows_nothing()
                or f"{state.prefix}:round_done_{state._round + 1}" in self._shelf.values):
            return None
        return Still(period_us, NEVER_US)

    def _rendezvous(self, agent: Agent, period_us: int) -> Still | None:
        state = agent.state()
        if self._shelf.values.get(state.shutdown_key):
            return None
        done = self._shelf.values.get(state.round_done_key)
        if period_us == _BEFORE_A_ROUND_US:
            return Still(period_us, NEVER_US) if done is None else None
        if done != b"0":
            return None
        if state.is_store_host and self._joined(state.join_count_key) >= self._least(agent):
            return None
        began_us = microseconds(state._rendezvous_start_time - UP_S)
        return Still(period_us, began_us + microseconds(state.join_timeout_seconds) - 1)

    def _joined(self, key: str) -> int:
        return int(self._shelf.values.get(key, b"0"))

    def _least(self, agent: Agent) -> int:
        """How few joiners let the store's host do nothing but wait: none where it is to close."""
        assert agent.elastic is not None
        settings = agent.elastic._rdzv_handler._settings
        sick = self._joined(agent.state().unhealthy_count_key)
        return 0 if sick > settings.max_nodes - settings.min_nodes else int(settings.min_nodes)
