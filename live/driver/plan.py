"""The plan of a run, as `aftershock live` writes it to the standard input: one line of JSON."""
import json
import math
from typing import Any

Plan = dict[str, Any]

FORMAT = 1
_NUMBER = (int, float)
_TRIGGERS = ("at_s", "at_step", "when")


class Unfit(Exception):
    """A plan that cannot be carried out: the place in it, and why."""

    def __init__(self, place: str, why: str) -> None:
        super().__init__(f"{place}: {why}")


def read(line: str, backend: str) -> Plan:
    """The plan for that backend, with defaults in place. Raises Unfit."""
    try:
        plan = json.loads(line)
    except ValueError as error:
        raise Unfit("/", f"not JSON: {error}") from error
    if not isinstance(plan, dict) or plan.get("live") != FORMAT:
        raise Unfit("/live", f"expected a plan of format {FORMAT}")
    if plan.get("backend", backend) != backend:
        raise Unfit("/backend", f"the plan is for {plan['backend']}, this driver is {backend}")
    _positive(plan, "/until_s", "until_s")
    plan.setdefault("speed", 1.0)
    _positive(plan, "/speed", "speed")
    _cluster(_object(plan, "cluster"))
    _job(_object(plan, "job"))
    policy = _object(plan, "policy")
    policy.setdefault("config", {})
    faults = plan.setdefault("faults", [])
    names = [node["name"] for part in ("nodes", "spares") for node in plan["cluster"][part]]
    for at, fault in enumerate(faults):
        _fault(f"/faults/{at}", fault, names, plan["job"]["workers"])
    return plan


def _object(plan: Plan, name: str) -> Plan:
    value = plan.get(name)
    if not isinstance(value, dict):
        raise Unfit(f"/{name}", "expected an object")
    return value


def _positive(within: Plan, place: str, name: str, least: float = 0.0) -> None:
    value = within.get(name)
    if not isinstance(value, _NUMBER) or isinstance(value, bool) or not math.isfinite(value) \
            or value <= least:
        raise Unfit(place, f"got {json.dumps(value)}, expected a number above {least:g}")


def _cluster(cluster: Plan) -> None:
    cluster.setdefault("spares", [])
    for part in ("nodes", "spares"):
        for at, node in enumerate(cluster.get(part) or []):
            if not isinstance(node, dict) or not isinstance(node.get("name"), str):
                raise Unfit(f"/cluster/{part}/{at}", "expected an object with a name")
            node.setdefault("accelerators", 1)
    if not cluster.get("nodes"):
        raise Unfit("/cluster/nodes", "expected at least one node")
    names = [node["name"] for part in ("nodes", "spares") for node in cluster[part]]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise Unfit("/cluster", f"two nodes are named {twice[0]}")
    cluster.setdefault("replacement", "none")
    if cluster["replacement"] not in ("none", "now", "provision"):
        raise Unfit("/cluster/replacement", 'expected "none", "now" or "provision"')
    cluster.setdefault("provision_s", 0.0)
    cluster.setdefault("heartbeat_s", 5.0)
    cluster.setdefault("misses", 3)


def _job(job: Plan) -> None:
    job.setdefault("name", "job")
    _positive(job, "/job/workers", "workers")
    _positive(job, "/job/steps", "steps")
    _positive(job, "/job/step_s", "step_s")
    rule = job.get("checkpoint")
    if rule is not None and bool(rule.get("every_s")) == bool(rule.get("every_steps")):
        raise Unfit("/job/checkpoint", "expected either every_s or every_steps")
    for name in ("phases", "script", "env"):
        if job.get(name) is None:
            job[name] = {}


def _fault(place: str, fault: Any, names: list[str], workers: int) -> None:
    if not isinstance(fault, dict) or not isinstance(fault.get("kind"), str):
        raise Unfit(place, "expected an object with a kind")
    fault.setdefault("index", int(place.rpartition("/")[2]))
    given = [name for name in _TRIGGERS if fault.get(name) is not None]
    if len(given) != 1:
        raise Unfit(place, f"expected one of {', '.join(_TRIGGERS)}, got {len(given)}")
    target = fault.get("target")
    if not isinstance(target, dict) or len(target) != 1:
        raise Unfit(f"{place}/target", "expected an object with one member")
    name, value = next(iter(target.items()))
    if name == "node" and value not in names:
        raise Unfit(f"{place}/target/node", f"got {json.dumps(value)}, expected a node's name")
    if name == "rank" and not (isinstance(value, int) and 0 <= value < workers):
        raise Unfit(f"{place}/target/rank", f"got {json.dumps(value)}, expected a rank")
