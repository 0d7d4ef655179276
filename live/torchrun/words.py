"""The rules that decisions name: those of the hosted code (policies/external/hosts/torchrun)."""
from live.driver.facts import Fact

BUDGET = "max_restarts"
STATES = ["INIT", "HEALTHY", "STOPPED", "SUCCEEDED", "FAILED", "SIGNAL"]
INIT, HEALTHY, STOPPED, SUCCEEDED, FAILED, SIGNALLED = STATES
RESTARTS = "torchrun.FAILED.will_restart"
GIVES_UP = "torchrun.FAILED.no_attempts_left"
MEMBERS = "torchrun.HEALTHY.new_nodes"
COMPLETE = "torchrun.rendezvous.complete"
BARRIER = "torchrun.SUCCEEDED.exit_barrier"
SIGNAL = "torchrun.SignalException"
DEAD = "torchrun.rendezvous.dead_node"
ACT = "torchrun.act"
_ERRORS = ("RendezvousClosedError", "RendezvousConnectionError", "RendezvousError",
           "RendezvousGracefulExitError", "RendezvousStateError", "RendezvousTimeoutError")
_AGENT = "elastic/agent/server/api.py"
_RENDEZVOUS = "elastic/rendezvous/dynamic_rendezvous.py"


def error_rule(name: str) -> str:
    """The rule for an agent that ends by this error."""
    return f"torchrun.rendezvous.{name}" if name in _ERRORS else ACT


def rules(version: str) -> list[Fact]:
    """All of them, for torch of that version."""
    listed = [
        (RESTARTS, "A worker group FAILED with attempts left; the agent will restart it", _AGENT),
        (GIVES_UP, "A worker group FAILED and no attempts are left: the agent ends", _AGENT),
        (MEMBERS, "New nodes are waiting: the agent will restart its worker group", _AGENT),
        (COMPLETE, "A round of the rendezvous is complete: the agents start their workers",
         _RENDEZVOUS),
        (BARRIER, "A worker group SUCCEEDED, and its agent waits for the others", _AGENT),
        (SIGNAL, "A signal ends an agent and its workers", _AGENT),
        (DEAD, "A node whose keep-alives stay away is removed from the rendezvous", _RENDEZVOUS)]
    listed += [(f"torchrun.rendezvous.{name}", f"An agent ends by a {name}",
                "elastic/rendezvous/api.py") for name in _ERRORS]
    listed += [(f"torchrun.state.{state}", f"The worker groups are {state}", _AGENT)
               for state in STATES]
    listed += [(ACT, "The agents act, and stay in their state", _AGENT)]
    return [{"id": name, "sentence": sentence, "source": f"torch {version} {source}"}
            for name, sentence, source in listed]
