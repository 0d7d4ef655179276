"""The training script of torchrun and NVRx: one rank, with gloo or without collectives.

AFTERSHOCK_LIVE_CHANNEL, _NODE, _JOB (the plan's "job") and _FOLDER (for checkpoints) are in its
environment, beside what the launcher sets.
"""
import datetime
import json
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

sys.path[0] = str(Path(__file__).resolve().parent.parent.parent)

from live.script import channel, checkpoints, core  # noqa: E402


def end_by_signal_after(seconds: float) -> None:
    """Makes SIGTERM end this process so much later, as a script does that cleans up."""
    # A thread waits for it: a handler of Python's would not run while the main thread is in a call
    # of the collective library, and the process would live until the launcher's SIGKILL.
    def end() -> None:
        signal.sigwait({signal.SIGTERM})
        time.sleep(seconds)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
        os.kill(os.getpid(), signal.SIGTERM)

    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    threading.Thread(target=end, daemon=True).start()


class Gloo:
    """The process group of torch, by gloo."""

    def __init__(self, timeout_s: float | None) -> None:
        import torch
        import torch.distributed
        self._torch = torch
        self._timeout_s = timeout_s

    def join(self) -> None:
        """As every script does, by what the launcher has put into the environment."""
        dist = self._torch.distributed
        named: dict[str, Any] = {}
        if self._timeout_s is not None:
            named["timeout"] = datetime.timedelta(seconds=self._timeout_s)
        dist.init_process_group("gloo", **named)

    def agree(self, mine: int) -> int:
        """An all-reduce."""
        bits = self._torch.tensor([mine], dtype=self._torch.int32)
        self._torch.distributed.all_reduce(bits, op=self._torch.distributed.ReduceOp.BOR)
        return int(bits.item())

    def leave(self) -> None:
        """The end of the process group."""
        self._torch.distributed.destroy_process_group()


# A process takes so long from its start to its rendezvous, of which torch's import takes 1.5 s.
_PROCESS_S = 2.0


def main() -> int:
    """Exit code 0 after the last step, or where it was told to return early."""
    job = json.loads(os.environ["AFTERSHOCK_LIVE_JOB"])
    rank = int(os.environ["RANK"])
    line = channel.Channel(os.environ[channel.PATH], role="worker",
                           node=os.environ[channel.NODE], rank=rank,
                           local_rank=int(os.environ.get("LOCAL_RANK", 0)),
                           world=int(os.environ["WORLD_SIZE"]),
                           restarts=int(os.environ.get("TORCHELASTIC_RESTART_COUNT", 0)))
    launched_ns = channel.started_ns()
    # The scenario's length has the agents' start and meeting, too, which take what they take.
    phases = job.setdefault("phases", {})
    phases["launching_s"] = min(phases.get("launching_s") or 0.0, _PROCESS_S)
    line.tell("phase", phase="launching", step=0)
    if job.get("phases", {}).get("tearing_down_s"):
        end_by_signal_after(job["phases"]["tearing_down_s"])
    transport: core.Transport = core.Alone()
    # There are no accelerators, and so no other library: what else is asked for becomes gloo.
    if job.get("collectives", "gloo") != "none":
        transport = Gloo(job.get("collective_timeout_s"))
    progress = os.environ.get("AFTERSHOCK_LIVE_PROGRESS")
    store = checkpoints.Files(Path(os.environ["AFTERSHOCK_LIVE_FOLDER"]),
                              (job.get("checkpoint") or {}).get("keep"),
                              Path(progress) if progress else None)
    try:
        core.Training(job, rank, line, transport, store).run(launched_ns)
    except BaseException as error:
        line.tell("raises", error=type(error).__name__, text=str(error)[:300])
        raise
    line.tell("returns")
    return 0


if __name__ == "__main__":
    sys.exit(main())
