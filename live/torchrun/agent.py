"""The process of torchrun on one node: torch.distributed.run, whose log records and events of the
rendezvous are sent to the driver as they are, with their arguments apart.

  agent.py ARGUMENTS OF TORCHRUN

`python -m torch.distributed.run` would print the same as text. Nothing of torch is replaced: the
handlers are added to its loggers, the one of events where torch keeps those of its users.
"""
import json
import logging
import os
import sys
from pathlib import Path
from typing import Any

sys.path[0] = str(Path(__file__).resolve().parent.parent.parent)

from live.script import channel  # noqa: E402


class Records(logging.Handler):
    """Sends log records."""

    def __init__(self, line: channel.Channel) -> None:
        super().__init__(logging.INFO)
        self._line = line

    def emit(self, record: logging.LogRecord) -> None:
        """The form of the message and its arguments."""
        given: Any = record.args or []
        arguments: Any = {str(key): _plain(value) for key, value in given.items()} \
            if isinstance(given, dict) else [_plain(value) for value in given]
        self._line.tell("log", form=str(record.msg), args=arguments)


class Events(logging.Handler):
    """Sends events of the rendezvous, which torch serializes."""

    def __init__(self, line: channel.Channel) -> None:
        super().__init__(logging.INFO)
        self._line = line

    def emit(self, record: logging.LogRecord) -> None:
        """One event."""
        self._line.tell("event", event=json.loads(record.getMessage()))


def _plain(value: Any) -> Any:
    return value if isinstance(value, (int, float, str, list)) else str(value)


def main() -> None:
    """As torchrun does, and with its exit code."""
    line = channel.Channel(os.environ[channel.PATH], role="agent", node=os.environ[channel.NODE])
    from torch.distributed import run
    from torch.distributed.elastic.events import handlers
    logging.getLogger("torch.distributed").addHandler(Records(line))
    handlers._log_handlers["dynamic_rendezvous"] = Events(line)
    # Nodes that are given up are an event at this level only.
    logging.getLogger("torch.distributed.elastic.rendezvous.dynamic_rendezvous").setLevel(
        logging.DEBUG)
    try:
        run.main(sys.argv[1:])
    except BaseException as error:
        line.tell("ends", error=type(error).__name__, text=str(error)[:300])
        raise
    line.tell("ends", error="", text="")


if __name__ == "__main__":
    main()
