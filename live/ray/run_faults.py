"""Faults of the head, of the controller, of what the run keeps in storage, and the user."""
import os
from pathlib import Path

from live.ray import processes
from live.ray.cluster import HEAD
from live.ray.striking import Fault, Striking

_SNAPSHOT = "checkpoint_manager_snapshot.json"


def crash_head(all_: Striking, fault: Fault) -> None:
    """The head goes with the user's program and the controller; nodes stay without one. A head
    that is started again has lost its store and knows none of them: all are started anew."""
    run = all_.run
    head = run.plan["cluster"].get("head") or {}
    restart_s = head.get("restart_s")

    def begin() -> None:
        run.machines.end()
        run.prepare()
        run.background.run(run.start_cluster, run.submit)
        run.facts.add("fault", fault=fault["index"], what="over", on=on, why="")

    on = f"head:{head.get('name') or HEAD}"
    doomed = processes.below([run.submitter_pid()])
    if restart_s is not None:
        run.again = lambda: run.loop.after(restart_s, begin)
    at_ns = run.machines.lose(HEAD, silent=False)
    processes.kill(doomed)
    all_.struck(fault, on, at_ns)


def crash_controller(all_: Striking, fault: Fault) -> None:
    """Kills the controller's process; with a duration the user's program, which is run again after
    that: a controller does not outlive the program that has started it."""
    run = all_.run
    lasts_s = fault.get("lasts_s")
    if lasts_s is None:
        if not run.controller_pid:
            all_.missed(fault, "the controller is not there yet")
            return
        all_.struck(fault, all_.job)
        processes.kill([run.controller_pid])
        return

    def begin() -> None:
        run.prepare()
        run.submit()
        run.facts.add("fault", fault=fault["index"], what="over", on=all_.job, why="")

    run.again = lambda: run.loop.after(lasts_s, begin)
    all_.struck(fault, all_.job)
    processes.kill(processes.below([run.submitter_pid()]))


def interrupt(all_: Striking, fault: Fault) -> None:
    """Ctrl-C. It is called for each of its times, and tells of the first."""
    if fault["index"] not in all_.run.pressed:
        all_.run.pressed.append(fault["index"])
        all_.struck(fault, all_.job)
    all_.run.interrupt()


def spoil(all_: Striking, fault: Fault) -> None:
    """Of the newest checkpoint, or of the controller's snapshot."""
    kept = Path(all_.run.storage, all_.run.plan["job"]["name"])
    if fault["kind"] == "torn_snapshot":
        files = [kept / _SNAPSHOT] if (kept / _SNAPSHOT).exists() else []
    else:
        files = sorted(kept.glob("checkpoint_*/*.ckpt"), key=lambda path: int(path.stem))
    if not files:
        all_.missed(fault, "there is nothing in storage yet")
        return
    file = files[-1]
    if fault["kind"] == "deleted_checkpoint":
        file.unlink()
        file.parent.rmdir()
    elif fault["kind"] == "corrupt_checkpoint":
        with file.open("r+b") as opened:
            opened.seek(1000)
            opened.write(b"\xff" * 16)
    else:
        os.truncate(file, file.stat().st_size // 2)
    all_.struck(fault, all_.job if fault["kind"] == "torn_snapshot"
                else f"checkpoint:{file.stem}")
