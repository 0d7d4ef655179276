#!/usr/bin/env python3
"""The rooms that hosts share, without any of the packages that they host."""
import io
import json
import sys
import unittest
from pathlib import Path
from types import SimpleNamespace
from typing import Any

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "policies" / "external" / "hosts"))

from hosting.baton import Baton, Ended  # noqa: E402
from hosting.doubles import put  # noqa: E402
from hosting.messages import Loop, Message, Refused, issue, pointer  # noqa: E402
from hosting.ranks import ranks_of  # noqa: E402


class BatonTest(unittest.TestCase):
    def test_hands_over_at_each_wait_and_says_how_the_body_ended(self) -> None:
        said: list[Any] = []

        def body() -> None:
            said.append(baton.wait("first"))
            said.append(baton.wait("second"))

        baton = Baton(body)
        self.assertEqual(baton.resume(), "first")
        self.assertEqual(said, [])
        self.assertEqual(baton.resume(1), "second")
        self.assertEqual(said, [1])
        ended = baton.resume(2)
        self.assertIsInstance(ended, Ended)
        self.assertIsNone(ended.error)
        self.assertEqual(said, [1, 2])
        self.assertRaises(RuntimeError, baton.resume)

    def test_tells_of_what_the_body_raised(self) -> None:
        def body() -> None:
            raise ValueError("it")

        self.assertEqual(str(Baton(body).resume().error), "it")

    def test_abandoned_body_unwinds_also_where_its_clean_up_waits(self) -> None:
        passed: list[str] = []

        def body() -> None:
            try:
                baton.wait("work")
            except Exception:  # noqa: BLE001 - as careless code has it
                passed.append("held")
            finally:
                passed.append("clean-up")
                baton.wait("clean-up")

        baton = Baton(body)
        baton.resume()
        baton.abandon()
        baton.abandon()
        self.assertEqual(passed, ["clean-up"])


class RanksTest(unittest.TestCase):
    def test_takes_single_ranks_and_ranges(self) -> None:
        rows: list[tuple[list[int | list[int]], list[int]]]
        rows = [([], []), ([7], [7]), ([[0, 3]], [0, 1, 2, 3]),
                ([[0, 1], 4, [6, 6]], [0, 1, 4, 6])]
        for spelled, ranks in rows:
            with self.subTest(spelled=spelled):
                self.assertEqual(ranks_of(spelled), ranks)


class DoublesTest(unittest.TestCase):
    def test_replaces_only_what_is_there(self) -> None:
        module = SimpleNamespace(clock=1)
        put(module, clock=2)
        self.assertEqual(module.clock, 2)
        self.assertRaises(AttributeError, put, module, sleep=3)


class Run:
    """A run that answers with what it was asked."""

    ended = 0

    def __init__(self, world: Message) -> None:
        if world["policy"]["config"]:
            raise Refused([issue(pointer("config", "a/b"), "no such setting", "none")])

    def ready(self) -> Message:
        return {"name": "run"}

    def decide(self, batch: Message) -> Message:
        return {"steps": batch["events"]}

    def durable(self) -> Any:
        return {"kept": 1}

    def end(self) -> None:
        Run.ended += 1


def world(config: dict[str, Any]) -> Message:
    return {"type": "world", "policy": {"config": config}}


class LoopTest(unittest.TestCase):
    def test_answers_each_message(self) -> None:
        loop = Loop("mine", "1.2", Run)
        Run.ended = 0
        for message, answer in (
            ({"type": "hello"}, {"type": "hello_ok", "protocol": "1.0", "name": "mine",
                                 "version": "1.2", "features": ["reset", "durable"]}),
            (world({"a/b": 1}), {"type": "refused", "issues": [
                {"pointer": "/config/a~1b", "message": "no such setting", "expected": "none",
                 "nearest": ""}]}),
            (world({}), {"type": "ready", "name": "run"}),
            ({"type": "batch", "seq": 3, "events": []},
             {"type": "decide", "seq": 3, "steps": []}),
            ({"type": "ask", "what": "durable"}, {"type": "answer", "what": "durable",
                                                  "durable": {"kept": 1}, "stored_us": None}),
            ({"type": "reset"}, {"type": "reset_ok"}),
            ({"type": "sing"}, {"type": "error", "message": "no such message: sing"}),
            ({"type": "end"}, {"type": "bye"}),
        ):
            with self.subTest(message=message):
                self.assertEqual(loop.answer(json.loads(json.dumps(message))), answer)
        self.assertEqual(Run.ended, 1)


if __name__ == "__main__":
    unittest.main(testRunner=unittest.TextTestRunner(stream=io.TextIOWrapper(
        sys.stdout.buffer, write_through=True)))
