"""One run: what the processes tell becomes facts, and faults strike where they are due."""
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from typing import Any

from live.driver.facts import Facts
from live.driver.loop import Line, Loop
from live.driver.room import Room
from live.driver.triggers import Triggers
from live.ray.background import Background
from live.ray.cluster import HEAD, Machines
from live.ray.settings import variables
from live.ray.workers import Attempt, Worker

# States that a decision of the failure policy leads to, and which lead on by themselves.
_AFTER_A_FAILURE = ("RESTARTING", "RESCHEDULING")
_CONTROLLER_S = 120.0  # in which the controller begins, also on a machine that is busy
_WITH_WORKERS = ("RUNNING", "PREEMPTING")

Message = dict[str, Any]
Plan = dict[str, Any]


class Session:
    """The run of a plan. `machines` are its nodes, `attempt` the newest group of workers."""

    def __init__(self, plan: Plan, facts: Facts, room: Room) -> None:
        self.plan = plan
        self.facts = facts
        self.room = room
        self.loop = Loop(room.folder / "channel", self._hear, self._reaped)
        self.background = Background(self.loop, self.broken)
        self.machines = Machines(plan, room.folder, room.isolated)
        self.attempt = Attempt(0, 0)
        self.controller_pid = 0
        self.state = ""
        self.again: Callable[[], None] | None = None  # starts the job again, once it has ended
        self.on_running: list[Callable[[], None]] = []
        self.at_end: list[Callable[[], None]] = []
        # They join once the first group has its places, which are the job's own nodes so.
        self.spares = [row["name"] for row in plan["cluster"]["spares"]]
        self.storage = room.folder / "storage"
        self.pressed: list[int] = []  # interrupts that have struck
        self.latest_fault: int | None = None
        self._answered: int | None = None  # the fault of the newest decision
        self._on_the_way: tuple[str, ...] = _AFTER_A_FAILURE
        self._away: set[str] = set()  # nodes that no group can have
        self._waits = False  # the newest group, for nodes
        self._exhausted = ""
        self._result: str | None = None
        self._submitter: subprocess.Popen[str] | None = None
        self._triggers = Triggers(self.loop, plan["faults"], self._strike)
        self._strikes: Callable[[Message], None] = lambda _: None
        self._unplaced: list[Message] = []

    # Begin and end:

    def run(self, strike: Callable[[Message], None]) -> None:
        """Starts all, and returns at the end of the run. `strike` carries out a fault."""
        self._strikes = strike
        self.prepare()
        self.start_cluster()
        self._watch_input()
        self.submit()
        self.loop.after(_CONTROLLER_S, self._look_for_controller)
        self.loop.run()

    def _look_for_controller(self) -> None:
        if not self.facts.start_ns:
            self.broken("the controller has not begun")

    def _strike(self, fault: Message) -> None:
        if not self.facts.ended:
            self._strikes(fault)

    def until_launched(self, fault: Message) -> None:
        """The fault strikes as soon as the group that is being launched has its workers: before
        they have their context, or, where it says `launch`, before they are told to train."""
        self._unplaced.append(fault)

    def _strike_unplaced(self, launched: bool) -> None:
        due = [fault for fault in self._unplaced
               if launched or fault.get("during") != "launch"]
        self._unplaced = [fault for fault in self._unplaced if fault not in due]
        for fault in due:
            self._strike(fault)

    def start_cluster(self) -> None:
        """Starts the head and then all nodes, which are up when it returns."""
        self.machines.start_head()
        self._start_all([row["name"] for row in self.plan["cluster"]["nodes"]])

    def _start_all(self, names: list[str]) -> None:
        with ThreadPoolExecutor(len(names)) as pool:
            list(pool.map(self.machines.start, names))

    def prepare(self) -> None:
        """Starts the user's program, which imports and waits."""
        head = self.machines.of[HEAD]
        prefix = head.net.prefix() if head.net else []
        environment = os.environ | variables(self.plan)
        log = (self.room.folder / "submit.log").open("a")
        self._submitter = subprocess.Popen(
            [*prefix, sys.executable, "-m", "live.ray.submit"], stdin=subprocess.PIPE, text=True,
            stdout=log, stderr=log, cwd=self.room.folder, env=environment)

    def submit(self) -> None:
        """Gives the user's program its orders."""
        assert self._submitter is not None and self._submitter.stdin is not None
        names = {machine.address: machine.name for machine in self.machines.of.values()}
        config = {"job": self.plan["job"], "path": str(self.room.folder / "channel"),
                  "disks": str(self.room.folder / "disk"),
                  "names": names}
        orders = {"plan": self.plan, "address": self.machines.address(), "config": config,
                  "node_ip": self.machines.of[HEAD].address,
                  "storage": str(self.storage)}
        self._result = None
        self._submitter.stdin.write(json.dumps(orders) + "\n")
        self._submitter.stdin.close()

    def _begin(self, at_ns: int) -> None:
        """The run's time counts from when the controller begins: the program that submits the job
        takes 3 s to reach the cluster, which no scenario has."""
        from live.ray.causes import BUDGETS
        from live.ray.record import STATES, rules
        version = metadata.version("ray")
        self.facts.begin(
            at_ns, backend="ray", policy=f"ray_train@{version}", clock="CLOCK_MONOTONIC",
            versions={"ray": version, "python": sys.version.split()[0]},
            isolation="namespaces" if self.room.isolated else "guardian",
            addresses="several")
        self.facts.rules(rules(), STATES, list(BUDGETS))
        for row in self.plan["cluster"]["nodes"]:
            self.facts.add("node", node=row["name"], what="up", fault=None)
        self.loop.after(self.plan["until_s"], lambda: self._finish("running", ""))
        self._triggers.begin(self.facts.start_ns)
        self._flush_often()

    def _watch_input(self) -> None:
        def read() -> None:
            if not os.read(0, 4096):
                self.loop.stop()

        self.loop.watch(0, read)

    def _flush_often(self) -> None:
        # An attempt gets its nodes once it is placed: facts from its start on wait for that.
        unplaced = self.attempt.begun_ns if not self.attempt.settled else None
        held_ns = time.monotonic_ns() - 2_000_000_000
        self.facts.flush(min(held_ns, unplaced - 1) if unplaced else held_ns)
        self.loop.after(0.25, self._flush_often)

    def broken(self, why: str) -> None:
        """The run means nothing: the driver itself has failed."""
        self.facts.invalid(why)
        self.loop.stop()

    def _finish(self, outcome: str, reason: str) -> None:
        if self.facts.ended:
            return
        for fault in [*self._unplaced, *self._triggers.waiting()]:
            self.facts.add("fault", fault=fault["index"], what="missed", on="",
                           why="the run ended before")
        self.facts.end(outcome, self.state, reason)
        self.loop.stop()

    def submitter_pid(self) -> int:
        """The process of the user's program."""
        assert self._submitter is not None
        return self._submitter.pid

    def _reaped(self, pid: int, code: int) -> None:
        if self._submitter is None or pid != self._submitter.pid:
            return
        self._submitter.returncode = code
        # Its last words may still be on the line.
        self.loop.after(0.2, self._job_ended)

    def _job_ended(self) -> None:
        if not self.facts.start_ns:
            self.broken("the program that submits the job ended before its controller began")
        elif self.again is not None:
            begin, self.again = self.again, None
            begin()
        elif self._result == "" and self.state == "FINISHED":
            self._finish("completed", "")
        elif self.state == "ABORTED" or self._result == "SystemExit":
            self.state = "ABORTED"
            self._finish("aborted", "stopped_by_user")
        elif self.state == "ERRORED":
            self._finish("failed", f"exhausted({self._exhausted})" if self._exhausted
                         else "gave_up(ray.failure.RAISE)")
        else:
            self._finish("failed", f"unrecoverable({self._result or 'ended early'})")

    # What is told:

    def _hear(self, line: Line, message: Message) -> None:
        hear = getattr(self, f"_on_{line.hello.get('role')}_{message['what']}", None)
        if hear is not None:
            hear(line, message)

    def _on_submitter_result(self, _: Line, message: Message) -> None:
        self._result = message["error"]

    def _on_controller_controller(self, _: Line, message: Message) -> None:
        self.controller_pid = message["pid"]
        if not self.facts.start_ns:
            self._begin(message["t_ns"])
        if self.state:  # of a run before, which the newest fault has ended
            self._answered = self.latest_fault
            self._on_the_way = (*_AFTER_A_FAILURE, "INITIALIZING")
            self.facts.add("state", message["t_ns"], by="controller",
                           **{"from": self.state, "to": "INITIALIZING"},
                           commands=["start_driver"])
        self.state = "INITIALIZING"
        if message["resumes"] is not None:
            self.facts.add("checkpoint", message["t_ns"], attempt=self.attempt.number + 1,
                           what="loaded", step=message["resumes"])

    def _on_controller_state(self, _: Line, message: Message) -> None:
        self._moved(message)
        old, new = message["from"], message["to"]
        # Drains and interrupts are answered by a state alone.
        fault = self.latest_fault if new in ("PREEMPTING", "ABORTED") else \
            self._answered if old in self._on_the_way or new == "ERRORED" else None
        self.facts.add("state", message["t_ns"], by="controller", **{"from": old, "to": new},
                       fault=fault)

    def _on_controller_decision(self, _: Line, message: Message) -> None:
        self._moved(message)
        kept = {name: message[name]
                for name in ("rule", "word", "from", "to", "saw", "budgets")}
        for budget in kept["budgets"]:
            self._exhausted = budget["name"] if budget["exhausted"] else ""
        self._answered = self.latest_fault
        self.facts.add("decision", message["t_ns"], by="controller", **kept,
                       fault=self._answered,
                       commands=["stop_workers"] if message["from"] in _WITH_WORKERS else [])

    def _moved(self, message: Message) -> None:
        self.state = message["to"]
        if self.state != "SCHEDULING":
            self.attempt.settled = True
        if self.state == "RUNNING":
            calls, self.on_running = self.on_running, []
            for call in calls:
                call()

    def _on_controller_attempt(self, _: Line, message: Message) -> None:
        self.attempt = Attempt(self.attempt.number + 1, message["t_ns"])
        self.attempt.fact = self.facts.add(
            "attempt", message["t_ns"], attempt=self.attempt.number, ranks=message["ranks"],
            nodes=[])
        self._launch(message["t_ns"])

    def node_is(self, name: str, there: bool) -> None:
        """A node is there for a group, or away: then a group that is not placed waits for it."""
        (self._away.discard if there else self._away.add)(name)
        if there and self._waits and not self.attempt.settled:
            self._launch(time.monotonic_ns())

    def _launch(self, at_ns: int) -> None:
        each = {row["name"]: row["accelerators"]
                for row in [*self.plan["cluster"]["nodes"], *self.plan["cluster"]["spares"]]}
        there = sum(count for name, count in each.items() if name not in self._away)
        ranks = self.attempt.fact["ranks"]
        self._waits = there < ranks
        for rank in range(ranks):
            self._phase(rank, "waiting_for_capacity" if self._waits else "launching", 0, at_ns)

    def _on_controller_workers(self, line: Line, message: Message) -> None:
        listed = sorted(message["workers"], key=lambda one: one["rank"])
        if self.attempt.number == 1:
            self.machines.name_by_ranks(list(dict.fromkeys(
                self.machines.name_of(told["node_id"]) for told in listed)))
        for told in listed:
            node = self.machines.name_of(told["node_id"])
            self.attempt.workers[told["rank"]] = Worker(told["rank"], told["pid"], node)
            self.facts.add("worker", message["t_ns"], attempt=self.attempt.number,
                           rank=told["rank"], node=node, what="launched", code=None)
            if node not in self.attempt.fact["nodes"]:
                self.attempt.fact["nodes"].append(node)
        self._strike_unplaced(launched=False)
        spares, self.spares = self.spares, []

        def proceed() -> None:
            line.order("proceed")

        if spares:
            self.background.run(lambda: self._start_all(spares), proceed)
        else:
            proceed()

    def _on_controller_placed(self, line: Line, message: Message) -> None:
        self.attempt.settled = True
        self._strike_unplaced(launched=True)
        line.order("proceed")

    def _on_controller_checkpoint(self, _: Line, message: Message) -> None:
        self.facts.add("checkpoint", message["t_ns"], attempt=self.attempt.number,
                       what=message["did"], step=message["step"])

    def _on_worker_hello(self, line: Line, message: Message) -> None:
        worker = self.attempt.workers.get(message["rank"])
        if worker is not None and worker.pid == message["pid"]:
            worker.line = line
        line.hello["attempt"] = self.attempt.number

    def _on_worker_phase(self, line: Line, message: Message) -> None:
        if line.hello["attempt"] == self.attempt.number:
            self._phase(line.hello["rank"], message["phase"], message["step"], message["t_ns"])

    def _phase(self, rank: int, phase: str, step: int, at_ns: int) -> None:
        self.facts.add("phase", at_ns, attempt=self.attempt.number, rank=rank, phase=phase,
                       step=step)
        self._triggers.phase(self.attempt.number, rank, phase, at_ns)

    def _on_worker_step(self, line: Line, message: Message) -> None:
        rank = line.hello["rank"]
        self.facts.add("step", message["t_ns"], attempt=line.hello["attempt"], rank=rank,
                       step=message["step"])
        if rank == 0:
            self._triggers.step(line.hello["attempt"], message["step"], message["t_ns"])

    def _on_worker_checkpoint(self, line: Line, message: Message) -> None:
        self.facts.add("checkpoint", message["t_ns"], attempt=line.hello["attempt"],
                       what=message["did"], step=message["step"])

    def _on_worker_returned(self, line: Line, message: Message) -> None:
        worker = self.attempt.workers.get(line.hello["rank"])
        if worker is not None and worker.pid == message["pid"]:
            worker.code = 0

    def _on_worker_gone(self, line: Line, message: Message) -> None:
        hello = line.hello
        worker = self.attempt.workers.get(hello["rank"])
        own = worker is not None and worker.pid == hello["pid"]
        self.facts.add("worker", message["t_ns"], attempt=hello["attempt"], rank=hello["rank"],
                       node=worker.node if worker and own else hello["node"], what="ended",
                       code=worker.code if worker and own else None)

    def interrupt(self) -> None:
        """Ctrl-C."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.submitter_pid(), signal.SIGINT)
