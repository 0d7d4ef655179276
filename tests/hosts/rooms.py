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

from hosting import clocks  # noqa: E402
from hosting.baton import Baton, Ended  # noqa: E402
from hosting.doubles import put  # noqa: E402
from hosting.messages import Loop, Message, Refused, issue, pointer  # noqa: E402
from hosting.ranks import ranks_of  # noqa: E402
from hosting.store import Shelf, Store, StoreTimeout  # noqa: E402
from hosting.tasks import Event, Lock, Still, Tasks, microseconds  # noqa: E402


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


_SECOND_US = 1_000_000


class TasksTest(unittest.TestCase):
    def setUp(self) -> None:
        self.tasks = Tasks()
        self.said: list[tuple[int, str]] = []

    def say(self, word: str) -> None:
        self.said.append((self.tasks.now_us // _SECOND_US, word))

    def sleeper(self, word: str, *seconds: float) -> None:
        """A task that sleeps so long again and again, and says the word after each."""
        def body() -> None:
            for each in seconds:
                self.tasks.sleep(each)
                self.say(word)

        self.tasks.spawn(word, body)

    def test_the_earliest_moves_and_of_one_moment_the_one_that_waited_first(self) -> None:
        self.sleeper("a", 2, 2)
        self.sleeper("b", 1, 3)
        self.sleeper("c", 4)
        self.tasks.run_until(10 * _SECOND_US)
        self.assertEqual(self.said, [(1, "b"), (2, "a"), (4, "c"), (4, "b"), (4, "a")])
        self.assertEqual(self.tasks.now_us, 10 * _SECOND_US)
        self.assertEqual(self.tasks.all, [])

    def test_runs_until_a_time_with_or_without_it_and_knows_the_next(self) -> None:
        self.sleeper("a", 2, 3)
        self.assertEqual(self.tasks.next_us(), 0)
        self.tasks.run_until(2 * _SECOND_US, including=False)
        self.assertEqual((self.said, self.tasks.next_us()), ([], 2 * _SECOND_US))
        self.tasks.run_until(2 * _SECOND_US)
        self.assertEqual((self.said, self.tasks.next_us()), ([(2, "a")], 5 * _SECOND_US))

    def test_a_paused_group_stands_still_and_goes_on_when_it_is_resumed(self) -> None:
        self.sleeper("a", 2, 3)
        self.sleeper("b", 4)
        self.tasks.run_until(2 * _SECOND_US)
        self.tasks.pause("a")
        self.assertEqual(self.tasks.next_us(), 4 * _SECOND_US)
        self.tasks.run_until(7 * _SECOND_US)
        self.assertEqual(self.said, [(2, "a"), (4, "b")])
        self.tasks.resume("a")
        self.tasks.run_until(8 * _SECOND_US)
        self.assertEqual(self.said, [(2, "a"), (4, "b"), (7, "a")])

    def test_a_paused_group_can_be_ended(self) -> None:
        self.sleeper("a", 2)
        self.tasks.run_until(1 * _SECOND_US)
        self.tasks.pause("a")
        self.tasks.run_until(3 * _SECOND_US)
        self.tasks.kill("a")
        self.assertEqual((self.said, self.tasks.all), ([], []))
        self.tasks.resume("a")
        self.assertIsNone(self.tasks.next_us())

    def test_leap_goes_over_polls_and_keeps_the_order_of_a_moment(self) -> None:
        self.sleeper("a", *[3] * 8)
        self.sleeper("b", *[1] * 24)
        still = {"a": 3 * _SECOND_US, "b": _SECOND_US}
        self.tasks.run_until(0)
        self.tasks.leap(20 * _SECOND_US, lambda task: Still(still[task.name], 24 * _SECOND_US))
        self.assertEqual(self.tasks.due_us(
            lambda task: Still(still[task.name], 22 * _SECOND_US)), 22 * _SECOND_US)
        self.tasks.run_until(24 * _SECOND_US)
        self.assertEqual(self.said[:3], [(20, "b"), (21, "a"), (21, "b")])

    def test_event_ends_waits_at_once_and_a_wait_ends_without_it(self) -> None:
        event = Event(self.tasks)
        waited: list[bool] = []

        def waits(word: str, seconds: float) -> None:
            waited.append(event.wait(seconds))
            self.say(word)

        def sets() -> None:
            self.tasks.sleep(3)
            event.set()
            self.say("set")

        self.tasks.spawn("long", lambda: waits("long", 10))
        self.tasks.spawn("short", lambda: waits("short", 1))
        self.tasks.spawn("sets", sets)
        self.tasks.run_until(10 * _SECOND_US)
        self.assertEqual(self.said, [(1, "short"), (3, "set"), (3, "long")])
        self.assertEqual(waited, [False, True])

    def test_lock_is_had_by_one_at_a_time_also_while_that_one_sleeps(self) -> None:
        lock = Lock(self.tasks)

        def holds(word: str, seconds: float) -> None:
            with lock:
                self.tasks.sleep(seconds)
                self.say(word)

        self.tasks.spawn("a", lambda: holds("a", 3))
        self.tasks.spawn("b", lambda: holds("b", 2))
        self.tasks.run_until(_SECOND_US)
        self.assertTrue(lock.locked())
        self.assertFalse(lock.acquire(blocking=False))
        self.tasks.run_until(10 * _SECOND_US)
        self.assertEqual(self.said, [(3, "a"), (5, "b")])
        self.assertFalse(lock.locked())

    def test_interrupt_raises_where_the_task_stands(self) -> None:
        def body() -> None:
            try:
                self.tasks.sleep(100)
            except KeyError:
                self.say("heard")
            self.tasks.sleep(1)
            raise ValueError("it")

        task = self.tasks.spawn("a", body)
        self.tasks.run_until(5 * _SECOND_US)
        self.tasks.interrupt(task, KeyError())
        self.tasks.run_until(20 * _SECOND_US)
        self.assertEqual(self.said, [(5, "heard")])
        self.assertEqual([str(task.error) for task in self.tasks.raised], ["it"])

    def test_kill_ends_a_group_with_its_threads_and_no_other(self) -> None:
        threading = clocks.threading_module(self.tasks)

        def body() -> None:
            thread = threading.Thread(target=lambda: self.tasks.sleep(50), daemon=True)
            thread.start()
            try:
                thread.join()
            finally:
                self.say("clean-up")
                self.tasks.sleep(1)
                self.say("never")

        self.tasks.spawn("one", body)
        self.sleeper("other", 8)
        self.tasks.run_until(5 * _SECOND_US)
        self.tasks.kill("one")
        self.assertEqual([task.name for task in self.tasks.all], ["other"])
        self.tasks.run_until(9 * _SECOND_US)
        self.assertEqual(self.said, [(5, "clean-up"), (8, "other")])
        self.sleeper("late", 8)
        self.tasks.kill()
        self.assertEqual(self.tasks.all, [])

    def test_doubles_of_time_and_datetime_go_by_it(self) -> None:
        time, moment = clocks.time_module(self.tasks), clocks.datetime_class(self.tasks)
        wall, now = time.time(), moment.now()
        self.tasks.spawn("a", lambda: time.sleep(1.5))
        self.tasks.run_until(microseconds(1.5))
        self.assertEqual(time.monotonic(), 1.5)
        self.assertEqual(time.time() - wall, 1.5)
        self.assertEqual((moment.now() - now).total_seconds(), 1.5)


class StoreTest(unittest.TestCase):
    def setUp(self) -> None:
        self.tasks = Tasks()
        self.shelf = Shelf(self.tasks)
        self.store = Store(self.shelf, timeout_s=5)

    def outcome(self, call: Any) -> list[Any]:
        """Result or exception of a call in a task, and when it was over; grows as time goes on."""
        told: list[Any] = []

        def body() -> None:
            try:
                told.append(call())
            except Exception as error:  # noqa: BLE001 - it is what is asked for
                told.append(type(error))
            told.append(self.tasks.now_us // _SECOND_US)

        self.tasks.spawn("caller", body)
        return told

    def test_values_are_bytes_and_numbers_are_added_to(self) -> None:
        store = self.store.with_prefix("run").with_prefix("0")
        store.set("a", "text")
        store.append("a", b"+")
        self.assertEqual(self.shelf.values, {"run/0/a": b"text+"})
        self.assertEqual([store.add("n", 2), store.add("n", -1)], [2, 1])
        for expected, desired, then in (("", "1", b"1"), ("2", "3", b"1"), ("1", "3", b"3")):
            self.assertEqual(store.compare_set("c", expected, desired), then)
        self.assertEqual(store.compare_set("none", "2", "3"), b"2")
        self.assertEqual((store.check(["a", "c"]), store.check(["none"])), (True, False))
        self.assertEqual((store.delete_key("a"), store.delete_key("a")), (True, False))

    def test_waits_until_all_keys_are_there_or_for_its_limit(self) -> None:
        both = self.outcome(lambda: self.store.multi_get(["a", "b"]))
        none = self.outcome(lambda: self.store.get("c"))
        self.tasks.run_until(_SECOND_US)
        self.store.set("a", "1")
        self.tasks.run_until(3 * _SECOND_US)
        self.store.multi_set(["b"], ["2"])
        self.tasks.run_until(9 * _SECOND_US)
        self.assertEqual((both, none), ([[b"1", b"2"], 3], [StoreTimeout, 5]))

    def test_client_that_is_cut_off_gets_its_error_also_while_it_waits(self) -> None:
        reason: list[Exception] = []
        cut = Store(self.shelf, unreachable=lambda: reason[0] if reason else None)
        waits = self.outcome(lambda: cut.wait(["a"]))
        self.tasks.run_until(2 * _SECOND_US)
        reason.append(ConnectionError("reset"))
        self.shelf.stir()
        self.tasks.run_until(2 * _SECOND_US)
        self.assertEqual(waits, [ConnectionError, 2])
        self.assertRaises(ConnectionError, cut.add, "n", 1)
        self.assertEqual(self.store.add("n", 1), 1)


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
