"""Faults of nodes, of their links and of their disks."""
import contextlib
import signal
import time
from collections.abc import Callable

from live.ray.nets import Net
from live.ray.striking import Fault, Striking

_FILLER = "filler"
_OWN_LINK = "its sockets close: without namespaces a node has no link of its own"
_LOOK_S = 0.5
_LOOKS = 60


def crash(all_: Striking, fault: Fault) -> None:
    """All processes of the node are killed. A silent one has lost its link before."""
    if name := all_.machine(fault):
        _lose(all_, fault, name, fault.get("connections") != "closed", struck=True)


def _lose(all_: Striking, fault: Fault, name: str, silent: bool, struck: bool) -> None:
    _goes(all_, name)
    at_ns = all_.run.machines.lose(name, silent)
    if struck:
        closes = silent and not all_.run.machines.linked
        all_.struck(fault, f"node:{name}", at_ns, _OWN_LINK if closes else "")
    all_.node_is(fault, name, "lost", at_ns)
    _comes_again(all_, fault, name)


def _goes(all_: Striking, name: str) -> None:
    for worker in all_.run.attempt.on(name):
        worker.code = -signal.SIGKILL


def _comes_again(all_: Striking, fault: Fault, name: str) -> None:
    all_.later(fault, lambda: _bring(all_, fault, name, "up"), f"node:{name}")
    _replace(all_, fault, name)


def _shut_down(all_: Striking, fault: Fault, name: str) -> None:
    """The machine goes at the time that it was told, and its system ends what runs on it."""
    _goes(all_, name)
    all_.node_is(fault, name, "lost")
    all_.run.background.run(lambda: all_.run.machines.shut_down(name),
                            lambda: _comes_again(all_, fault, name))


def _bring(all_: Striking, fault: Fault, name: str, what: str) -> None:
    all_.run.background.run(lambda: all_.run.machines.come_back(name),
                            lambda: all_.node_is(fault, name, what))


def _replace(all_: Striking, fault: Fault, name: str) -> None:
    """Spares are in the cluster already. Another machine of the same name comes once heartbeats
    have missed the lost one, where somebody has it."""
    cluster = all_.run.plan["cluster"]
    how = cluster.get("replacement", "none")
    if how == "none" or fault.get("lasts_s") is not None:
        return
    noticed_s = cluster.get("heartbeat_s", 0.0) * cluster.get("misses", 0)
    wait_s = cluster.get("provision_s") or 0.0 if how == "provision" else 0.0
    all_.run.loop.after(noticed_s + wait_s, lambda: _bring(all_, fault, name, "added"))


def preempt(all_: Striking, fault: Fault) -> None:
    """Drains the node with Ray's own call, and takes it away: at the end of the notice its machine
    shuts down, before that it is gone at once. Without notice the deadline is now."""
    name = all_.machine(fault)
    if not name:
        return
    notice_s = fault.get("notice_s") or 0.0
    deadline_ms = 0
    if fault.get("deadline_told", True):
        deadline_ms = round((time.time() + notice_s) * 1000)
    at_ns = time.monotonic_ns()
    taken_ns = at_ns + round((notice_s - (fault.get("early_s") or 0.0)) * 1e9)

    def taken() -> None:
        if notice_s and not fault.get("early_s"):
            _shut_down(all_, fault, name)
        else:
            _lose(all_, fault, name, silent=False, struck=False)

    def announced() -> None:
        all_.run.loop.at(taken_ns, taken)

    all_.struck(fault, f"node:{name}", at_ns)
    all_.node_is(fault, name, "draining", at_ns)
    all_.run.background.run(lambda: all_.run.machines.drain(name, deadline_ms), announced)


def cut(all_: Striking, fault: Fault) -> None:
    """The link of the node is down."""
    _cut(all_, fault, lambda net: net.cut(), lambda net: net.heal())


def cut_one_way(all_: Striking, fault: Fault) -> None:
    """What goes one way is lost."""
    direction = fault.get("direction") or "outwards"
    _cut(all_, fault, lambda net: net.drop(direction), lambda net: net.pass_again(direction))


def _cut(all_: Striking, fault: Fault, begin: Callable[[Net], None],
         end: Callable[[Net], None]) -> None:
    name = all_.machine(fault)
    net = all_.run.machines.of[name].net if name else None
    if net is None:
        return
    at_ns = time.monotonic_ns()
    begin(net)
    all_.struck(fault, f"node:{name}", at_ns)
    all_.node_is(fault, name, "cut", at_ns)

    def heal() -> None:
        end(net)
        all_.node_is(fault, name, "healed")
        _start_again(all_, fault, name, _LOOKS)

    all_.later(fault, heal, f"node:{name}")


def _start_again(all_: Striking, fault: Fault, name: str, looks: int) -> None:
    """A raylet that the head has given up ends itself once it hears of it. Whoever runs it starts
    it again, as systemd or an autoscaler does."""
    if all_.run.machines.ended_itself(name):
        _bring(all_, fault, name, "up")
    elif looks:
        all_.run.loop.after(_LOOK_S, lambda: _start_again(all_, fault, name, looks - 1))


def fill_disk(all_: Striking, fault: Fault) -> None:
    """Nothing more fits on the node's disk."""
    name = all_.machine(fault)
    if not name:
        return
    filler = all_.run.machines.of[name].disk / _FILLER
    all_.struck(fault, f"node:{name}")
    with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
        while file.write(bytes(1 << 16)):
            pass
    all_.later(fault, lambda: filler.unlink(missing_ok=True), f"node:{name}")
