"""ft_launcher, a launcher on every node, as a policy of the simulator."""
import json
import logging
import os
from typing import Any

import nvidia_resiliency_ext
import torch.distributed as dist
from nvidia_resiliency_ext.fault_tolerance import launcher
from torch.distributed.elastic.agent.server.api import RunResult
from torch.distributed.elastic.multiprocessing import SignalException
from torch.distributed.elastic.rendezvous.api import RendezvousTimeoutError

from hosting.messages import Message
from hosting.ranks import ranks_of
from hosting.tasks import Tasks, microseconds
from nvrx import record as words
from nvrx.agents import Agent, Choice, Kill
from nvrx.counts import Counts, cause_of
from nvrx.devices import needs_recovery
from nvrx.fleet import Fleet
from nvrx.record import STATES, Record, rules
from nvrx.rounds import Rounds, Stage
from nvrx.settings import Settings
from nvrx.standins import Here, patch

# Plays every look, for the test that leaps change nothing.
_LEAPS = os.environ.get("NVRX_HOST_LEAPS", "1") != "0"
logging.disable(logging.CRITICAL)


class NvrxRun:
    """One run of a job: its launchers, each a task, and what the simulator told of them."""

    def __init__(self, world: Message) -> None:
        self._settings = Settings(world["policy"])
        self._tasks = Tasks()
        self._fleet = Fleet(self, self._settings, self._tasks)
        self._record = Record()
        self._rounds = Rounds(self._tasks, self._record, self._settings.ranks_each,
                              self._settings.join_timeout_s, self._fleet.active)
        self._counts = Counts(self._settings, self._record)
        jobs = world["inventory"]["jobs"]
        self._cluster = jobs[0]["max_workers"] if jobs else 0
        self._progress: int | None = None
        self._cause = ""  # of what has ended the cycle
        self._ends: list[str] = []  # rules by which launchers have left, in order
        self._succeeded = False
        self._over = False
        self._asks_capacity = False
        self._asked_us = 0

    # The messages:

    def ready(self) -> Message:
        """The description of the policy: launchers' decisions, states and budgets."""
        version = nvidia_resiliency_ext.__version__
        return {"name": "nvrx", "profile": version,
                "summary": f"The installed ft_launcher of nvidia-resiliency-ext {version}",
                "states": STATES, "state": STATES[0], "rules": rules(),
                "budgets": self._counts.described(), "watches_nodes": True, "isolates": True,
                "leaves_peers": True, "commits_checkpoints": False}

    def durable(self) -> Any:
        """The launchers, and the counts of each."""
        if not self._fleet.least:
            return ""
        return {"epoch": self._rounds.epoch, "nodes": self._fleet.least, "most": self._fleet.most,
                **self._counts.memory()}

    def end(self) -> None:
        """Ends the launchers where they stand."""
        self._fleet.end()

    def decide(self, batch: Message) -> Message:
        """Lets launchers go on until the batch, tells them of it, and lets them go on in it."""
        patch(Here(tasks=self._tasks, agent=self._fleet.current, store=self._fleet.store,
                   sleep=self._fleet.polls.sleep, progress=self._progress_text))
        if not self._over:
            if _LEAPS:
                self._tasks.leap(batch["t_us"], self._fleet.polls.quiet)
            self._tasks.run_until(batch["t_us"], including=False)
        for at, event in enumerate(batch["events"]):
            if not self._over:
                self._hear(at, event)
        if not self._over:
            self._tasks.run_until(batch["t_us"])
            self._finish()
        return {"steps": self._record.take(), "watch": self._watch()}

    # Events:

    def _hear(self, at: int, event: Message) -> None:
        hear = getattr(self, "_on_" + event["type"], None)
        if hear is None or ("epoch" in event and event["epoch"] != self._rounds.epoch
                            and event["type"] != "controller_started"):
            return
        hear(at, event)

    def _on_controller_started(self, at: int, event: Message) -> None:
        self._rounds.job, self._rounds.epoch = event["job"], event["epoch"]
        if event["durable"]:
            stored = json.loads(event["durable"])
            self._rounds.epoch = max(self._rounds.epoch, stored["epoch"])
            self._counts.recall(stored)
            self._fleet.rounds_gone(stored["used"])
            self._fleet.least, self._fleet.most = stored["nodes"], stored["most"]

    def _on_job_submitted(self, at: int, event: Message) -> None:
        wanted = event["workers"] // self._settings.ranks_each
        if self._rounds.adopts:
            self._fleet.launch(self._fleet.least)
        elif self._fleet.least:
            self._rounds.stage = Stage.STOPPING  # nobody knows how far its processes are
            self._record.command("stop_workers", job=self._rounds.job, epoch=self._rounds.epoch,
                                 grace_us=0)
        else:
            # All nodes that the cluster can spare are hot spares: --nnodes=WANTED:ALL.
            self._fleet.least = wanted
            self._fleet.most = max(wanted, self._cluster // self._settings.ranks_each)
            self._ask_capacity()
        self._record.command("persist", job=self._rounds.job)

    def _on_attempt_running(self, at: int, event: Message) -> None:
        if not self._fleet.agents and self._fleet.least:
            self._rounds.adopts = True
        self._rounds.running(self._tasks.now_us)

    def _on_attempt_start_failed(self, at: int, event: Message) -> None:
        away = any(agent.away for agent in self._rounds.seats.values())
        self._note("node" if away else "application")
        ranks = ranks_of(event["ranks"])
        for rank in ranks:
            self._fail(rank, Kill.ERROR)
        alive = [agent for agent in self._rounds.seats.values() if not agent.away]
        if all(agent.processes is None or agent.processes.shows_nothing() for agent in alive):
            # Those that are left cannot meet the others, and end.
            for agent in alive:
                _kill_ranks(agent)

    def _on_workers_failed(self, at: int, event: Message) -> None:
        self._note(cause_of(event))
        for rank in ranks_of(event["ranks"]):
            if event["kind"] == "node_lost":
                agent, _ = self._rounds.agent_of(rank)
                if agent is not None:
                    self._miss(agent, event)
            else:
                self._fail(rank, event["exit_code"] or Kill.ERROR)

    def _on_node_unreachable(self, at: int, event: Message) -> None:
        self._note("preemption" if event["preempted"] else "node")
        for rank in ranks_of(event.get("ranks", [])):
            agent, _ = self._rounds.agent_of(rank)
            if agent is not None:
                agent.node = event["node"]
                self._miss(agent, event)

    def _miss(self, agent: Agent, event: Message) -> None:
        """A node that was taken away does not come back with its launcher."""
        if event["preempted"]:
            self._fleet.lose(agent)
        else:
            self._fleet.miss(agent)

    def _on_node_joined(self, at: int, event: Message) -> None:
        for rank in ranks_of(event.get("ranks", [])):
            agent, _ = self._rounds.agent_of(rank)
            if agent is not None:
                given_up = agent in self._rounds.left_behind()
                self._fleet.hear_again(agent, bool(event.get("alive")) and not given_up)
        if not any(agent.away for agent in self._rounds.seats.values()):
            self._cause = ""  # a restart that comes now has another one

    def _on_workers_finished(self, at: int, event: Message) -> None:
        for rank in ranks_of(event["ranks"]):
            agent, local = self._rounds.agent_of(rank)
            if agent is not None and agent.processes is not None:
                agent.processes.finish(local)

    def _on_workers_stopped(self, at: int, event: Message) -> None:
        for behind in self._rounds.left_behind():
            self._fleet.lose(behind)
        for rank in ranks_of(event["unreachable"]):
            agent, _ = self._rounds.agent_of(rank)
            if agent is not None:
                self._fleet.lose(agent)
        if not self._fleet.agents:
            self._rounds.stage = Stage.NONE
            self._ask_capacity()
            return
        self._rounds.stopped()
        self._look_for_nodes()

    def _on_capacity_changed(self, at: int, event: Message) -> None:
        nodes = event["workers"] // self._settings.ranks_each
        alive = self._fleet.alive()
        spares = [agent for agent in alive if agent.seat is None]
        for agent in reversed(spares[:max(0, len(alive) - nodes)]):
            self._fleet.lose(agent)
        self._fleet.launch(min(nodes, self._fleet.most) - len(alive))
        if len(self._fleet.alive()) >= self._fleet.least:
            self._asks_capacity = False

    def _on_checkpoint_durable(self, at: int, event: Message) -> None:
        self._progress = event["checkpoint"]

    def _on_hang_suspected(self, at: int, event: Message) -> None:
        if self._settings.heartbeat_timeout_s is None:
            self._record.unheard(at, "restart", "no rank_heartbeat_timeout is set")
            return
        self._note("hang")
        for agent in self._rounds.seats.values():
            _kill_ranks(agent)

    def _on_device_fault(self, at: int, event: Message) -> None:
        agents = {self._rounds.agent_of(rank)[0] for rank in ranks_of(event.get("ranks", []))}
        for agent in agents:
            if agent is None or agent.away or not needs_recovery(event):
                continue
            agent.node, agent.sick = event["node"], True
            self._fleet.watch_devices(agent, self._rounds, lambda: self._note("device"))

    def _on_preemption_notice(self, at: int, event: Message) -> None:
        self._record.unheard(at, "drain", "launchers hear of no notice")

    def _on_stop_requested(self, at: int, event: Message) -> None:
        self._end_job("stopped_by_user", words.SIGNAL)

    def _fail(self, rank: int, code: int) -> None:
        agent, local = self._rounds.agent_of(rank)
        if agent is not None and agent.processes is not None and not agent.away:
            agent.processes.fail(local, code)

    def _progress_text(self) -> str | None:
        return None if self._progress is None else str(self._progress)

    # As World of agents.py:

    def starts(self, agent: Agent) -> None:
        """See World."""
        if self._rounds.starts(agent):
            self._cause = ""

    def stop(self, agent: Agent, grace_s: float) -> None:
        """See World."""
        self._rounds.stop(agent, grace_s)

    def decided(self, agent: Agent, rule: Choice, counted: bool) -> None:
        """See World."""
        self._counts.decided(agent, rule, counted, self._cause or "application")

    def left(self, agent: Agent, result: RunResult | None,
             error: BaseException | None) -> None:
        """See World."""
        if error is None:
            failed = result is not None and result.is_failed()
            self._succeeded |= result is not None and not failed
            self._ends.append(words.EXHAUSTED if failed else words.EXITED)
            return
        rule = _rule_of(error)
        self._ends.append(rule)
        if isinstance(error, launcher.NoRestartRequested | SignalException):
            return
        self._record.step(rule)
        if isinstance(error, launcher.UnhealthyNodeException) and agent.node is not None:
            self._record.command("isolate_node", job=self._rounds.job, node=agent.node)
            self._look_for_nodes()

    # The end, and watches:

    def _note(self, cause: str) -> None:
        self._cause = self._cause or cause

    def _look_for_nodes(self) -> None:
        """Where launchers are missing in a round that is open, others may have been started."""
        alive = len(self._fleet.alive())
        seated = sum(agent.monitoring and not agent.away for agent in self._rounds.seats.values())
        if seated < self._fleet.least and (alive < self._fleet.least or seated < alive):
            self._ask_capacity()

    def _ask_capacity(self) -> None:
        if not self._asks_capacity:
            self._asks_capacity = True
            self._asked_us = self._tasks.now_us

    def _finish(self) -> None:
        seated = list(self._rounds.seats.values()) or self._fleet.agents
        if not seated or any(agent.monitoring and not agent.cut for agent in seated):
            return
        if self._fleet.alive() and not self._fleet.closed():
            return
        if self._succeeded:
            self._record.step(words.EXITED, "SUCCEEDED")
            self._record.command("complete", job=self._rounds.job)
            self._over = True
            return
        self._end_job(self._reason())

    def _reason(self) -> str:
        if self._counts.exhausted:
            return f"exhausted({self._counts.exhausted})"
        ends = [rule for rule in self._ends if rule != words.UNHEALTHY]
        return f"gave_up({ends[0] if ends else words.STORE_LOST})"

    def _end_job(self, reason: str, state: str = "FAILED") -> None:
        self._record.step(words.EXITED, state)
        self._record.command("fail", job=self._rounds.job, reason=reason)
        self._over = True

    def _watch(self) -> Message:
        if self._over:
            return {}
        watch: Message = {}
        rounds = self._rounds
        if rounds.stage == Stage.RUNNING:
            watch["futures"] = {"epoch": rounds.epoch}
            watch["progress"] = {"epoch": rounds.epoch}
            if self._settings.heartbeat_timeout_s is not None:
                watch["hang"] = {
                    "anchor_us": rounds.running_since_us,
                    "period_us": microseconds(self._settings.workload_check_s),
                    "after_us": microseconds(self._settings.heartbeat_timeout_s)}
        if self._asks_capacity:
            watch["capacity"] = {"anchor_us": self._asked_us, "query_period_us": 1_000_000,
                                 "request_period_us": 1_000_000,
                                 "workers": self._fleet.most * self._settings.ranks_each}
        due_us = self._tasks.due_us(self._fleet.polls.quiet)
        if due_us is not None:
            watch["wake_us"] = due_us
        return watch


def _kill_ranks(agent: Agent) -> None:
    if agent.processes is not None and not agent.away:
        agent.processes.kill()


def _rule_of(error: BaseException) -> str:
    if isinstance(error, launcher.UnhealthyNodeException):
        return words.UNHEALTHY
    if isinstance(error, launcher.NoRestartRequested):
        return words.NO_PROGRESS
    if isinstance(error, RendezvousTimeoutError):
        return words.TIMEOUT
    if isinstance(error, launcher.RendezvousClosedError | launcher.TerminalWorkerGroupFailure):
        return words.CLOSED
    if isinstance(error, dist.DistNetworkError | dist.DistStoreError):
        return words.STORE_LOST
    return words.EXITED
