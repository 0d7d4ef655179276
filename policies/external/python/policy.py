#!/usr/bin/env python3
"""A recovery policy in another process: restarts the whole job, a few times.

  aftershock run scenarios/quickstart.json --policy-cmd 'python3 policies/external/python/policy.py'

Copy it, and change the class. Standard output belongs to the protocol: print to stderr.
"""
import difflib
import json
import sys


class Policy:
    """A method for each type of event that it answers, named as that; all others begin with _."""

    RULES = {
        "mine.start": "A job that was submitted, or whose workers are gone, is started.",
        "mine.stop": "Where a worker or a start fails, all are stopped.",
        "mine.abort": "A stop that somebody asks for ends the job.",
        "mine.give_up": "More failures than max_failures are too many.",
        "mine.finish": "When all workers have returned the job is complete.",
    }

    # With "1.1" the messages say more: what the host has given back, and which batch is a poll.
    PROTOCOL = "1.0"

    # num_to_keep is of a scenario with Ray Train's policy: the job's checkpoint.keep, which its
    # script sees to.
    SETTINGS = ("max_failures", "num_to_keep")

    def __init__(self, world):
        limit = world["policy"]["config"].get("max_failures", 3)
        self.limit = None if limit < 0 else limit  # -1: no limit
        self.failures = self.epoch = self.commands = self.workers = self.job = 0
        self.stopping = False

    def controller_started(self, event):
        self.job = event["job"]  # a scenario may have several, with a policy each
        self.epoch = event["epoch"]  # attempts count on from those of a process before this one

    def job_submitted(self, event):
        self.workers = event["workers"]
        return self._start()

    def workers_stopped(self, event):
        return self._start() if self._is_now(event) and self.stopping else None

    def workers_failed(self, event):
        if not self._is_now(event) or self.stopping:
            return None  # of workers that are gone or being stopped: counted already
        self.failures += 1
        exhausted = self.limit is not None and self.failures > self.limit
        charged = {"budget": "max_failures", "cause": "application", "used": self.failures,
                   "limit": self.limit, "exhausted": exhausted}
        if exhausted:
            return self._step("mine.give_up", charged, type="fail",
                              reason="exhausted(max_failures)")
        self.stopping = True
        return self._step("mine.stop", charged, type="stop_workers", epoch=self.epoch)

    attempt_start_failed = workers_failed  # what it still has goes when it is stopped

    def stop_requested(self, event):
        return self._step("mine.abort", type="fail", reason="stopped_by_user")

    def workers_finished(self, event):
        return self._step("mine.finish", type="complete") if self._is_now(event) else None

    def _is_now(self, event):
        """Messages may be late: of an attempt before this one."""
        return event["epoch"] == self.epoch

    def _start(self):
        self.stopping = False
        self.epoch += 1
        return self._step("mine.start", type="start_attempt", epoch=self.epoch,
                          workers=self.workers)

    def _step(self, rule, *budgets, **command):
        self.commands += 1
        return {"rule": rule, "budgets": budgets,
                "commands": [{"id": self.commands, "job": self.job, **command}]}


def answers(policy):
    """The types of events that it has a method for: it is not asked about others."""
    return [name for name in dir(policy) if name[0].islower()
            and callable(getattr(policy, name))]


def wrong_settings(config):
    """What `refused` says of them, shown with file and line; nothing where all are right."""
    issues = [_issue(name, "no such setting", "max_failures",
                     *difflib.get_close_matches(name, Policy.SETTINGS, 1))
              for name in config if name not in Policy.SETTINGS]
    limit = config.get("max_failures", 0)
    if type(limit) is not int or limit < -1:  # a bool is an int, too
        issues.append(_issue("max_failures", f"got {json.dumps(limit)}",
                             "an integer of at least -1, which means no limit"))
    return issues


def _issue(name, message, expected, nearest=""):
    pointer = "/config/" + name.replace("~", "~0").replace("/", "~1")
    return {"pointer": pointer, "message": message, "expected": expected, "nearest": nearest}


def decide(policy, message):
    handlers = [(getattr(policy, event["type"], None), event) for event in message["events"]]
    steps = [handler(event) for handler, event in handlers if handler]
    return {"type": "decide", "seq": message["seq"], "steps": [step for step in steps if step],
            "watch": {"futures": {"epoch": policy.epoch}}}


def answer(message, policy):
    """What is answered to a message, and the policy from then on."""
    if message["type"] == "batch":
        return decide(policy, message), policy
    if message["type"] == "hello":
        return {"type": "hello_ok", "protocol": Policy.PROTOCOL, "name": "mine",
                "features": ["reset"]}, None
    if message["type"] == "world":
        if issues := wrong_settings(message["policy"]["config"]):
            return {"type": "refused", "issues": issues}, None
        policy = Policy(message)
        rules = [{"id": rule, "sentence": text} for rule, text in Policy.RULES.items()]
        budgets = [{"name": "max_failures", "limit": policy.limit}]
        return {"type": "ready", "name": "mine", "profile": "1", "rules": rules,
                "budgets": budgets, "commits_checkpoints": False,
                "events": answers(policy)}, policy
    return {"type": "reset_ok" if message["type"] == "reset" else "bye"}, None


def main():
    policy = None
    encode = json.JSONEncoder(separators=(",", ":")).encode
    for line in sys.stdin:
        reply, policy = answer(json.loads(line), policy)
        sys.stdout.write(encode(reply) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
