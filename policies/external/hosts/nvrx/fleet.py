"""All launchers of a job, each a task on a node of its own, and the store that they meet in."""
from collections.abc import Callable

import torch.distributed as dist
from nvidia_resiliency_ext.fault_tolerance import launcher

from hosting.store import Shelf, Store
from hosting.tasks import Task, Tasks, microseconds
from nvrx.agents import Agent, World
from nvrx.polls import Polls
from nvrx.rounds import Rounds
from nvrx.settings import Settings

_READ_TIMEOUT_S = 60.0  # of the store, as launch_agent's configuration has it


class Fleet:
    """Launchers by number. The first one hosts the store; with it the others lose it."""

    def __init__(self, world: World, settings: Settings, tasks: Tasks) -> None:
        self._world = world
        self._settings = settings
        self._tasks = tasks
        self.shelf = Shelf(tasks)
        self.polls = Polls(self.shelf, self._agent_of)
        self.agents: list[Agent] = []
        self.least = self.most = 0  # how few and how many launchers a round takes

    def alive(self) -> list[Agent]:
        """Those that have not left, and that are heard of."""
        return [agent for agent in self.agents if agent.monitoring and not agent.away]

    def closed(self) -> bool:
        """Whether no further round can be."""
        return self.polls.store_lost or bool(
            self.shelf.values.get("ft_rendezvous_barrier:job:shutdown"))

    def rounds_gone(self, count: int) -> None:
        """Has launchers of a new launch go on after so many rounds."""
        prefix = "ft_rendezvous_barrier:job:round_done_"
        for number in range(count):
            self.shelf.values[f"{prefix}{number}"] = b"1"
        self.shelf.values[f"{prefix}{count}"] = b"0"

    def launch(self, count: int) -> None:
        """Starts so many launchers, none where it is not positive."""
        for _ in range(count):
            agent = Agent(len(self.agents), self._world)
            self.agents.append(agent)
            agent.task = self._tasks.spawn(agent.group, self._body(agent), agent.group)

    def _body(self, agent: Agent) -> Callable[[], None]:
        hosts_store = agent.number == 0
        config = self._settings.launch(self.least, self.most, agent.number, hosts_store)

        def body() -> None:
            try:
                launcher.launch_agent(config, "train.py", [])
            except Exception:  # noqa: BLE001 - World.left has told of it
                pass
            finally:
                agent.monitoring = False
                if hosts_store and not agent.dead:
                    self._lose_store()

        return body

    def watch_devices(self, agent: Agent, rounds: Rounds, told: Callable[[], None]) -> None:
        """As the rank monitors of the node do: at their next look at its devices they kill their
        ranks, and `told` is called."""
        since_us = rounds.running_since_us or self._tasks.now_us
        period_us = microseconds(self._settings.health_check_s)
        looks = (self._tasks.now_us - since_us) // period_us + 1

        def look() -> None:
            self._tasks.park(since_us + looks * period_us)
            if agent.processes is not None and agent.processes.shows_nothing():
                told()
                agent.processes.kill()

        self._tasks.spawn("health", look, agent.group)

    def lose(self, agent: Agent) -> None:
        """The node is gone, and the launcher with it."""
        if agent.dead:
            return
        agent.dead = True
        agent.cut = agent.monitoring = False
        self._tasks.kill(agent.group)
        if agent.number == 0:
            self._lose_store()

    def miss(self, agent: Agent) -> None:
        """Nothing is heard of the node. Its launcher stands still, as the store does not answer it;
        the others do not ask for it. The store is lost with the first one's."""
        if agent.number == 0:
            self.lose(agent)
        elif not agent.away:
            agent.cut = True
            self._tasks.pause(agent.group)

    def hear_again(self, agent: Agent, alive: bool) -> None:
        """The node is back, with its launcher or without."""
        if not agent.cut:
            return
        agent.cut = False
        self._tasks.resume(agent.group)
        if not alive:
            self.lose(agent)

    def end(self) -> None:
        """Ends all where they stand."""
        for agent in self.agents:
            agent.dead = True
        self._tasks.kill()

    def current(self) -> Agent:
        """The launcher whose task moves."""
        assert self._tasks.current is not None
        agent = self._agent_of(self._tasks.current)
        assert agent is not None
        return agent

    def store(self, agent: Agent) -> Store:
        """The launcher's connection to the store."""
        def lost() -> Exception | None:
            if not self.polls.store_lost or agent.number == 0:
                return None
            error: Exception = dist.DistNetworkError(
                "the host of the store has closed the connection")
            return error

        return Store(self.shelf, _READ_TIMEOUT_S, "", lost, dist.DistStoreError)

    def active(self) -> list[Agent]:
        """Those that the store's host has given a rank in the last round."""
        addresses = self.agents[0].state()._active_node_addrs
        return sorted((self.agents[int(address.removeprefix("node-"))] for address in addresses),
                      key=lambda agent: agent.number)

    def _agent_of(self, task: Task) -> Agent | None:
        number = task.group.removeprefix("node-")
        return self.agents[int(number)] if number != task.group else None

    def _lose_store(self) -> None:
        self.polls.store_lost = True
        self.shelf.stir()
