"""PyTorch's elastic agents as a policy of the simulator."""
import json
import logging
import os
import signal
import warnings
from typing import Any

os.environ["TORCH_CPP_LOG_LEVEL"] = "ERROR"
warnings.filterwarnings("ignore", message="Failed to initialize NumPy")

from torch.distributed.elastic.multiprocessing import SignalException  # noqa: E402

from hosting.messages import Message  # noqa: E402
from hosting.ranks import ranks_of  # noqa: E402
from torchrun import record  # noqa: E402
from torchrun.agents import Attempt  # noqa: E402
from torchrun.group import Group  # noqa: E402
from torchrun.record import BUDGET, STATES, Record, rules  # noqa: E402
from torchrun.settings import Settings  # noqa: E402

_SECOND_US = 1_000_000
# Plays every look, for the test that leaps change nothing.
_LEAPS = os.environ.get("TORCHRUN_HOST_LEAPS", "1") != "0"
logging.disable(logging.CRITICAL)
_NOBODY_HEARS = "no other agent is told that one has ended"
_UNHEARD = {"hang_suspected": "no hang is looked for",
            "preemption_notice": "a notice is not acted on"}


class TorchrunRun:
    """One run of a job: its agents, and what the simulator told of it."""

    def __init__(self, world: Message, version: str) -> None:
        self._version = version
        self._settings = Settings(world["policy"], world.get("seed", 0))
        self._settings.apply()
        self._record = Record()
        self._group: Group | None = None
        self._job = self._epoch = 0
        self._stored: Message = {}
        self._runs_on: int | None = None  # the attempt that another host has left running
        self._looks_since_us = 0

    # The messages:

    def ready(self) -> Message:
        """The description of the policy: the states of worker groups, and the agents' rules."""
        profile = "shared_store" if self._settings.shares_store else self._version
        return {"name": "torchrun", "profile": profile,
                "summary": f"The installed torch {self._version}: an elastic agent a node",
                "states": STATES, "state": STATES[0], "rules": rules(),
                "budgets": [{"name": BUDGET, "limit": self._settings.max_restarts}],
                "watches_nodes": True, "leaves_peers": True, "agents": True,
                "commits_checkpoints": False}

    def durable(self) -> Any:
        """The counts of agents that live on, and what all of them have used in this job."""
        if self._group is None:
            return ""
        return {"epoch": self._group.epoch, "restarts": self._group.counts(),
                "used": self._group.total}

    def end(self) -> None:
        """Ends the agents where they stand."""
        if self._group is not None:
            self._group.tasks.kill()

    def decide(self, batch: Message) -> Message:
        """Lets the agents come to the time of the batch, tells them of it, and lets them move."""
        now_us = batch["t_us"]
        group = self._group
        if group is not None and not group.done:
            if _LEAPS:
                group.leaps.play_until(now_us)
            group.tasks.run_until(now_us, including=False)
        for at, event in enumerate(batch["events"]):
            self._hear(at, event, now_us)
        answer: Message = {"steps": [], "watch": {}}
        if self._group is not None:
            if not self._group.done:
                self._group.settle(now_us)
            if not self._group.done:
                answer["watch"] = self._watch(now_us)
            budget = self._group.budget()
            answer["budgets"] = [{"used": budget["used"], "limit": budget["limit"]}]
        answer["steps"] = self._record.take()
        for step in answer["steps"]:
            step.pop("_agents", None)
        return answer

    # Events:

    def _hear(self, at: int, event: Message, now_us: int) -> None:
        kind = event["type"]
        if self._group is not None and self._group.done:
            return
        if kind in _UNHEARD:
            self._record.step(record.UNHEARD, saw=[at],
                              rejected=[{"what": "restart", "why": _UNHEARD[kind]}])
            return
        hear = getattr(self, "_on_" + kind, None)
        if hear is None:
            return
        if kind in ("controller_started", "job_submitted", "attempt_running"):
            hear(event, now_us)
        elif self._group is not None:
            hear(event, self._group)

    def _on_controller_started(self, event: Message, now_us: int) -> None:
        self._job, self._epoch = event["job"], event["epoch"]
        stored = json.loads(event["durable"]) if event["durable"] else {}
        self._stored = stored if isinstance(stored, dict) else {}

    def _on_job_submitted(self, event: Message, now_us: int) -> None:
        if self._group is not None:
            return
        group = self._group = Group(self._settings, self._record, self._job, event["workers"])
        group.tasks.run_until(now_us)
        group.epoch = max(self._epoch, self._stored.get("epoch", 0))
        group.total = self._stored.get("used", 0)
        self._looks_since_us = now_us
        self._record.step(f"torchrun.state.{record.INIT}")
        if self._runs_on is not None:
            self._take_up(group, self._runs_on)
        elif self._stored:  # whoever launches anew ends what is left
            group.stop_others(group.epoch)
        else:
            self._record.command("persist", job=self._job)

    def _on_attempt_running(self, event: Message, now_us: int) -> None:
        group = self._group
        if group is None:
            self._runs_on = event["epoch"]
            return
        attempt = group.attempt
        if attempt is not None and attempt.epoch == event["epoch"]:
            attempt.running = True

    def _take_up(self, group: Group, epoch: int) -> None:
        """Agents have lived on, each with its count."""
        group.take_up(epoch)
        for slot, used in enumerate(self._stored.get("restarts", [])):
            group.start_agent(slot, used)
            group.nodes[slot].attempt = group.attempt
        self._record.step(f"torchrun.state.{record.HEALTHY}", record.HEALTHY)

    def _of(self, event: Message, group: Group) -> Attempt | None:
        attempt = group.attempt
        return attempt if attempt is not None and attempt.epoch == event["epoch"] else None

    def _on_attempt_start_failed(self, event: Message, group: Group) -> None:
        attempt = self._of(event, group)
        if attempt is None:
            return
        if event["stage"] in ("cluster_check", "placement"):
            self._record.step(record.ACT, record.FAILED)
            self._record.command("fail", job=self._job, reason="unrecoverable(no nodes)")
            group.done = True
            return
        told = {"kind": "exit", "exit_code": 1, "preempted": False}
        attempt.incomplete = True
        for rank in ranks_of(event["ranks"]) or [0]:
            if attempt.slot_of(rank) not in attempt.lost:
                attempt.failed[rank] = told

    def _on_workers_failed(self, event: Message, group: Group) -> None:
        attempt = self._of(event, group)
        if attempt is None:
            group.hear_of_left(event["epoch"], {rank: event for rank in ranks_of(event["ranks"])})
            return
        for rank in ranks_of(event["ranks"]):
            slot = attempt.slot_of(rank)
            if event["kind"] != "node_lost":
                attempt.failed[rank] = event
            elif slot not in attempt.lost:  # another agent may be in its place by now
                group.lose(slot)

    def _on_workers_finished(self, event: Message, group: Group) -> None:
        attempt = self._of(event, group)
        if attempt is not None:
            attempt.finished.update(ranks_of(event["ranks"]))

    def _on_workers_stopped(self, event: Message, group: Group) -> None:
        attempt = group.attempt
        if attempt is not None and event["epoch"] == attempt.epoch:
            for rank in ranks_of(event["unreachable"]):
                node = group.nodes[attempt.slot_of(rank)]
                if node.up or node.silent:
                    group.lose(attempt.slot_of(rank))
            group.attempt_is_gone()
        elif attempt is None and group.stopping:
            group.attempt_is_gone()

    def _slots(self, event: Message, group: Group) -> list[int]:
        ranks = ranks_of(event.get("ranks", []))
        each = self._settings.ranks_each
        slots = (group.attempt.slots if group.attempt is not None else list(range(group.most)))
        return sorted({slots[rank // each] for rank in ranks if rank // each < len(slots)})

    def _on_node_unreachable(self, event: Message, group: Group) -> None:
        if event.get("removed"):
            return
        for slot in self._slots(event, group):
            if group.nodes[slot].up or group.nodes[slot].silent:
                group.lose(slot)
                self._record.step(record.DEAD)

    def _on_agent_ended(self, event: Message, group: Group) -> None:
        if event.get("with_node"):
            for slot in self._slots(event, group):
                group.fall_silent(slot)
            return
        terminated = event["signal"] == "SIGTERM"
        self._record.step(record.SIGNAL if terminated else record.UNHEARD,
                          rejected=[{"what": "restart", "why": _NOBODY_HEARS}])
        for slot in self._slots(event, group):
            group.end_alone(slot, SignalException("agent", signal.SIGTERM) if terminated else None)

    def _on_node_joined(self, event: Message, group: Group) -> None:
        for slot in self._slots(event, group):
            if group.nodes[slot].reach.cut:
                if event.get("alive"):
                    group.regain(slot)
                else:
                    group.end_agent(slot)

    def _on_capacity_changed(self, event: Message, group: Group) -> None:
        """An agent is started on each node that there is for the job."""
        missing = group.missing()
        possible = event["workers"] // self._settings.ranks_each
        for slot in missing[:max(0, possible - (group.most - len(missing)))]:
            group.start_agent(slot)

    def _on_stop_requested(self, event: Message, group: Group) -> None:
        for node in group.nodes:
            if node.up and node.task is not None:
                group.tasks.interrupt(node.task, SignalException("user", 2))
        self._record.step(record.SIGNAL, record.SIGNALLED)
        self._record.command("fail", job=self._job, reason="stopped_by_user")
        group.done = True

    # Watches:

    def _watch(self, now_us: int) -> Message:
        group = self._group
        assert group is not None
        watch: Message = {}
        if group.attempt is not None and group.attempt.running and not group.stopping:
            watch["futures"] = {"epoch": group.attempt.epoch}
        if group.missing():
            interval_us = round(self._settings.monitor_interval_s * _SECOND_US)
            watch["capacity"] = {"anchor_us": self._looks_since_us,
                                 "workers": group.most * self._settings.ranks_each,
                                 "query_period_us": interval_us if group.attempt else _SECOND_US,
                                 "request_period_us": _SECOND_US}
        due_us = group.leaps.due_us()
        if due_us is not None:
            watch["wake_us"] = max(due_us, now_us + 1)
        return watch
