"""The program that hosts PyTorch's elastic agents. It says its name before it imports torch, which
can take longer than the simulator waits for a name."""
import importlib.metadata

from hosting.messages import Loop, Message, Run, serve

VERSION = importlib.metadata.version("torch").partition("+")[0]


def begin(world: Message) -> Run:
    """The agents of one run."""
    from torchrun.job import TorchrunRun  # imports torch

    return TorchrunRun(world, VERSION)


def main() -> None:
    """Answers standard input until it ends."""
    serve(Loop("torchrun", VERSION, begin))
