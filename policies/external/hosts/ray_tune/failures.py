"""The errors that Ray raises for the causes in trials_failed."""
from typing import Any

from ray.exceptions import (
    ActorDiedError,
    ActorUnavailableError,
    RayActorError,
    RayTaskError,
)

from hosting.messages import Message
from ray_tune.cluster import ActorDied

# Ends of the process; of all others only the task has failed.
DEATHS = ("exit", "out_of_memory", "node_lost", "accelerator_fault")
_DIED = {cls.__name__ for cls in (RayActorError, ActorDiedError, ActorUnavailableError)}


def cause(event: Message) -> str:
    """The word of the messages for what went wrong. Tune itself does not ask."""
    if event["preempted"]:
        return "preemption"
    if event["kind"] in ("node_lost", "accelerator_fault"):
        return "node"
    return "storage" if event["restoring"] else "application"


def exception(event: Message) -> Exception:
    """The error of a call of the trial's actor."""
    if event["kind"] in DEATHS:
        return ActorDied(event["preempted"])
    name = event.get("error") or "TrainingError"
    raised: Exception = (ActorDied(event["preempted"]) if name in _DIED
                         else type(name, (Exception,), {})("raised by the trainable"))
    failed_task: Any = RayTaskError
    error: Exception = failed_task("train", f"{name}: raised by the trainable", raised)
    return error
