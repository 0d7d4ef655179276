"""Faults of one worker's process."""
import signal
from collections.abc import Callable

from live.driver.memory import MemoryGroups
from live.ray import processes
from live.ray.striking import Fault, Striking
from live.ray.workers import Worker

_LOOK_S = 0.02


def crash(all_: Striking, fault: Fault) -> None:
    """Ends the worker as `how` says."""
    worker = all_.worker(fault)
    if worker is None:
        return
    how, code = fault.get("how") or "exception", fault.get("exit_code")
    code = 1 if code is None else code
    if how == "exit" and code > 128:
        sent = signal.Signals(code - 128)
        worker.code = -sent
        all_.struck(fault, all_.on(worker))
        processes.kill([worker.pid], sent)
        return
    line = worker.line
    if line is None:  # its function has not begun
        all_.run.loop.after(_LOOK_S, lambda: crash(all_, fault))
        return
    if how == "oom" and (why := _confine(all_, worker)):
        all_.missed(fault, why)
        return
    all_.struck(fault, all_.on(worker))
    if how == "exception":
        line.order("raise", message="injected by the scenario")
    elif how == "error_without_exit":
        line.order("hang")
    elif how == "oom":
        worker.code = -signal.SIGKILL
        line.order("allocate")
    elif code == 0:
        line.order("return")
    else:
        worker.code = code
        line.order("exit", code=code)


def _confine(all_: Striking, worker: Worker) -> str:
    """Takes the worker's memory; returns why not, or ""."""
    groups = MemoryGroups(all_.run.room.token, all_.run.loop)
    all_.run.at_end.append(groups.clean)
    try:
        groups.confine(worker.pid)
    except OSError as error:
        return f"a memory cgroup cannot be written: {error}"
    return ""


def hang(all_: Striking, fault: Fault) -> None:
    """The training stands still; one that does not answer is stopped as a whole."""
    worker = all_.worker(fault)
    if worker is None:
        return
    on = all_.on(worker)
    if not fault.get("answers", True):
        all_.struck(fault, on)
        processes.kill([worker.pid], signal.SIGSTOP)
        all_.later(fault, lambda: processes.kill([worker.pid], signal.SIGCONT), on)
        return
    _order(all_, fault, worker, hang, lambda line: line("hang"), lambda line: line("go_on"))


def straggle(all_: Striking, fault: Fault) -> None:
    """Steps of the worker take longer."""
    worker = all_.worker(fault)
    if worker is None:
        return
    factor = fault.get("slowdown") or 2.0
    _order(all_, fault, worker, straggle, lambda line: line("slow", factor=factor),
           lambda line: line("slow", factor=1.0))


def _order(all_: Striking, fault: Fault, worker: Worker,
           again: Callable[[Striking, Fault], None], begin: Callable[[Callable[..., bool]], object],
           end: Callable[[Callable[..., bool]], object]) -> None:
    line = worker.line
    if line is None:
        all_.run.loop.after(_LOOK_S, lambda: again(all_, fault))
        return
    all_.struck(fault, all_.on(worker))
    begin(line.order)
    all_.later(fault, lambda: end(line.order), all_.on(worker))
