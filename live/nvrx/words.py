"""The rules that decisions name: those of the hosted code (policies/external/hosts/nvrx)."""
from live.driver.facts import Fact

RESTARTS, CYCLES = "max_restarts", "max_no_progress_cycles"
STATES = ["INIT", "HEALTHY", "UNHEALTHY", "STOPPED", "SUCCEEDED", "FAILED", "SIGNAL"]
RESTART = "nvrx.launcher.restart"
JOIN = "nvrx.launcher.join"
EXHAUSTED = "nvrx.launcher.exhausted"
NO_PROGRESS = "nvrx.launcher.no_progress"
ROUND = "nvrx.rendezvous.round"
EXITED = "nvrx.launcher.exited"
SIGNAL = "nvrx.state.SIGNAL"
_ENDS = {"UnhealthyNodeException": "nvrx.rendezvous.unhealthy_node",
         "RendezvousTimeoutError": "nvrx.rendezvous.timeout",
         "RendezvousClosedError": "nvrx.rendezvous.closed",
         "TerminalWorkerGroupFailure": "nvrx.rendezvous.closed",
         "DistNetworkError": "nvrx.rendezvous.store_lost"}
_LAUNCHER = "fault_tolerance/launcher.py"
_BARRIER = "fault_tolerance/ft_rendezvous_barrier.py"


def end_rule(error: str) -> str:
    """The rule for a launcher that ends by this error."""
    return _ENDS.get(error, EXITED)


def rules(version: str) -> list[Fact]:
    """All of them, for NVRx of that version."""
    listed = [
        (RESTART, "Worker group UNHEALTHY or FAILED, attempts are left: will restart worker group",
         _LAUNCHER),
        (JOIN, "Joining cluster restart: another launcher has opened the next round", _LAUNCHER),
        (EXHAUSTED, "No more restarts: the launcher stops its own workers and fails", _LAUNCHER),
        (NO_PROGRESS, "EARLY TERMINATION: consecutive training cycles without progress",
         "fault_tolerance/progress_tracker.py"),
        (ROUND, "The store host has closed the round; those with an active rank start workers",
         _BARRIER),
        (EXITED, "The launcher has exited", _LAUNCHER)]
    listed += [(rule, f"A launcher ends by {error}", _BARRIER) for error, rule in _ENDS.items()
               if error != "TerminalWorkerGroupFailure"]
    listed += [(f"nvrx.state.{state}", f"The worker groups go to {state}", _LAUNCHER)
               for state in STATES]
    return [{"id": name, "sentence": sentence,
             "source": f"nvidia-resiliency-ext {version} {source}"}
            for name, sentence, source in listed]
