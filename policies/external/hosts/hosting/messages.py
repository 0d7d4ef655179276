"""The simulator's messages on standard input and output: one JSON object a line each way.

policies/external/README.md says what they are. A host gives a class whose instances decide one run
each; this loop reads, asks it, and answers. Standard output belongs to the messages, so that what
the hosted code prints goes to standard error.
"""
import json
import os
import sys
import traceback
from collections.abc import Callable
from typing import Any, Protocol, TextIO

Message = dict[str, Any]


class Refused(Exception):
    """The scenario's settings cannot be hosted. `issues` are as the messages have them."""

    def __init__(self, issues: list[Message]) -> None:
        super().__init__(issues)
        self.issues = issues


class Run(Protocol):
    """The hosted code of one run."""

    def ready(self) -> Message:
        """The `ready` message, without its type."""

    def decide(self, batch: Message) -> Message:
        """The `decide` message that answers the batch, without type and seq."""

    def durable(self) -> Any:
        """The JSON value that the hosted code has stored last; "" for nothing."""

    def end(self) -> None:
        """The run is over, wherever it stands."""


def pointer(*names: str) -> str:
    """The JSON pointer of these members, one in the other."""
    return "".join("/" + name.replace("~", "~0").replace("/", "~1") for name in names)


def issue(pointer: str, message: str, expected: str, nearest: str = "") -> Message:
    """One row of what `refused` says about the place."""
    return {"pointer": pointer, "message": message, "expected": expected, "nearest": nearest}


class Loop:
    """Answers messages, one after the other."""

    def __init__(self, name: str, version: str, begin: Callable[[Message], Run]) -> None:
        self._name = name
        self._version = version
        self._begin = begin
        self._run: Run | None = None

    def answer(self, message: Message) -> Message:
        """The answer to one message of the simulator."""
        match message["type"]:
            case "hello":
                return {"type": "hello_ok", "protocol": "1.0", "name": self._name,
                        "version": self._version, "features": ["reset", "durable"]}
            case "world":
                return self._world(message)
            case "batch":
                assert self._run is not None
                return {"type": "decide", "seq": message["seq"], **self._run.decide(message)}
            case "ask":
                return self._ask(message)
            case "reset":
                self._end()
                return {"type": "reset_ok"}
            case "end":
                self._end()
                return {"type": "bye"}
            case other:
                return {"type": "error", "message": f"no such message: {other}"}

    def _world(self, message: Message) -> Message:
        self._end()
        try:
            self._run = self._begin(message)
        except Refused as refused:
            return {"type": "refused", "issues": refused.issues}
        return {"type": "ready", **self._run.ready()}

    def _ask(self, message: Message) -> Message:
        if message["what"] == "trials":
            return {"type": "answer", "what": "trials", "trials": []}
        assert self._run is not None
        return {"type": "answer", "what": "durable", "durable": self._run.durable(),
                "stored_us": None}

    def _end(self) -> None:
        if self._run is not None:
            self._run.end()
            self._run = None


def serve(loop: Loop) -> None:
    """Answers standard input until it ends. All that anybody prints goes to standard error."""
    lines: TextIO = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8", newline="\n")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    encode = json.JSONEncoder(separators=(",", ":")).encode
    for line in sys.stdin:
        try:
            answer = loop.answer(json.loads(line))
        except Exception as error:  # noqa: BLE001 - the simulator is told, and ends the run
            traceback.print_exc()
            last = traceback.extract_tb(error.__traceback__)[-1]
            answer = {"type": "error", "message": f"{type(error).__name__}: {error} "
                      f"({os.path.basename(last.filename)}:{last.lineno})"}
        lines.write(encode(answer) + "\n")
        lines.flush()
