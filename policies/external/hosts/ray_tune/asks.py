"""Questions of the simulator to experiments beside their decisions."""
from typing import Any, Protocol

from hosting.messages import Loop, Message, Run


class Experiment(Run, Protocol):
    """A run that knows its trials, and what was stored when."""

    stored_us: int | None

    def trials(self) -> list[Message]:
        """Every trial, by number."""

    def durable_at(self, at_us: int) -> Any:
        """The content of storage at that time."""


class ExperimentLoop(Loop):
    """Answers messages to runs that are experiments."""

    def answer(self, message: Message) -> Message:
        """As of any run, and that trials can be asked for."""
        answer = super().answer(message)
        if message["type"] == "hello":
            answer["features"] = ["reset", "durable", "trials"]
        return answer

    def _ask(self, message: Message) -> Message:
        run: Any = self._run
        experiment: Experiment = run
        if message["what"] == "trials":
            return {"type": "answer", "what": "trials", "trials": experiment.trials()}
        durable = experiment.durable_at(message["at_us"])
        return {"type": "answer", "what": "durable", "durable": durable,
                "stored_us": experiment.stored_us}
