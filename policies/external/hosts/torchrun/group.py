"""The agents of one job, and their attempts: what all of them together ask of the simulator."""
from typing import Any

from torch.distributed.elastic.agent.server.api import RunResult, WorkerState

from hosting.messages import Message
from hosting.store import Shelf
from hosting.tasks import Task, Tasks
from torchrun import doubles, record
from torchrun.agents import Attempt, HostedAgent, Node, body_of
from torchrun.leaps import Leaps
from torchrun.record import Record
from torchrun.rounds import Rounds
from torchrun.settings import Settings

_SECOND_US = 1_000_000
# Workers wait so long for those that do not come (init_process_group with NCCL).
_MEETING_US = 600 * _SECOND_US
_GRACE_US = 30 * _SECOND_US  # --shutdown-timeout


class Group:
    """Agents in simulated time. Commands and steps go to `record`."""

    def __init__(self, settings: Settings, record: Record, job: int, workers: int) -> None:
        self.settings = settings
        self.record = record
        self.job = job
        self.tasks = Tasks()
        self.shelf = Shelf(self.tasks)
        self.rounds = Rounds(self.shelf, lambda: self.nodes)
        self.leaps = Leaps(self.tasks, self.rounds, settings.static, _MEETING_US, self._node_of)
        self.least, self.most = settings.sizes(workers)
        self.nodes = [Node(self.tasks, slot) for slot in range(self.most)]
        self.attempt: Attempt | None = None
        self.stopping = False  # a stop is on its way
        self.containers: set[int] = set()  # slots whose containers are kept
        self.epoch = 0
        self.reason = ""  # why the job has failed
        self.done = False
        self._begun_round = -1
        self._kept_slots: list[int] = []
        self._used: dict[int, int] = {}  # by slot, of agents that are there
        self.total = 0  # restarts that agents have counted in this job
        self._changes = 0  # of anything that may let another thing happen
        self._launch = settings.launch_configs(workers)
        doubles.patch(self.leaps, self._connect, self._make_agent)

    # Agents:

    def start_agent(self, slot: int, used: int = 0) -> None:
        """Has somebody start torchrun on the slot's node, in the place of an agent that is gone."""
        self.end_agent(slot)
        node = Node(self.tasks, slot)
        self.nodes[slot] = node
        self._used[slot] = used
        self._changes += 1
        node.task = self.tasks.spawn(f"agent-{slot}", body_of(self._launch(slot)),
                                     f"agent-{slot}")

    def end_agent(self, slot: int) -> None:
        """Ends the agent with its node."""
        node = self.nodes[slot]
        if node.task is not None and not node.task.ended:
            self.tasks.kill(node.task.group)
        node.task = None

    def end_alone(self, slot: int, error: BaseException | None) -> None:
        """Ends the agent apart from its node: with a signal's error, or at once. Its workers are
        not looked at any more."""
        node = self.nodes[slot]
        if node.task is None or node.task.ended:
            return
        self._changes += 1
        node.ended_alone = True
        self.containers.discard(slot)
        if self.attempt is not None:
            self.attempt.lost.add(slot)
        if error is None:
            self.tasks.kill(node.task.group)
        else:
            self.tasks.interrupt(node.task, error)

    def _lose_store(self) -> None:
        """It goes with its host, and connections to it are reset."""
        for other in self.nodes:
            other.reach.store_lost = True
        self.shelf.stir()

    def fall_silent(self, slot: int) -> None:
        """The agent has gone with its node, and decides nothing more; nobody misses it yet."""
        node = self.nodes[slot]
        self._changes += 1
        node.silent = True
        node.reach.close()

    def lose(self, slot: int) -> None:
        """Nothing is heard of the slot's node."""
        node = self.nodes[slot]
        self._changes += 1
        node.silent = False
        self.containers.discard(slot)
        if self.attempt is not None:
            self.attempt.lost.add(slot)
        node.reach.close()
        self.rounds.expire(slot)
        if slot == 0:
            self._lose_store()
        if not any(node.up or node.silent for node in self.nodes):
            self._nobody_is_left()

    def regain(self, slot: int) -> None:
        """The slot's node was cut off and is heard of again."""
        self._changes += 1
        self.containers.add(slot)
        if self.attempt is not None:
            self.attempt.lost.discard(slot)
        self.nodes[slot].reach.open()

    def hear_of_left(self, epoch: int, failed: dict[int, Message]) -> None:
        """Workers of an attempt have failed whose stop had not reached them: their agent, which
        was cut off with them, is heard of again, and sees that."""
        for node in self.nodes:
            attempt = node.attempt
            if not node.reach.cut or attempt is None or attempt.epoch != epoch \
                    or node.slot not in attempt.slots:
                continue
            own = {rank: failed[rank] for rank in attempt.ranks_of(node.slot) if rank in failed}
            if own:
                attempt.failed.update(own)
                self._changes += 1
                node.reach.open()

    def missing(self) -> list[int]:
        """Slots without an agent that is heard of, as far as anybody has missed it."""
        return [node.slot for node in self.nodes if not node.up and not node.silent]

    def _connect(self, timeout_s: float) -> doubles.TcpStore:
        return doubles.TcpStore(self.shelf, self._current().reach, timeout_s)

    def _make_agent(self, **named: Any) -> HostedAgent:
        node = self._current()
        agent = HostedAgent(node, self, self.settings.exit_barrier_s, **named)
        agent.go_on_with(self._used[node.slot])
        return agent

    def _current(self) -> Node:
        assert self.tasks.current is not None
        return self._node_of(self.tasks.current)

    def _node_of(self, task: Task) -> Node:
        return self.nodes[int(task.group.rpartition("-")[2])]

    # As agents' Watcher:

    def joins(self, node: Node) -> None:
        """It has time until join_timeout from now on."""
        node.joins_us = self.tasks.now_us

    def workers_start(self, node: Node) -> None:
        """The agent's workers wait for those of the others."""
        self._changes += 1
        node.started_us = self.tasks.now_us

    def workers_stop(self, node: Node) -> None:
        """Tells why. An agent whose own worker failed ends the rest of them by SIGTERM, which takes
        no time here; one that makes way for new nodes waits for the end of the attempt."""
        agent, attempt = node.agent, node.attempt
        assert agent is not None
        self._changes += 1
        if agent.used > agent.counted:
            agent.counted = agent.used
            self._charge(node, exhausted=False)
        elif agent.last == WorkerState.FAILED:
            self._charge(node, exhausted=True)
        else:
            self.record.step(record.MEMBERS, record.STOPPED)
        node.attempt = node.started_us = None
        if attempt is not None and node.slot in attempt.slots \
                and agent.last != WorkerState.FAILED:
            attempt.stopped.wait()

    def workers_seen(self, node: Node, result: RunResult) -> RunResult:
        """As it is, but for workers that have waited for too long for those of others."""
        agent = node.agent
        assert agent is not None
        if node.waits_for_others() and node.started_us is not None \
                and self.tasks.now_us - node.started_us > _MEETING_US:
            return node.give_up(self.settings.ranks_each)
        if result.state == WorkerState.SUCCEEDED and not agent.succeeded:
            agent.succeeded = True
            self._changes += 1
            if self.attempt is not None and len(self.attempt.finished) < self.attempt.workers:
                self.record.step(record.BARRIER)
        return result

    def _charge(self, node: Node, exhausted: bool) -> None:
        rule, to = ((record.GIVES_UP, record.FAILED) if exhausted
                    else (record.RESTARTS, record.STOPPED))
        step = self.record.step(rule, to)
        self.total += 1
        agent = node.agent
        assert agent is not None
        self._used[node.slot] = agent.used + (1 if exhausted else 0)
        charged = step.setdefault("_agents", [])
        charged.append(node.slot)
        fullest = max(self._used[slot] for slot in charged)
        self.record.charge(step, self._cause(node), self.total,
                           self.total - fullest + self.settings.max_restarts,
                           fullest > self.settings.max_restarts)

    def _cause(self, node: Node) -> str:
        attempt = node.attempt
        told = [] if attempt is None else [attempt.failed[rank]
                                           for rank in attempt.ranks_of(node.slot)
                                           if rank in attempt.failed]
        if not told:
            return "application"
        if told[0]["preempted"]:
            return "preemption"
        return {"node_lost": "node", "accelerator_fault": "device",
                "collective_timeout": "hang"}.get(told[0]["kind"], "application")

    def budget(self) -> Message:
        """The restarts that all agents together have used, and may."""
        fullest = max(self._used.values(), default=0)
        return {"name": record.BUDGET, "used": self.total,
                "limit": self.total - fullest + self.settings.max_restarts}

    def counts(self) -> list[int]:
        """The restarts that each slot's agent has counted."""
        return [self._used.get(node.slot, 0) for node in self.nodes]

    # Attempts:

    def take_up(self, epoch: int) -> None:
        """Workers run on that another host had started."""
        self.epoch = epoch
        self.attempt = Attempt(self.tasks, epoch, list(range(self.most)),
                               self.settings.ranks_each)
        self.attempt.running = True
        self.containers = set(self.attempt.slots)
        self._begun_round = 0
        for node in self.nodes:
            node.attempt = self.attempt

    def stop_others(self, epoch: int) -> None:
        """Ends processes of an earlier launch; none starts before they are gone."""
        self._ask_to_stop(epoch, [], keep=False)

    def attempt_is_gone(self) -> None:
        """No process of the attempt is left."""
        self._changes += 1
        self.stopping = False
        if self.attempt is not None:
            self.attempt.stopped.set()
            self.attempt = None

    def settle(self, until_us: int) -> None:
        """Lets agents move until that time, and asks for what they need together."""
        while True:
            before = self._changes
            self.tasks.run_until(until_us)
            self._judge_ends()
            if self.done:
                return
            self._stop()
            self._begin()
            next_us = self.tasks.next_us()
            if self._changes == before and (next_us is None or next_us > until_us):
                return

    def _forget_ended(self) -> None:
        """Agents that were ended alone are missed by nobody; the store of the first is."""
        for node in self.nodes:
            if node.ended_alone and node.task is not None and node.task.ended:
                node.task = None
                self._changes += 1
                if node.slot == 0:
                    self._lose_store()
        if all(node.ended_alone for node in self.nodes):
            self._nobody_is_left()

    def _nobody_is_left(self) -> None:
        """No agent is there that another could meet, and the store was on the first one's node."""
        self.record.step(record.ACT, record.FAILED)
        self.record.command("fail", job=self.job, reason="unrecoverable(no agents)")
        self.done = True

    def _judge_ends(self) -> None:
        self._forget_ended()
        if self.done:
            return
        ended = [node for node in self.nodes if node.task is not None and node.task.ended]
        wrong = [node for node in ended if node.task is not None and node.task.error is not None]
        for node in wrong:
            assert node.task is not None and node.task.error is not None
            self._agent_failed(node.task.error)
            node.task = None
            if self.done:
                return
        attempt = self.attempt
        if ended and not wrong and attempt is not None \
                and all(self.nodes[slot] in ended and attempt.finished >= {*attempt.ranks_of(slot)}
                        for slot in attempt.slots if not self.nodes[slot].ended_alone):
            self.record.step(f"torchrun.state.{record.SUCCEEDED}", record.SUCCEEDED)
            self.record.command("complete", job=self.job)
            self.done = True

    def _agent_failed(self, error: BaseException) -> None:
        """An agent ends with exit code 1. Where it has closed the rendezvous, as all do but those
        that a signal ends, no restart can succeed, and whoever started the others ends them."""
        name = type(error).__name__
        if name == "ChildFailedError":
            reason = f"exhausted({record.BUDGET})"
        else:
            rule = record.error_rule(error)
            self.record.step(rule, record.FAILED)
            reason = f"gave_up({rule})" if rule != record.ACT else f"unrecoverable({name})"
        self.record.state = record.FAILED
        self.record.command("fail", job=self.job, reason=reason)
        self.reason = reason
        self.done = True

    def _stop(self) -> None:
        """Ends the attempt once every agent that can be heard of has left it."""
        attempt = self.attempt
        if attempt is None or self.stopping:
            return
        there = [self.nodes[slot] for slot in attempt.slots if self.nodes[slot].up]
        if not there or any(node.attempt is attempt for node in there):
            return
        gone = [slot for slot in attempt.slots if slot not in self.containers]
        elastic = self.least < self.most
        keep = not (elastic and (gone or len(attempt.slots) < self.most))
        self._kept_slots = attempt.slots if keep else []
        leaving = [rank for slot in gone if keep for rank in attempt.ranks_of(slot)]
        self._ask_to_stop(attempt.epoch, leaving, keep)

    def _ask_to_stop(self, epoch: int, leaving: list[int], keep: bool) -> None:
        self.stopping = True
        self._changes += 1
        named = {"leaving": leaving} if leaving else {}
        self.record.command("stop_workers", job=self.job, epoch=epoch, grace_us=_GRACE_US,
                            keep_containers=keep, **named)
        if not keep:
            self.containers = set()

    def _begin(self) -> None:
        """Starts an attempt once a round is complete and nothing of the last one is left."""
        if self.attempt is not None or self.stopping:
            return
        slots = self._met()
        if slots is None:
            return
        self._changes += 1
        kept = self._kept_slots
        self.epoch += 1
        self.attempt = Attempt(self.tasks, self.epoch, slots, self.settings.ranks_each)
        anew = [slot for slot in slots if slot not in self.containers]
        self.record.step(record.COMPLETE, record.HEALTHY)
        if not kept or kept != slots:
            self.record.command("start_attempt", job=self.job, epoch=self.epoch,
                                workers=self.attempt.workers)
        elif anew:
            self.record.command("recreate_pods", job=self.job, epoch=self.epoch,
                                ranks=[rank for slot in anew
                                       for rank in self.attempt.ranks_of(slot)])
        else:
            self.record.command("restart_processes", job=self.job, epoch=self.epoch, env=[])
        self._kept_slots = []
        self.containers = set(slots)
        for slot in slots:
            self.nodes[slot].attempt = self.attempt

    def _met(self) -> list[int] | None:
        """The slots of a round that is complete and has not begun, all of whose agents are there
        and have started their workers."""
        if self.settings.static:
            waiting = [node for node in self.nodes if node.up and node.started_us is not None]
            return [node.slot for node in self.nodes] if len(waiting) == self.most else None
        complete = self.rounds.complete()
        if complete is None or complete[0] == self._begun_round:
            return None
        for node in (self.nodes[slot] for slot in complete[1]):
            if not node.up or node.attempt is not None or node.started_us is None:
                return None
        self._begun_round = complete[0]
        return complete[1]
