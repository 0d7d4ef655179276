"""What each kind of fault does to the processes of a run."""
import signal
import time
from collections.abc import Callable
from typing import Any

from live.driver.plan import Unfit
from live.driver.room import mount
from live.ray import processes
from live.ray.cluster import HEAD
from live.ray.session import Session
from live.ray.workers import Worker

Fault = dict[str, Any]
_FILLER = "filler"
_OF_NAMESPACES = ("partition", "one_way_partition", "full_disk")


class Faults:
    """Carries out the faults of one run."""

    def __init__(self, session: Session) -> None:
        self._run = session
        self._pressed = 0
        self._spares = [row["name"] for row in session.plan["cluster"].get("spares", [])]
        self._kinds: dict[str, Callable[[Fault], None]] = {
            "worker_crash": self._worker_crash, "hang": self._hang, "straggler": self._straggler,
            "node_crash": self._node_crash, "preemption": self._preemption,
            "partition": self._partition, "one_way_partition": self._one_way,
            "head_crash": self._head_crash, "policy_crash": self._policy_crash,
            "user_interrupt": self._user_interrupt, "full_disk": self._full_disk}

    def refuse(self) -> None:
        """Raises Unfit where one of the faults cannot be played."""
        for number, fault in enumerate(self._run.plan.get("faults", [])):
            where, kind = f"faults/{number}", fault["kind"]
            if kind not in self._kinds:
                raise Unfit(f"{where}/kind", f"Ray on real processes has no {kind}")
            if kind == "worker_crash" and fault.get("how") == "oom":
                raise Unfit(f"{where}/how", "workers have no memory cgroup of their own")
            if kind == "worker_crash" and fault.get("during"):
                raise Unfit(f"{where}/during", "the parts of a start are not told apart")
            if kind == "full_disk" and fault["target"].get("head"):
                raise Unfit(f"{where}/target", "the head has no disk of its own")
            if kind in _OF_NAMESPACES and not self._run.machines.several:
                raise Unfit(f"{where}/kind", f"{kind} needs namespaces")

    def strike(self, fault: Fault) -> None:
        """The fault is due now."""
        self._kinds[fault["kind"]](fault)

    # Facts:

    def _struck(self, fault: Fault, on: str, at_ns: int | None = None) -> None:
        self._run.latest_fault = fault["index"]
        self._run.facts.add("fault", at_ns, fault=fault["index"], what="struck", on=on, why="")

    def _missed(self, fault: Fault, why: str) -> None:
        self._run.facts.add("fault", fault=fault["index"], what="missed", on="", why=why)

    def _node(self, fault: Fault, name: str, what: str, at_ns: int | None = None) -> None:
        self._run.facts.add("node", at_ns, node=name, what=what, fault=fault["index"])

    def _later(self, fault: Fault, call: Callable[[], None], on: str) -> None:
        """Ends the fault when it has lasted."""
        def over() -> None:
            self._run.facts.add("fault", fault=fault["index"], what="over", on=on, why="")
            call()

        if fault.get("lasts_s") is not None:
            self._run.loop.after(fault["lasts_s"], over)

    # Targets:

    def _worker(self, fault: Fault) -> Worker | None:
        attempt, target = self._run.attempt, fault["target"]
        found = attempt.workers.get(target["rank"]) if "rank" in target else next(
            iter(attempt.on(target.get("node", ""))), None)
        if "job" in target:
            found = attempt.workers.get(0)
        if found is None and not attempt.settled:
            self._run.until_placed(fault)
        elif found is None:
            self._missed(fault, "its worker is not there")
        return found

    def _machine(self, fault: Fault) -> str:
        if "node" in fault["target"]:
            name = str(fault["target"]["node"])
        else:
            worker = self._worker(fault)
            if worker is None:
                return ""
            name = worker.node
        if self._run.machines.of[name].node is None:
            self._missed(fault, "the node is not there")
            return ""
        return name

    def _on(self, worker: Worker) -> str:
        return f"job:{self._run.plan['job']['name']}/rank:{worker.rank}"

    # Workers:

    def _worker_crash(self, fault: Fault) -> None:
        worker = self._worker(fault)
        if worker is None:
            return
        how, code = fault.get("how", "exception"), fault.get("exit_code", 1)
        if how == "exit" and code > 128:
            sent = signal.Signals(code - 128)
            worker.code = -sent
            self._struck(fault, self._on(worker))
            processes.kill([worker.pid], sent)
            return
        orders: dict[str, dict[str, Any]] = {
            "exception": {"do": "raise", "message": "injected by the scenario"},
            "error_without_exit": {"do": "hang"},
            "exit": {"do": "exit", "code": code} if code else {"do": "return"}}
        if worker.line is None:  # its function has not begun
            self._run.loop.after(0.02, lambda: self._worker_crash(fault))
            return
        worker.code = code if how == "exit" else None
        self._struck(fault, self._on(worker))
        worker.line.order(**orders[how])

    def _hang(self, fault: Fault) -> None:
        worker = self._worker(fault)
        if worker is None:
            return
        answers = fault.get("answers", True)
        if answers and worker.line is None:
            self._run.loop.after(0.02, lambda: self._hang(fault))
            return
        line, on = worker.line, self._on(worker)
        self._struck(fault, on)
        if answers and line is not None:
            line.order("hang")
            self._later(fault, lambda: _ordered(line.order("go_on")), on)
        else:
            processes.kill([worker.pid], signal.SIGSTOP)
            self._later(fault, lambda: processes.kill([worker.pid], signal.SIGCONT), on)

    def _straggler(self, fault: Fault) -> None:
        worker = self._worker(fault)
        if worker is None:
            return
        line = worker.line
        if line is None:
            self._run.loop.after(0.02, lambda: self._straggler(fault))
            return
        on = self._on(worker)
        self._struck(fault, on)
        line.order("slow", factor=fault.get("slowdown", 2.0))
        self._later(fault, lambda: _ordered(line.order("slow", factor=1.0)), on)

    # Nodes:

    def _node_crash(self, fault: Fault) -> None:
        name = self._machine(fault)
        if name:
            self._lose(fault, name, fault.get("connections") != "closed", struck=True)

    def _lose(self, fault: Fault, name: str, silent: bool, struck: bool) -> None:
        for worker in self._run.attempt.on(name):
            worker.code = -signal.SIGKILL
        at_ns = self._run.machines.lose(name, silent)
        if struck:
            self._struck(fault, f"node:{name}", at_ns)
        self._node(fault, name, "lost", at_ns)
        self._later(fault, lambda: self._bring(name, fault, "up"), f"node:{name}")
        self._replace(fault)

    def _bring(self, name: str, fault: Fault, what: str) -> None:
        self._run.background.run(lambda: self._run.machines.come_back(name),
                                 lambda: self._node(fault, name, what))

    def _replace(self, fault: Fault) -> None:
        cluster = self._run.plan["cluster"]
        how = cluster.get("replacement", "none")
        if how == "none" or not self._spares:
            return
        spare = self._spares.pop(0)
        wait_s = cluster.get("provision_s") or 0.0 if how == "provision" else 0.0
        self._run.loop.after(wait_s, lambda: self._bring(spare, fault, "added"))

    def _preemption(self, fault: Fault) -> None:
        if fault["target"].get("head"):
            self._head_crash(fault)
            return
        name = self._machine(fault)
        if not name:
            return
        notice_s, early_s = fault.get("notice_s"), fault.get("early_s") or 0.0
        told = fault.get("deadline_told", True)
        at_ns = time.monotonic_ns()
        deadline_ms = round(time.time() * 1000 + (notice_s or 0.0) * 1000) if told else 0

        def taken() -> None:
            self._lose(fault, name, silent=False, struck=False)

        def announced() -> None:
            self._run.loop.at(at_ns + round(((notice_s or 0.0) - early_s) * 1e9), taken)

        self._struck(fault, f"node:{name}", at_ns)
        self._node(fault, name, "draining", at_ns)
        self._run.background.run(lambda: self._run.machines.drain(name, deadline_ms), announced)

    def _partition(self, fault: Fault) -> None:
        name = self._machine(fault)
        if not name:
            return
        net = self._run.machines.of[name].net
        assert net is not None
        at_ns = time.monotonic_ns()
        net.cut()
        self._struck(fault, f"node:{name}", at_ns)
        self._node(fault, name, "cut", at_ns)
        self._later(fault, lambda: self._heal(fault, name, net.heal), f"node:{name}")

    def _one_way(self, fault: Fault) -> None:
        name = self._machine(fault)
        if not name:
            return
        net = self._run.machines.of[name].net
        assert net is not None
        direction = fault.get("direction", "outwards")
        at_ns = time.monotonic_ns()
        net.drop(direction)
        self._struck(fault, f"node:{name}", at_ns)
        self._node(fault, name, "cut", at_ns)
        self._later(fault, lambda: self._heal(fault, name, lambda: net.pass_again(direction)),
                    f"node:{name}")

    def _heal(self, fault: Fault, name: str, heal: Callable[[], None]) -> None:
        heal()
        self._node(fault, name, "healed")
        self._start_again(name, fault, 40)

    def _start_again(self, name: str, fault: Fault, looks: int) -> None:
        """A raylet that the head has given up ends itself once it hears of it. Whoever runs it
        starts it again, as systemd or the autoscaler does."""
        if self._run.machines.ended_itself(name):
            self._bring(name, fault, "up")
        elif looks:
            self._run.loop.after(0.5, lambda: self._start_again(name, fault, looks - 1))

    def _full_disk(self, fault: Fault) -> None:
        name = self._machine(fault)
        if not name:
            return
        filler = self._run.machines.of[name].disk / _FILLER
        self._struck(fault, f"node:{name}")
        try:
            with filler.open("wb", buffering=0) as file:
                while file.write(bytes(1 << 16)):
                    pass
        except OSError:
            pass  # it is full
        self._later(fault, lambda: filler.unlink(missing_ok=True), f"node:{name}")

    # The head, the controller, the user:

    def _head_crash(self, fault: Fault) -> None:
        head = self._run.plan["cluster"].get("head") or {}
        restart_s = head.get("restart_s")
        submitter = processes.below([self._run.submitter_pid()])
        if restart_s is not None:
            self._run.again = lambda: self._run.loop.after(
                restart_s, lambda: self._new_cluster(fault))
        at_ns = self._run.machines.lose(HEAD, silent=False)
        processes.kill(submitter)
        self._struck(fault, f"head:{head.get('name', HEAD)}", at_ns)

    def _new_cluster(self, fault: Fault) -> None:
        """A head that has lost its store knows none of its nodes: all are started anew."""
        self._run.machines.end()
        self._run.prepare()
        self._run.background.run(self._run.start_cluster, self._run.submit)
        self._run.facts.add("fault", fault=fault["index"], what="over", on="head", why="")

    def _policy_crash(self, fault: Fault) -> None:
        """Kills the controller's process; with a duration the user's program, which is run again
        after that: a controller does not outlive the program that has started it."""
        on = f"job:{self._run.plan['job']['name']}"
        if fault.get("lasts_s") is None:
            if not self._run.controller_pid:
                self._missed(fault, "there is no controller yet")
                return
            self._struck(fault, on)
            processes.kill([self._run.controller_pid])
            return

        def again() -> None:
            self._run.prepare()
            self._run.submit()

        self._run.again = lambda: self._run.loop.after(fault["lasts_s"], again)
        self._struck(fault, on)
        processes.kill(processes.below([self._run.submitter_pid()]))

    def _user_interrupt(self, fault: Fault) -> None:
        if self._pressed == 0:  # it is called for each of its times
            self._struck(fault, f"job:{self._run.plan['job']['name']}")
        self._pressed += 1
        self._run.interrupt()


def _ordered(_: bool) -> None:
    """A process that is gone needs no order."""


def limit_disks(session: Session) -> None:
    """Makes the disk of each node a small file system of its own. Raises OSError."""
    for name in session.machines.of:
        mount("tmpfs", session.machines.of[name].disk, "tmpfs", 0, "size=4m")
